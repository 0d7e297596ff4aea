#include "views/charts/curve_marks.h"

#include "tests/views/curve_points.h"
#include "views/charts/chart_parts.h"

#include <gtest/gtest.h>

#include <QWidget>

using namespace tlbscope;
using synthetic::kKilo;

namespace {

class Marks : public ::testing::Test {
protected:
    Marks() : plot(&parent) {
        parent.resize(1000, 600);
        plot.view()->setGeometry(0, 0, 1000, 600);
        for (std::size_t v = 0; v < 2; ++v) {
            CurveMarksInput::Curve curve;
            curve.style = SeriesStyle::of(v);
            for (const CurvePoint& p : synthetic::curve_points(2, 24))
                if (p.variant == v) curve.line.push_back({std::log10(p.working_set), p.median});
            input.curves.push_back(curve);
        }
        input.published = synthetic::curve_marks();
        content.x = niceBytesAxis(64 * kKilo, 1536 * kKilo, 10);
        content.y = niceValueAxis(5, 10, 6);
    }
    void show() {
        plot.measure(content, Theme::current());
        content.above = marks.prepare(input, plot);
        plot.show(content, Theme::current());
        marks.layOut(plot);
    }
    const CurveMarks::Shape* find(CurveMarks::Shape::Kind kind, const char* label = "") const {
        for (const CurveMarks::Shape& shape : marks.shapes())
            if (shape.kind == kind && shape.label.contains(QString::fromUtf8(label))) return &shape;
        return nullptr;
    }
    double x(double bytes) const { return plot.positionOf({std::log10(bytes), 0}).x(); }
    double y(double value) const { return plot.positionOf({0, value}).y(); }

    QWidget parent;
    Plot plot;
    CurveMarks marks;
    CurveMarksInput input;
    PlotContent content;
};

using Kind = CurveMarks::Shape::Kind;

} // namespace

TEST_F(Marks, PublishedOnesStandWhereTheyBelong) {
    show();
    const auto* crossing = find(Kind::tick, "crossing");
    ASSERT_NE(crossing, nullptr);
    EXPECT_NEAR(crossing->box.left(), x(200 * kKilo), 0.01);
    EXPECT_EQ(crossing->label, QStringLiteral("crossing 200k, published"));
    const auto* window = find(Kind::bar, "published");
    ASSERT_NE(window, nullptr);
    EXPECT_EQ(window->label, QStringLiteral("300k–700k, published"));
    EXPECT_NEAR(window->box.left(), x(300 * kKilo), 0.01);
    EXPECT_NEAR(window->box.right(), x(700 * kKilo), 0.01);
    EXPECT_LE(window->text.bottom(), plot.area().top());
    const auto* loss = find(Kind::arrow);
    ASSERT_NE(loss, nullptr);
    EXPECT_EQ(loss->label, QStringLiteral("−17 % published"));
    const double from = valueAt(input.curves[0].line, std::log10(500 * kKilo));
    EXPECT_NEAR(loss->box.left(), x(500 * kKilo), 0.01);
    EXPECT_NEAR(loss->box.top(), y(from), 0.01);
    EXPECT_NEAR(loss->box.bottom(), y(from * 0.83), 0.01);
    const auto* error = find(Kind::error);
    ASSERT_NE(error, nullptr);
    const double at = valueAt(input.curves[0].line,
                              std::max(plot.xAt(error->box.center().x()), input.curves[0].line[0].x()));
    EXPECT_NEAR(error->box.height(), y(at * 0.965) - y(at * 1.035), 0.5);
    for (const auto& shape : marks.shapes())
        EXPECT_TRUE(shape.tip.contains(QStringLiteral("Made up"))) << shape.label.toStdString(); // its source
}

TEST_F(Marks, FoundOnesStandWhereTheyBelong) {
    input.published.clear();
    input.curves[1].knee = Knee{437 * kKilo, 9.2, 5.8};
    input.window = Window{290 * kKilo, 640 * kKilo, 480 * kKilo, 0.14};
    input.crossing = 210 * kKilo;
    show();
    const auto* knee = find(Kind::knee);
    ASSERT_NE(knee, nullptr);
    EXPECT_EQ(knee->label, QStringLiteral("knee 437k"));
    EXPECT_NEAR(knee->box.left(), x(437 * kKilo), 0.01);
    EXPECT_NEAR(knee->box.top(), y(valueAt(input.curves[1].line, std::log10(437 * kKilo))), 0.01);
    EXPECT_NEAR(knee->box.bottom(), plot.area().bottom(), 0.01);
    const auto* window = find(Kind::bar, "found");
    ASSERT_NE(window, nullptr);
    EXPECT_EQ(window->label, QStringLiteral("found 290k–640k, −14 % at 480k"));
    EXPECT_NEAR(window->box.left(), x(290 * kKilo), 0.01);
    EXPECT_NEAR(window->box.right(), x(640 * kKilo), 0.01);
    ASSERT_NE(find(Kind::tick, "found crossing 210k"), nullptr);
}

TEST_F(Marks, LabelsCoverNeitherCurvesNorOneAnother) {
    input.curves[0].knee = Knee{548 * kKilo, 9.3, 5.9};
    input.curves[1].knee = Knee{437 * kKilo, 9.2, 5.8};
    input.window = Window{290 * kKilo, 640 * kKilo, 480 * kKilo, 0.14};
    show();
    std::vector<QRectF> texts;
    for (const auto& shape : marks.shapes()) {
        if (shape.text.isEmpty()) continue;
        for (const auto& curve : input.curves) {
            QPolygonF line;
            for (const QPointF& p : curve.line)
                line << plot.positionOf(p);
            EXPECT_FALSE(touches(line, shape.text)) << shape.label.toStdString();
        }
        for (const QRectF& other : texts)
            EXPECT_FALSE(other.intersects(shape.text)) << shape.label.toStdString();
        texts.push_back(shape.text);
    }
    EXPECT_EQ(texts.size(), 7u);
}

TEST_F(Marks, InPerCentTheLossIsAPointAndTheErrorABand) {
    input.difference = true;
    for (auto& curve : input.curves)
        for (QPointF& p : curve.line)
            p.setY(0);
    content.y = niceValueAxis(-20, 10, 6);
    show();
    const auto* loss = find(Kind::diamond);
    ASSERT_NE(loss, nullptr);
    EXPECT_NEAR(loss->box.center().x(), x(500 * kKilo), 0.01);
    EXPECT_NEAR(loss->box.center().y(), y(-17), 0.01);
    EXPECT_EQ(find(Kind::arrow), nullptr);
    EXPECT_EQ(find(Kind::knee), nullptr);
}

TEST_F(Marks, OutsideTheAxisOrWithoutACurveNothingIsDrawn) {
    input.published = {{CurveMark::Kind::crossing, 5, 5, 0, "", ""},
                       {CurveMark::Kind::loss, 9e9, 9e9, 0.1, "", ""}};
    show();
    EXPECT_TRUE(marks.shapes().empty());
    EXPECT_EQ(content.above, 0);
    input.published = {{CurveMark::Kind::loss, 500 * kKilo, 500 * kKilo, 0.17, "", ""}};
    input.curves[0].line.clear(); // nothing to hang it on yet
    show();
    EXPECT_TRUE(marks.shapes().empty());
}
