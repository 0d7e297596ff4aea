#include "views/charts/throughput_chart.h"

#include "tests/views/sweep_points.h"
#include "tests/views/synthetic.h"
#include "views/charts/decimate.h"
#include "views/charts/guarded_chart_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace tlbscope;

TEST(Decimate, KeepsTheExtremesOfEveryColumn) {
    synthetic::Random random{8};
    QList<QPointF> points;
    for (int i = 0; i < 20000; ++i)
        points.push_back({i * 0.5, random.unit() * 100});
    points[777].setY(1e6);
    points[12345].setY(-1e6);
    const auto few = decimate(points, 400);
    EXPECT_LE(few.size(), 1600);
    for (qsizetype i = 1; i < few.size(); ++i)
        EXPECT_LE(few[i - 1].x(), few[i].x());
    for (const double extreme : {1e6, -1e6})
        EXPECT_TRUE(std::any_of(few.begin(), few.end(), [&](const QPointF& p) { return p.y() == extreme; }));
    EXPECT_EQ(few.front(), points.front());
    EXPECT_EQ(few.back(), points.back());
}

TEST(Decimate, DropsWhatIsNoNumberAndKeepsShortListsAsTheyAre) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(decimate({{0, 1}, {1, std::nan("")}, {2, inf}, {3, 4}}, 100), (QList<QPointF>{{0, 1}, {3, 4}}));
    EXPECT_TRUE(decimate({}, 10).isEmpty());
    EXPECT_EQ(decimate(QList<QPointF>(50, QPointF(3, 3)), 10).size(), 50); // no width to share out
}

TEST(NiceAxis, CoversTheDataWithRoundMarks) {
    synthetic::Random random{2};
    for (int i = 0; i < 1000; ++i) {
        const double low = (random.unit() - 0.2) * std::pow(10, random.below(8)),
                     high = low + random.unit() * std::pow(10, random.below(8));
        const NiceAxis axis = niceValueAxis(low, high, 5);
        EXPECT_LE(axis.min, std::min(low, high) + 1e-9 * std::abs(low));
        EXPECT_GE(axis.max, std::max(low, high) - 1e-9 * std::abs(high));
        ASSERT_GE(axis.marks.size(), 2u);
        EXPECT_LE(axis.marks.size(), 12u);
    }
    EXPECT_GE(niceValueAxis(5, 5, 4).marks.size(), 2u);
    EXPECT_GE(niceValueAxis(std::nan(""), 1, 4).marks.size(), 2u);
    const NiceAxis shifts = niceIntegerAxis(-1, 8, 10);
    EXPECT_EQ(shifts.marks.size(), 10u);
    EXPECT_EQ(shifts.marks.front().at, -1);
}

TEST(NiceAxis, ScalesAreInverse) {
    for (const ChartScale scale : {ChartScale::linear, ChartScale::log2, ChartScale::log10})
        for (const double v : {1.0, 3.0, 129.0, 1e6})
            EXPECT_NEAR(fromAxis(toAxis(v, scale), scale), v, v * 1e-9);
}

TEST(ThroughputChart, FillsShowsAndEmpties) {
    ThroughputChart chart(QStringLiteral("Throughput against shift"), SweepAxis::shift);
    chart.resize(320, 220);
    chart.setExpected({-1, 0, 1, 2, 3, 4, 5, 6, 7, 8});
    for (const SweepPoint& p : synthetic::shift_points(10))
        chart.setPoint(QStringLiteral("4 threads"), p);
    EXPECT_EQ(chart.pointsDrawn(), 0u); // hidden
    chart.show();
    const QImage first = chart.grab().toImage();
    EXPECT_EQ(chart.pointsDrawn(), 10u);
    chart.setCurrent(1);
    const QImage marked = chart.grab().toImage();
    EXPECT_NE(marked, first);
    chart.setPoint(QStringLiteral("4 threads"), synthetic::sweep_point(1, 5000, 10));
    chart.grab();
    EXPECT_EQ(chart.pointsDrawn(), 10u); // replaced, not added
    chart.setSeries(QStringLiteral("8 threads"), synthetic::shift_points(10, 8));
    chart.setPublished({{2, 9000, QStringLiteral("mail")}, {3, std::nan(""), QString()}});
    chart.grab();
    EXPECT_EQ(chart.pointsDrawn(), 20u);
    EXPECT_EQ(chart.labels().size(), 2u);
    chart.clear();
    chart.grab();
    EXPECT_EQ(chart.pointsDrawn(), 0u);
}

TEST(ThroughputChart, BadNumbersAreNotDrawn) {
    ThroughputChart chart(QStringLiteral("x"), SweepAxis::working_set_pages);
    chart.resize(320, 220);
    SweepPoint bad = synthetic::sweep_point(64, std::nan(""), 0);
    chart.setPoint({}, bad);
    chart.setPoint({}, synthetic::sweep_point(0, 10, 1)); // no logarithm of 0
    chart.setPoint({}, synthetic::sweep_point(128, 100, 5));
    chart.setCurrent(-5);
    chart.show();
    chart.grab();
    EXPECT_LE(chart.pointsDrawn(), 2u);
}

// A press where no item lies crashes a plain QChartView of this Qt (QTBUG-118669).
TEST(ThroughputChart, PressesAnywhereAreSafeAndPickTheNearestValue) {
    ThroughputChart chart(QStringLiteral("x"), SweepAxis::shift);
    chart.resize(400, 260);
    chart.setSeries({}, synthetic::shift_points(10));
    chart.show();
    chart.grab();
    QSignalSpy clicked(&chart, &ThroughputChart::valueClicked);
    auto* view = chart.findChild<GuardedChartView*>();
    ASSERT_NE(view, nullptr);
    for (int x = -20; x < view->width() + 20; x += 17)
        for (int y = -20; y < view->height() + 20; y += 23)
            QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(x, y));
    ASSERT_GT(clicked.count(), 0);
    std::set<int> values;
    for (const auto& call : clicked)
        values.insert(call[0].toInt());
    EXPECT_EQ(values.size(), 10u);
}

TEST(ThroughputChart, FollowsTheTheme) {
    ThroughputChart chart(QStringLiteral("x"), SweepAxis::shift);
    chart.resize(400, 260);
    chart.setSeries({}, synthetic::shift_points(10));
    chart.show();
    const auto corner = [&] { return QColor(chart.grab().toImage().pixel(200, 240)); };
    EXPECT_LT(luminance(corner()), 0.1);
    Theme::apply(*qApp, Theme::make(ThemeKind::light));
    EXPECT_GT(luminance(corner()), 0.8);
    Theme::apply(*qApp, Theme::make(ThemeKind::dark));
}
