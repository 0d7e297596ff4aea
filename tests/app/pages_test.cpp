// The window's pages and its scenes as a user meets them, on the offscreen platform.
#include "app/window/curve_controls.h"
#include "app/window/curve_page.h"
#include "app/window/duel_controls.h"
#include "app/window/duel_page.h"
#include "app/window/main_window.h"
#include "app/window/notice.h"
#include "app/window/page_bar.h"
#include "app/window/panel_dock.h"
#include "app/window/parameter_slider.h"
#include "app/window/scene_player.h"
#include "app/window/segmented_choice.h"
#include "engine/core/error.h"
#include "views/charts/curve_chart.h"
#include "views/machine/machine_view.h"
#include "views/present/scene_caption.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QEventLoop>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>

namespace tlbscope {
namespace {

class PagesTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (qApp) return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        static int argc = 1;
        static char name[] = "app_tests";
        static char* argv[] = {name, nullptr};
        new QApplication(argc, argv); // lives as long as the tests
    }
    static MainWindowOptions plain() {
        MainWindowOptions options;
        options.resources = TLBSCOPE_RESOURCES;
        options.remember = false;
        options.sweeps = false;
        return options;
    }
    // Runs the event loop until it holds. The deadline is only there so that a broken build ends.
    template <typename Predicate>
    static bool until(Predicate holds) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(90);
        while (!holds()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            QEventLoop loop;
            QTimer::singleShot(10, &loop, &QEventLoop::quit);
            loop.exec();
        }
        return true;
    }
    static void press(QWidget& window, int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : &window;
        QKeyEvent ask(QEvent::ShortcutOverride, key, modifiers);
        ask.ignore();
        QApplication::sendEvent(target, &ask);
        QKeyEvent down(QEvent::KeyPress, key, modifiers);
        QApplication::sendEvent(target, &down);
    }
    static int shownDocks(MainWindow& window) {
        int shown = 0;
        for (auto* dock : window.findChildren<PanelDock*>())
            shown += dock->isVisible();
        return shown;
    }
};

TEST_F(PagesTest, PanelsHideWithTheMachineAndComeBackAsTheyWere) {
    MainWindow window(plain());
    window.resize(1600, 1000);
    window.show();
    QApplication::processEvents();
    auto docks = window.findChildren<PanelDock*>();
    docks[2]->hide();
    QApplication::processEvents();
    const QByteArray before = window.saveState();
    const int shown = shownDocks(window);
    ASSERT_GT(shown, 3);
    window.actions().curvePage->trigger();
    QApplication::processEvents();
    EXPECT_EQ(window.page(), Page::curve);
    EXPECT_EQ(shownDocks(window), 0);
    EXPECT_TRUE(window.curvePage().isVisible());
    EXPECT_FALSE(window.machine().isVisible());
    window.actions().duelPage->trigger();
    EXPECT_TRUE(window.duelPage().isVisible());
    window.actions().machinePage->trigger();
    QApplication::processEvents();
    EXPECT_EQ(shownDocks(window), shown);
    EXPECT_FALSE(docks[2]->isVisible());
    EXPECT_EQ(window.saveState(), before);
}

TEST_F(PagesTest, TheSwitchIsClickedToo) {
    MainWindow window(plain());
    window.show();
    SegmentedChoice* choice = window.findChild<PageBar*>()->choice();
    choice->button(1)->click();
    EXPECT_EQ(window.page(), Page::curve);
    choice->button(2)->click();
    EXPECT_EQ(window.page(), Page::duel);
    choice->button(0)->click();
    EXPECT_EQ(window.page(), Page::machine);
    EXPECT_EQ(choice->current(), 0);
}

TEST_F(PagesTest, HiddenPagesDoNoWork) {
    MainWindow window(plain());
    window.show();
    window.session().play();
    ASSERT_TRUE(until([&] { return window.machine().snapshot()->running; }));
    EXPECT_EQ(window.duelPage().duel(), nullptr) << "made when it is shown";
    EXPECT_EQ(window.curvePage().figures().started(), 0u);
    window.showPage(Page::duel);
    ASSERT_TRUE(until([&] { return !window.session().snapshot()->running; }));
    ASSERT_NE(window.duelPage().duel(), nullptr);
    window.actions().play->trigger();
    ASSERT_TRUE(until([&] { return window.duelPage().shown() && window.duelPage().shown()->running; }));
    window.showPage(Page::curve);
    EXPECT_EQ(window.curvePage().figures().started(), 1u);
    Duel& duel = *window.duelPage().duel();
    ASSERT_TRUE(duel.wait_for(duel.mark(), 60));
    EXPECT_FALSE(duel.snapshot()->running);
    window.showPage(Page::machine);
    ASSERT_TRUE(until([&] { return window.session().snapshot()->running; })) << "it goes on";
    window.showPage(Page::duel);
    EXPECT_TRUE(until([&] { return duel.snapshot()->running; }));
}

