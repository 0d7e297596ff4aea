#include "views/timeline/timeline_view.h"

#include "tests/views/synthetic.h"
#include "views/timeline/lane_painter.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>

using namespace tlbscope;
using synthetic::Spec;

TEST(TimeMap, IsItsOwnInverse) {
    synthetic::Random random{5};
    for (int i = 0; i < 1000; ++i) {
        const double begin = random.unit() * 1e15, width = 1 + random.unit() * 2000;
        const TimeMap map{begin, begin + 20 + random.unit() * 1e9, width};
        const double x = random.unit() * width;
        EXPECT_NEAR(map.x(map.time(x)), x, 1e-3 * width + 0.2);
        const TimeMap zoomed = map.zoomed(0.5 + random.unit(), x);
        EXPECT_NEAR(zoomed.time(x), map.time(x), map.ticksPerPixel() * 0.01 + 1); // stays under the pointer
        EXPECT_NEAR(map.moved(30).x(map.time(x)), x + 30, 0.5);
    }
}

TEST(TimeTicks, AreEvenInRangeApartAndDistinct) {
    synthetic::Random random{6};
    for (int i = 0; i < 500; ++i) {
        const double begin = random.unit() * std::pow(10, random.below(13)),
                     span = 30 * std::pow(10, random.below(9)) * (1 + random.unit());
        const TimeMap map{begin, begin + span, 900};
        const double hz = i % 3 == 0 ? 3.4e9 : i % 3 == 1 ? 1e9 : 0;
        const auto [ticks, base] = timeTicks(map, hz, 90);
        for (std::size_t k = 0; k < ticks.size(); ++k) {
            EXPECT_GE(ticks[k].ticks, map.begin - span * 1e-6);
            EXPECT_LE(ticks[k].ticks, map.end + span * 1e-6);
            if (k == 0) continue;
            EXPECT_GE(map.x(ticks[k].ticks) - map.x(ticks[k - 1].ticks), 89);
            EXPECT_NE(ticks[k].label, ticks[k - 1].label);
        }
        EXPECT_LE(ticks.size(), 11u);
    }
}

TEST(TimeTicks, KnownLabels) {
    const auto [ticks, base] = timeTicks({0, 100000, 1000}, 1e9, 90);
    ASSERT_EQ(ticks.size(), 11u);
    EXPECT_EQ(ticks[1].label, QStringLiteral("10 µs"));
    EXPECT_TRUE(base.isEmpty());
    const auto far = timeTicks({612189734000, 612189744000, 900}, 1e9, 90);
    EXPECT_FALSE(far.base.isEmpty());
    EXPECT_TRUE(far.ticks.front().label.startsWith(u'+'));
}

namespace {

LaneData lanes_of(std::vector<Span> spans) {
    LaneData data;
    data.lanes.push_back({0, std::move(spans)});
    return data;
}

Span span(std::int64_t begin, std::int64_t end, SpanKind kind) {
    Span s;
    s.begin = begin;
    s.end = end;
    s.kind = kind;
    return s;
}

} // namespace

// Against the plain definition: the weights of a pixel are the shares of time of each kind in it.
TEST(LanePainter, EqualsThePlainSumOverSpans) {
    const Theme theme = Theme::make(ThemeKind::dark);
    const LanePainter painter(theme);
    synthetic::Random random{9};
    for (int round = 0; round < 40; ++round) {
        std::vector<Span> spans;
        std::int64_t at = random.below(50);
        while (at < 4000) {
            const std::int64_t end = at + 1 + random.below(round % 2 ? 20 : 300);
            spans.push_back(span(at, end, static_cast<SpanKind>(random.below(10))));
            at = end + (random.below(4) == 0 ? random.below(60) : 0);
        }
        const TimeMap map{200, 3700, 160};
        QImage image(160, 6, QImage::Format_RGB32); // below 8 lines: no corners, no hatching
        painter.paint(image, 0, 6, lanes_of(spans), 0, map);
        for (int x = 0; x < 160; ++x) {
            LanePainter::Weights weights{};
            const double a = map.time(x), b = map.time(x + 1);
            double most = 0;
            for (const Span& s : spans) {
                const double share = (std::min(b, double(s.end)) - std::max(a, double(s.begin))) / (b - a);
                if (share > 0)
                    weights[static_cast<std::size_t>(s.kind)] += static_cast<float>(share),
                        most = std::max(most, share);
            }
            const QRgb expected = painter.blend(weights), got = image.pixel(x, 2);
            if (got == painter.ground()) continue; // hairline between two wide spans
            if (most > 0.9999) continue;           // full pixels: tested below
            EXPECT_NEAR(qRed(expected), qRed(got), 2) << "round " << round << " x " << x;
            EXPECT_NEAR(qGreen(expected), qGreen(got), 2) << "round " << round << " x " << x;
            EXPECT_NEAR(qBlue(expected), qBlue(got), 2) << "round " << round << " x " << x;
        }
    }
}

TEST(LanePainter, ShortFlushesNeverVanish) {
    const Theme theme = Theme::make(ThemeKind::dark);
    const LanePainter painter(theme);
    LanePainter::Weights calm{}, withFlush{};
    calm[static_cast<std::size_t>(SpanKind::user)] = 1;
    withFlush = calm;
    withFlush[static_cast<std::size_t>(SpanKind::flush)] = 0.001f;
    EXPECT_GT(qRed(painter.blend(withFlush)), qRed(painter.blend(calm)) + 25);
    QImage image(100, 12, QImage::Format_RGB32);
    painter.paint(image, 0, 12,
                  lanes_of({span(0, 5000, SpanKind::user), span(5000, 5001, SpanKind::flush),
                            span(5001, 10000, SpanKind::user)}),
                  0, {0, 10000, 100});
    bool seen = false;
    for (int x = 0; x < 100; ++x)
        seen |= qRed(image.pixel(x, 5)) > qRed(painter.blend(calm)) + 25;
    EXPECT_TRUE(seen);
}

