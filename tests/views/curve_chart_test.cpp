#include "views/charts/curve_chart.h"

#include "tests/views/curve_points.h"
#include "views/charts/guarded_chart_view.h"
#include "views/charts/label_layout.h"
#include "views/format/format.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tlbscope;
using synthetic::kKilo;

namespace {

std::unique_ptr<CurveChart> chartOf(std::size_t variants, int points, QSize size = {900, 560}) {
    auto chart = std::make_unique<CurveChart>(QStringLiteral("HINT"));
    std::vector<CurveChart::Label> labels;
    for (std::size_t i = 0; i < variants; ++i)
        labels.push_back({QString::fromLatin1(synthetic::curve_labels()[i % 8])});
    chart->setVariants(labels);
    chart->setExpected(64 * kKilo, 1536 * kKilo);
    chart->setPoints(synthetic::curve_points(variants, points));
    chart->resize(size);
    return chart;
}

GuardedChartView* viewOf(CurveChart& chart) {
    for (auto* view : chart.findChildren<GuardedChartView*>())
        if (view->isVisible()) return view;
    return nullptr;
}

} // namespace

TEST(BytesAxis, HasTheMarksOfTheHintCurves) {
    QStringList labels;
    for (const AxisMark& mark : niceBytesAxis(100 * kKilo, kKilo * kKilo, 12).marks)
        labels << mark.label;
    EXPECT_EQ(labels, (QStringList{"100k", "200k", "300k", "500k", "700k", "1M"}));
}

TEST(BytesAxis, IsLogarithmicAndNeverCrowded) {
    synthetic::Random random{5};
    for (int i = 0; i < 2000; ++i) {
        const double low = std::pow(10, 1 + 7 * random.unit()), high = low * std::pow(10, 4 * random.unit());
        const int wanted = 2 + random.below(14);
        const NiceAxis axis = niceBytesAxis(low, high, wanted);
        ASSERT_GE(axis.marks.size(), 2u);
        EXPECT_LE(axis.min, std::log10(low));
        EXPECT_GE(axis.max, std::log10(high) - 1e-9);
        for (std::size_t m = 0; m < axis.marks.size(); ++m) {
            EXPECT_GE(axis.marks[m].at, axis.min);
            EXPECT_LE(axis.marks[m].at, axis.max);
            if (m > 0) {
                EXPECT_GT(axis.marks[m].at, axis.marks[m - 1].at);
            }
        }
    }
    EXPECT_LE(niceBytesAxis(1, 1e12, 6).marks.size(), 6u);
}

TEST(ValueAxis, AllLabelsHaveTheDecimalsOfTheStep) {
    synthetic::Random random{4};
    for (int i = 0; i < 500; ++i) {
        const double low = 90 * random.unit(), high = low + std::pow(10, 2 - 3 * random.unit());
        const NiceAxis axis = niceValueAxis(low, high, 2 + random.below(6));
        std::vector<qsizetype> decimals;
        for (const AxisMark& mark : axis.marks) {
            EXPECT_NEAR(mark.label.toDouble(), mark.at, 1e-6);
            if (mark.at != 0) decimals.push_back(mark.label.size() - 1 - mark.label.indexOf(u'.'));
            if (mark.at != 0 && !mark.label.contains(u'.')) decimals.back() = 0;
        }
        for (const qsizetype d : decimals)
            EXPECT_EQ(d, decimals.front());
    }
}

TEST(WorkingSetText, IsAsTheCurvesWereLabelled) {
    EXPECT_EQ(workingSetText(84.0 * 6095), QStringLiteral("500k"));
    EXPECT_EQ(workingSetText(kKilo * kKilo), QStringLiteral("1M"));
    EXPECT_EQ(workingSetText(1.5 * kKilo * kKilo), QStringLiteral("1.5M"));
    EXPECT_EQ(workingSetText(84), QStringLiteral("84"));
    EXPECT_EQ(workingSetText(std::nan("")), QStringLiteral("–"));
}

TEST(CurveChart, PlacesWorkingSetsByTheirLogarithm) {
    auto chart = chartOf(2, 24);
    chart->show();
    chart->grab();
    const auto x = [&](double bytes) { return chart->positionOf(bytes, 9).x(); };
    // Equal ratios, equal distances; larger to the right; more throughput higher up.
    EXPECT_NEAR(x(200 * kKilo) - x(100 * kKilo), x(800 * kKilo) - x(400 * kKilo), 0.01);
    EXPECT_GT(x(500 * kKilo), x(400 * kKilo));
    EXPECT_LT(chart->positionOf(500 * kKilo, 9).y(), chart->positionOf(500 * kKilo, 6).y());
    auto* view = viewOf(*chart);
    ASSERT_NE(view, nullptr);
    for (const CurvePoint& p : synthetic::curve_points(2, 24))
        for (const double value : {p.low, p.median, p.high})
            EXPECT_TRUE(QRectF(view->geometry()).contains(chart->positionOf(p.working_set, value)));
}