TEST_F(PagesTest, KeysStepTheMachinesThatAreShown) {
    MainWindow window(plain());
    window.show();
    window.showPage(Page::duel);
    DuelPage& page = window.duelPage();
    EXPECT_FALSE(window.actions().nextFlush->isEnabled());
    ASSERT_TRUE(window.actions().nextTick->isEnabled());
    window.actions().nextTick->trigger();
    Duel& duel = *page.duel();
    ASSERT_TRUE(duel.wait_for(duel.mark(), 60));
    const std::uint64_t ticks = duel.snapshot()->sides[0].ticks;
    window.actions().nextTick->trigger();
    ASSERT_TRUE(duel.wait_for(duel.mark(), 60));
    EXPECT_EQ(duel.snapshot()->sides[0].ticks, ticks + 1);
    const Cycles t = duel.snapshot()->sides[0].time;
    window.actions().eventBack->trigger();
    ASSERT_TRUE(duel.wait_for(duel.mark(), 60));
    EXPECT_LT(duel.snapshot()->sides[0].time, t);
    EXPECT_EQ(window.session().snapshot()->event_count, 0u) << "the other machine stood still";
    window.showPage(Page::machine);
    EXPECT_FALSE(window.actions().nextTick->isEnabled());
    window.actions().event->trigger();
    EXPECT_TRUE(until([&] { return window.session().snapshot()->event_count == 1; }));
}

TEST_F(PagesTest, AnotherPairStartsBothAnew) {
    MainWindow window(plain());
    window.show();
    window.showPage(Page::duel);
    DuelPage& page = window.duelPage();
    page.duel()->seek_time(1000);
    DuelChoice choice = page.choice();
    choice.pair = "kpti";
    choice.processor = "skylake-kpti";
    page.setChoice(choice);
    ASSERT_TRUE(until([&] { return page.shown() && page.shown()->run == 2; }));
    EXPECT_EQ(page.shown()->sides[1].snapshot->scenario.split, "kpti");
    // One that cannot be: what is there stays, and the window says why.
    choice.pair = "3:1-4:4";
    page.setChoice(choice);
    ASSERT_TRUE(until([&] { return window.notice().isVisible(); }));
    EXPECT_EQ(page.duel()->snapshot()->run, 2u);
}

TEST_F(PagesTest, AMovedL2DrawsAnotherFigure) {
    MainWindow window(plain());
    window.show();
    window.showPage(Page::curve);
    CurvePage& page = window.curvePage();
    FigureChoice small;
    small.preset = "split";
    small.seeds = 1;
    small.points = 8;
    page.setChoice(small);
    ASSERT_TRUE(until([&] { return page.finished(); }));
    const auto before = find_knee(page.shown()->line(0));
    ASSERT_TRUE(before);
    page.controls().l2()->choose(1024);
    EXPECT_EQ(page.choice().l2_kib, 1024);
    ASSERT_TRUE(until([&] { return page.shown()->choice.l2_kib == 1024 && page.finished(); }));
    const auto after = find_knee(page.shown()->line(0));
    ASSERT_TRUE(after);
    EXPECT_GT(after->working_set, 1.5 * before->working_set);
    EXPECT_LT(after->working_set, 2.7 * before->working_set);
    // Back: it is known.
    const std::uint64_t started = page.figures().started();
    page.controls().l2()->choose(512);
    ASSERT_TRUE(until([&] { return page.finished() && page.shown()->choice.l2_kib == 0; }));
    EXPECT_EQ(page.figures().started(), started);
    // The cursor's attribution belongs to the figure.
    ASSERT_NE(page.attribution(), nullptr);
    EXPECT_EQ(page.attribution()->subintervals, static_cast<int>(std::lround(*page.cursor() / 84)));
}