TEST(OverviewIndex, CountsEveryEventOnceHoweverItGrows) {
    Spec spec;
    spec.events = 30000;
    const EventLog log = synthetic::log(spec);
    std::uint64_t flushes = 0;
    for (std::uint64_t i = log.first_index(); i < log.end_index(); ++i)
        flushes += log[i].kind == EventKind::tlb_flush;
    for (const std::uint64_t slice : {std::uint64_t{1} << 30, std::uint64_t{777}, std::uint64_t{256}}) {
        OverviewIndex index;
        while (!index.update(log, 1, slice)) {
        }
        std::uint64_t events = 0, found = 0;
        for (const auto& chunk : index.chunks())
            events += chunk.events, found += chunk.flushes;
        EXPECT_EQ(events, log.end_index() - log.first_index());
        EXPECT_EQ(found, flushes);
        // The means add up to the number of events.
        const double begin = double(log[log.first_index()].time),
                     end = double(log[log.end_index() - 1].time) + 1;
        double sum = 0;
        for (const auto& column : index.columns(begin, end, 500))
            sum += column.mean * (end - begin) / 500;
        EXPECT_NEAR(sum / double(events), 1, 0.02);
    }
}

TEST(LaneData, CoverageAgreesWithSpans) {
    Spec spec;
    spec.events = 70000; // more than kExactEvents
    LaneRequest request;
    request.log = synthetic::log(spec);
    request.cpus = 8;
    request.begin = double(request.log[0].time);
    request.end = double(request.log[request.log.end_index() - 1].time);
    const auto coverage = makeLaneData(request, std::atomic<bool>(false));
    ASSERT_FALSE(coverage->exact);
    const auto lanes = build_lanes(request.log, 8, request.log.first_index(), request.log.end_index());
    for (std::size_t lane = 0; lane < 4; ++lane) {
        std::array<double, kSpanKinds> exact{}, covered{};
        for (const Span& s : lanes[lane].spans)
            exact[static_cast<std::size_t>(s.kind)] += double(s.end - s.begin);
        for (std::size_t b = 0; b < coverage->coverage.buckets; ++b)
            for (std::size_t k = 0; k < kSpanKinds; ++k)
                covered[k] += coverage->coverage.shares[lane * coverage->coverage.buckets + b][k] / 255.0 *
                              coverage->coverage.bucketTicks;
        for (std::size_t k = 0; k < kSpanKinds; ++k)
            EXPECT_NEAR(covered[k], exact[k], (request.end - request.begin) * 0.01)
                << "lane " << lane << " kind " << k;
    }
    std::atomic<bool> cancelled = true;
    EXPECT_EQ(makeLaneData(request, cancelled), nullptr);
}

TEST(TimelineView, HiddenItComputesNothing) {
    TimelineView view;
    for (int i = 0; i < 5; ++i)
        view.setSnapshot(synthetic::snapshot({.seed = static_cast<std::uint64_t>(i + 1)}));
    EXPECT_EQ(view.spansMade(), 0);
    EXPECT_EQ(view.frames(), 0);
    view.resize(900, 330);
    view.show();
    view.grab();
    EXPECT_GT(view.spansMade(), 0);
    EXPECT_GT(view.frames(), 0);
}

TEST(TimelineView, ClickSeeksAndKeysStep) {
    TimelineView view;
    view.resize(900, 330);
    const auto snapshot = synthetic::snapshot({});
    view.setSnapshot(snapshot);
    view.show();
    view.grab();
    QSignalSpy seek(&view, &TimelineView::seekRequested), step(&view, &TimelineView::stepEventRequested),
        shootdown(&view, &TimelineView::stepShootdownRequested);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(500, 120));
    ASSERT_EQ(seek.count(), 1);
    EXPECT_GE(double(seek[0][0].toLongLong()), view.window().begin);
    EXPECT_LE(double(seek[0][0].toLongLong()), view.window().end);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
    ASSERT_EQ(step.count(), 1);
    EXPECT_EQ(step[0][0].toInt(), 1);
    ASSERT_EQ(shootdown.count(), 1);
    EXPECT_EQ(shootdown[0][0].toInt(), -1);
    // A drag moves the window and seeks nowhere.
    const TimeMap before = view.window();
    QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(500, 120));
    QTest::mouseMove(&view, QPoint(560, 120));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(560, 120));
    EXPECT_LT(view.window().begin, before.begin);
    EXPECT_NEAR(view.window().span(), before.span(), before.span() * 1e-9);
    EXPECT_EQ(seek.count(), 1);
}

TEST(TimelineView, OddSnapshotsDoNoHarm) {
    TimelineView view;
    view.resize(700, 200);
    view.show();
    view.setSnapshot(nullptr);
    view.grab();
    auto empty = std::make_shared<Snapshot>();
    view.setSnapshot(empty); // no machine, no log
    view.grab();
    Spec spec;
    spec.events = 1;
    view.setSnapshot(synthetic::snapshot(spec));
    view.setWindow(1e300, -1e300);
    view.setWindow(std::nan(""), 5);
    view.showAll();
    view.grab();
    spec.topology = {8, 64, 2};
    spec.seed = 9;
    spec.events = 3000;
    view.setSnapshot(synthetic::snapshot(spec));
    view.showAll();
    view.grab();
}
