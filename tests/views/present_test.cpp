#include "views/present/scene_caption.h"
#include "views/present/spotlight.h"

#include "tests/views/synthetic.h"

#include <QApplication>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

using namespace tlbscope;

namespace {

SceneCaptionText someText(int lines = 3) {
    QString body;
    for (int i = 0; i < lines; ++i)
        body += QStringLiteral("A line of text that says what is to be seen here. ");
    return {3, 10, QStringLiteral("Where did the 17 % go?"), body, QStringLiteral("a source")};
}

} // namespace

TEST(SceneCaption, LiesInTheWindowAndOffItsTargetWhereThatCanBe) {
    SceneCaption caption;
    caption.setText(someText());
    synthetic::Random random{3};
    const QRect window(0, 0, 1280, 720);
    for (int i = 0; i < 500; ++i) {
        const QRect target(random.below(900), random.below(500), 20 + random.below(380),
                           20 + random.below(220));
        const QRect place = caption.place(window, target, 10);
        EXPECT_TRUE(window.adjusted(10, 10, -10, -10).contains(place));
        EXPECT_FALSE(place.isEmpty());
        // A target this small leaves the top or the bottom free.
        EXPECT_FALSE(place.intersects(target)) << i;
    }
    EXPECT_GT(caption.place(window, {}, 10).top(), 360); // nothing to avoid: below
    EXPECT_LT(caption.place(window, QRect(0, 300, 1280, 420), 10).bottom(), 300);
    const QRect side = caption.place(window, QRect(0, 0, 760, 720), 10);
    EXPECT_GT(side.left(), 760);
    caption.place(QRect(0, 0, 30, 20), QRect(0, 0, 30, 20), 40); // too small for anything: no crash
}

TEST(SceneCaption, TypeGetsSmallerOnlyWhereItMust) {
    SceneCaption caption;
    caption.setText(someText(6));
    caption.resize(700, caption.heightFor(700));
    EXPECT_DOUBLE_EQ(caption.shrink(), 1);
    caption.resize(700, caption.heightFor(700) * 2 / 3);
    EXPECT_LT(caption.shrink(), 1);
    EXPECT_GE(caption.shrink(), 0.59);
    EXPECT_GT(caption.heightFor(300), caption.heightFor(900));
    for (const QSize size : {QSize(1, 1), QSize(80, 40)}) {
        caption.resize(size);
        caption.grab();
    }
}

TEST(SceneCaption, LargerThanTheWindowsOwnType) {
    SceneCaption caption;
    caption.setHint({});
    caption.setText({0, 0, QStringLiteral("x"), {}, {}});
    EXPECT_GT(caption.heightFor(900), lineHeight(FontRole::title) * 1.5);
    caption.setText(someText());
    EXPECT_TRUE(caption.accessibleDescription().startsWith(QStringLiteral("Step 3 of 10. ")));
    EXPECT_EQ(caption.accessibleName(), QStringLiteral("Where did the 17 % go?"));
}

TEST(Spotlight, DimsEverythingButItsTarget) {
    QWidget window;
    window.resize(300, 200);
    window.setAutoFillBackground(true);
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(200, 200, 200));
    window.setPalette(palette);
    window.show();
    Spotlight light(&window);
    EXPECT_TRUE(light.isHidden());
    light.setTarget(QRect(100, 50, 80, 60));
    EXPECT_TRUE(light.isVisible());
    const QImage picture = window.grab().toImage();
    for (int x = 0; x < 300; x += 7)
        for (int y = 0; y < 200; y += 7) {
            const QRect target(100, 50, 80, 60);
            const int level = qGray(picture.pixel(x, y));
            if (target.contains(x, y)) {
                EXPECT_EQ(level, 200) << x << ' ' << y;
            } else if (!target.adjusted(-6, -6, 6, 6).contains(x, y)) {
                EXPECT_LT(level, 150) << x << ' ' << y;
            }
        }
    window.resize(500, 400);
    EXPECT_EQ(light.size(), window.size());
    light.setTarget({});
    EXPECT_TRUE(light.isHidden());
}

TEST(Spotlight, LetsTheMouseThrough) {
    QWidget window;
    window.resize(300, 200);
    QPushButton button(QStringLiteral("press"), &window);
    button.setGeometry(10, 10, 100, 40);
    Spotlight light(&window);
    window.show();
    light.setTarget(QRect(200, 100, 50, 50));
    int presses = 0;
    QObject::connect(&button, &QPushButton::clicked, [&] { ++presses; });
    EXPECT_EQ(window.childAt(30, 30), &button);
    QTest::mouseClick(window.childAt(30, 30), Qt::LeftButton);
    EXPECT_EQ(presses, 1);
}