TEST(CurveChart, ValuesBetweenPointsLieBetweenThem) {
    auto chart = chartOf(2, 24);
    chart->show();
    chart->grab();
    const auto points = synthetic::curve_points(1, 24);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        chart->setCursor(points[i].working_set);
        EXPECT_NEAR(chart->valueAtCursor(0), points[i].median, 1e-9);
        chart->setCursor(std::sqrt(points[i].working_set * points[i + 1].working_set));
        EXPECT_NEAR(chart->valueAtCursor(0), (points[i].median + points[i + 1].median) / 2, 1e-9);
    }
    chart->setCursor(10.0);
    EXPECT_TRUE(std::isnan(chart->valueAtCursor(0)));
    EXPECT_TRUE(chart->sentence().isEmpty());
}

TEST(CurveChart, AxesStayWhilePointsCome) {
    auto chart = chartOf(2, 0);
    chart->show();
    chart->grab();
    const auto all = synthetic::curve_points(2, 24);
    const double min = chart->xAxis().min, max = chart->xAxis().max;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (std::size_t i = 0; i < all.size(); ++i) {
        chart->setPoint(all[(i * 7) % all.size()]);
        chart->grab();
        EXPECT_DOUBLE_EQ(chart->xAxis().min, min);
        EXPECT_DOUBLE_EQ(chart->xAxis().max, max);
        if (i == 0) lowest = chart->yAxis().min, highest = chart->yAxis().max;
    }
    const double top = chart->yAxis().max, bottom = chart->yAxis().min;
    for (CurvePoint p : all) { // more seeds: narrower bands, the same axis
        p.low = p.high = p.median;
        chart->setPoint(p);
    }
    chart->grab();
    EXPECT_DOUBLE_EQ(chart->yAxis().max, top);
    EXPECT_DOUBLE_EQ(chart->yAxis().min, bottom);
    EXPECT_LE(bottom, lowest);
    EXPECT_GE(top, 9.4);
    EXPECT_LT(highest, 100);
}

TEST(CurveChart, HiddenItDoesNothing) {
    auto chart = chartOf(2, 24);
    chart->setMarks(synthetic::curve_marks());
    chart->setCursor(400 * kKilo);
    QApplication::processEvents();
    EXPECT_EQ(chart->pointsDrawn(), 0u);
    EXPECT_EQ(chart->frames(), 0);
    EXPECT_TRUE(chart->accessibleDescription().isEmpty());
    chart->show();
    chart->grab();
    EXPECT_EQ(chart->pointsDrawn(), 48u);
    chart->hide();
    const int frames = chart->frames();
    chart->setPoints(synthetic::curve_points(2, 40));
    QApplication::processEvents();
    EXPECT_EQ(chart->pointsDrawn(), 48u);
    EXPECT_EQ(chart->frames(), frames);
}

TEST(CurveChart, TheCursorFollowsKeysFromPointToPoint) {
    auto chart = chartOf(2, 10);
    chart->show();
    chart->grab();
    QSignalSpy moved(chart.get(), &CurveChart::cursorMoved);
    QTest::keyClick(chart.get(), Qt::Key_Right);
    const auto points = synthetic::curve_points(1, 10);
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_TRUE(chart->cursor());
        EXPECT_DOUBLE_EQ(*chart->cursor(), points[i].working_set);
        QTest::keyClick(chart.get(), Qt::Key_Right); // stays at the last
    }
    EXPECT_EQ(moved.count(), 10);
    QTest::keyClick(chart.get(), Qt::Key_Home);
    EXPECT_DOUBLE_EQ(*chart->cursor(), points.front().working_set);
    QTest::keyClick(chart.get(), Qt::Key_Left);
    EXPECT_DOUBLE_EQ(*chart->cursor(), points.front().working_set);
    chart->setCursor(500 * kKilo); // from outside: no signal
    EXPECT_EQ(moved.count(), 11);
    QTest::keyClick(chart.get(), Qt::Key_Left);
    EXPECT_LT(*chart->cursor(), 500 * kKilo);
}

TEST(CurveChart, TheCursorFollowsTheMouseAndStaysInside) {
    auto chart = chartOf(2, 10);
    chart->show();
    chart->grab();
    auto* view = viewOf(*chart);
    ASSERT_NE(view, nullptr);
    QSignalSpy moved(chart.get(), &CurveChart::cursorMoved);
    double last = 0;
    for (int x = -30; x < view->width() + 30; x += 41) {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(x, view->height() / 2));
        ASSERT_TRUE(chart->cursor());
        EXPECT_GE(*chart->cursor(), last);
        last = *chart->cursor();
        EXPECT_GE(std::log10(last), chart->xAxis().min - 1e-9);
        EXPECT_LE(std::log10(last), chart->xAxis().max + 1e-9);
        EXPECT_NEAR(
            chart->positionOf(last, 9).x() - view->x(),
            std::clamp<double>(x, chart->positionOf(std::pow(10, chart->xAxis().min), 9).x() - view->x(),
                               chart->positionOf(std::pow(10, chart->xAxis().max), 9).x() - view->x()),
            Theme::current().px(6) + 1);
    }
    EXPECT_GT(moved.count(), 10);
}