TEST_F(PagesTest, ASceneIsAdvancedByTheKeysOfARemote) {
    MainWindow window(plain());
    window.resize(1280, 800);
    window.show();
    QApplication::processEvents();
    const double scale = Theme::current().scale;
    window.startScene("where-did-the-17-percent-go", 0, false);
    ScenePlayer& scenes = window.scenes();
    ASSERT_TRUE(scenes.active());
    EXPECT_GT(Theme::current().scale, scale);
    EXPECT_EQ(window.page(), Page::curve);
    auto* caption = window.findChild<SceneCaption*>();
    EXPECT_TRUE(caption->isVisible());
    const std::size_t steps = scenes.scene().steps.size();
    for (const int key : {Qt::Key_Space, Qt::Key_PageDown, Qt::Key_Right}) {
        const std::size_t step = scenes.step();
        const QString headline = caption->text().headline;
        press(window, key);
        EXPECT_EQ(scenes.step(), step + 1);
        EXPECT_NE(caption->text().headline, headline);
        EXPECT_EQ(window.page(), scenes.scene().steps[step + 1].page);
    }
    for (const int key : {Qt::Key_Backspace, Qt::Key_PageUp}) {
        const std::size_t step = scenes.step();
        press(window, key);
        EXPECT_EQ(scenes.step(), step - 1);
    }
    for (std::size_t i = 0; i < steps + 2; ++i)
        press(window, Qt::Key_Space);
    EXPECT_EQ(scenes.step(), steps - 1) << "the last stays";
    press(window, Qt::Key_Home);
    EXPECT_EQ(scenes.step(), 0u);
    press(window, Qt::Key_Escape);
    EXPECT_FALSE(scenes.active());
    EXPECT_FALSE(caption->isVisible());
    EXPECT_EQ(Theme::current().scale, scale);
    EXPECT_FALSE(window.actions().nextStep->isEnabled());
}

TEST_F(PagesTest, AStepSaysWhatTheModelHasFound) {
    MainWindow window(plain());
    window.show();
    window.startScene("where-did-the-17-percent-go", 4, false);
    auto* caption = window.findChild<SceneCaption*>();
    ASSERT_EQ(window.page(), Page::duel);
    ASSERT_TRUE(until([&] { return window.scenes().settled(); }));
    ASSERT_TRUE(until([&] { return !caption->text().body.contains(QStringLiteral("…")); }))
        << qPrintable(caption->text().body);
    EXPECT_FALSE(caption->text().body.contains(u'{'));
}

TEST_F(PagesTest, AnUnknownSceneIsAnErrorAndNothingChanges) {
    MainWindow window(plain());
    window.show();
    EXPECT_THROW(window.startScene("no-such-scene", 0, false), Error);
    EXPECT_FALSE(window.scenes().active());
    EXPECT_EQ(window.page(), Page::machine);
}

TEST_F(PagesTest, PresentingOnAnotherPageLeavesThePanelsAsTheyWere) {
    MainWindow window(plain());
    window.resize(1600, 1000);
    window.show();
    QApplication::processEvents();
    const int shown = shownDocks(window);
    window.showPage(Page::curve);
    window.setPresenting(true, false);
    EXPECT_FALSE(window.curvePage().controls().isVisible());
    window.showPage(Page::machine);
    QApplication::processEvents();
    EXPECT_LT(shownDocks(window), shown);
    window.showPage(Page::duel);
    window.setPresenting(false, false);
    EXPECT_TRUE(window.duelPage().controls().isVisible());
    window.showPage(Page::machine);
    QApplication::processEvents();
    EXPECT_EQ(shownDocks(window), shown);
}

TEST_F(PagesTest, ClosesWhileEverythingRuns) {
    for (int i = 0; i < 3; ++i) {
        MainWindow window(plain());
        window.show();
        window.showPage(Page::duel);
        window.duelPage().setSpeed(std::numeric_limits<double>::infinity());
        window.actions().play->trigger();
        window.showPage(Page::curve);
        QApplication::processEvents();
        if (i == 1) window.startScene("where-did-the-17-percent-go", 2, false);
        if (i == 2) window.close();
    }
}

TEST_F(PagesTest, EveryPageNamesWhatTakesTheFocus) {
    MainWindow window(plain());
    window.show();
    for (const Page page : kPages) {
        window.showPage(page);
        QApplication::processEvents();
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) ||
                widget->objectName().startsWith(QStringLiteral("qt_")) || !widget->isVisible())
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            EXPECT_TRUE(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()))
                << widget->metaObject()->className() << " in "
                << widget->parentWidget()->metaObject()->className() << " on " << pageName(page);
        }
    }
}

} // namespace
} // namespace tlbscope