TEST(CurveChart, BadNumbersAreNotDrawn) {
    auto chart = chartOf(2, 5);
    CurvePoint bad = synthetic::curve_point(0, 3000, 0, 0, 1);
    bad.median = std::nan("");
    chart->setPoint(bad);
    bad.subintervals = 1;
    bad.median = 5;
    bad.working_set = 0;
    chart->setPoint(bad);
    bad.variant = 9;
    bad.working_set = 4096;
    chart->setPoint(bad);
    chart->setExpected(std::nan(""), -1);
    chart->setMarks({{CurveMark::Kind::loss, 0, 0, std::nan(""), "", ""},
                     {CurveMark::Kind::window, -5, 1e300, 0, "", ""},
                     {CurveMark::Kind::crossing, std::nan(""), 0, 0, "", ""},
                     {CurveMark::Kind::error_band, 1e9, 1e9, 7, "", ""}});
    chart->setKnee(0, Knee{-1, 0, 0});
    chart->setKnee(7, Knee{1e5, 1, 2});
    chart->setWindow(Window{1e9, 1, 5, 2});
    chart->setPair(4, 8);
    chart->setCursor(std::numeric_limits<double>::infinity());
    EXPECT_FALSE(chart->cursor());
    chart->show();
    for (const CurveView view : {CurveView::throughput, CurveView::difference, CurveView::both}) {
        chart->setView(view);
        chart->grab();
    }
    chart->setPair(0, 1);
    chart->setView(CurveView::both);
    chart->grab();
    EXPECT_EQ(chart->pointsDrawn(), 10u);
    chart->setVariants({});
    chart->grab();
    EXPECT_EQ(chart->pointsDrawn(), 0u);
}

TEST(CurveChart, ManyPointsStayFew) {
    auto chart = chartOf(8, 2000, {1280, 720});
    chart->show();
    chart->grab();
    EXPECT_GT(chart->pointsDrawn(), 800u);
    EXPECT_LE(chart->pointsDrawn(), 4000u);
}

TEST(CurveChart, SaysWhatItShows) {
    auto chart = chartOf(2, 24);
    chart->setKnee(0, Knee{548 * kKilo, 9.3, 5.9});
    chart->setCursor(480 * kKilo);
    chart->show();
    chart->grab();
    EXPECT_TRUE(chart->accessibleDescription().contains(QStringLiteral("knee at 548k")));
    EXPECT_TRUE(chart->sentence().startsWith(QStringLiteral("at 480k: 4:4, 1000 Hz is 1")));
    EXPECT_TRUE(chart->sentence().contains(QStringLiteral("slower than 3:1, 1000 Hz")));
    EXPECT_EQ(chart->table().count(u'\n'), 49);
    chart->setPair(1, 0);
    EXPECT_TRUE(chart->sentence().contains(QStringLiteral("faster than 4:4, 1000 Hz")));
}

TEST(LabelLayout, NothingOverlapsInARow) {
    synthetic::Random random{11};
    for (int round = 0; round < 300; ++round) {
        std::vector<StripLabel> labels;
        for (int i = 0; i < 2 + random.below(9); ++i) {
            const double first = 800 * random.unit(), length = random.below(2) * 250 * random.unit();
            labels.push_back({first, std::min(800.0, first + length), 30 + 150 * random.unit()});
        }
        const auto places = layoutStrip(labels, 0, 800, 8);
        ASSERT_EQ(places.size(), labels.size());
        for (std::size_t i = 0; i < labels.size(); ++i) {
            EXPECT_GE(places[i].left, -1e-9);
            EXPECT_LE(places[i].left + labels[i].width, 800 + 1e-9);
            for (std::size_t j = 0; j < i; ++j) {
                if (places[i].row != places[j].row) continue;
                const auto from = [&](std::size_t k) { return std::min(labels[k].first, places[k].left); };
                const auto to = [&](std::size_t k) {
                    return std::max(labels[k].last, places[k].left + labels[k].width);
                };
                EXPECT_TRUE(from(i) >= to(j) || from(j) >= to(i)) << i << " and " << j;
            }
        }
    }
}

TEST(LabelLayout, PrefersAFreePlace) {
    const QPolygonF line{{0, 50}, {100, 50}};
    EXPECT_TRUE(touches(line, QRectF(40, 40, 20, 20)));
    EXPECT_FALSE(touches(line, QRectF(40, 60, 20, 20)));
    EXPECT_TRUE(touches(QPolygonF{{0, 0}, {100, 100}}, QRectF(45, 40, 10, 20))); // no corner inside
    const std::array candidates{QRectF(40, 40, 20, 20), QRectF(90, 0, 20, 20), QRectF(10, 60, 20, 20),
                                QRectF(40, 70, 20, 20)};
    const std::array lines{line};
    const std::array taken{QRectF(0, 55, 30, 30)};
    EXPECT_EQ(freePlace(candidates, QRectF(0, 0, 100, 100), lines, taken), candidates[3]);
    EXPECT_EQ(freePlace(std::span(candidates).first(3), QRectF(0, 0, 100, 100), lines, taken), candidates[0]);
}
