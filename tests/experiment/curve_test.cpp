// Points of an axis, the order of runs, and figures made on one thread and on many.
#include "engine/core/error.h"
#include "engine/experiment/curve.h"
#include "engine/experiment/curve_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

using namespace tlbscope;

namespace {

CurveSpec some_spec() {
    CurveSpec spec;
    for (const char* split : {"3:1", "4:4"})
        for (const int hz : {100, 1000}) {
            CurveVariant variant{std::string(split) + ", " + std::to_string(hz), {}};
            variant.scenario.workload = "hint-double";
            variant.scenario.split = split;
            variant.scenario.hz = hz;
            spec.variants.push_back(variant);
        }
    spec.subintervals = {1000, 2000, 3000, 4000, 5000, 6000, 7000};
    spec.seeds = 4;
    return spec;
}

// A made-up machine: every figure differs, nothing takes time.
bool made_up(const Scenario& s, const CurveRunLimits& limits, const std::atomic<bool>& cancel,
             CurveRun& out) {
    if (cancel) return false;
    const auto mixed = (s.seed * 2654435761u + static_cast<std::uint64_t>(s.subintervals) * 40503u +
                        static_cast<std::uint64_t>(s.hz) * 7u + s.split.size()) %
                       9973u;
    out = {};
    out.work = limits.work;
    out.throughput = 1000.0 + static_cast<double>(mixed);
    out.standard_error = static_cast<double>(mixed % 13) / 1000;
    return true;
}

using Key = std::pair<std::size_t, int>;

std::map<Key, CurvePoint> final_points(const CurveSpec& spec, int threads) {
    std::map<Key, CurvePoint> points;
    const std::atomic<bool> never{false};
    run_curve(
        spec, made_up, never,
        [&](const CurvePoint& point, const CurveProgress&) {
            CurvePoint& held = points[{point.variant, point.subintervals}];
            if (point.seeds > held.seeds) held = point;
        },
        threads);
    return points;
}

class Inbox {
public:
    CurveRunner::Callback callback() {
        return [this](std::uint64_t id, const CurvePoint& point, const CurveProgress& progress) {
            const std::lock_guard lock(mutex_);
            ++calls_[id];
            points_[id][{point.variant, point.subintervals}] = point;
            progress_[id] = progress;
            changed_.notify_all();
        };
    }
    std::map<Key, CurvePoint> wait_for_all(std::uint64_t id) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock,
                      [&] { return progress_[id].total > 0 && progress_[id].done == progress_[id].total; });
        return points_[id];
    }
    void wait_for_first(std::uint64_t id) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return calls_[id] > 0; });
    }
    std::size_t calls(std::uint64_t id) {
        const std::lock_guard lock(mutex_);
        return calls_[id];
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, std::size_t> calls_;
    std::map<std::uint64_t, std::map<Key, CurvePoint>> points_;
    std::map<std::uint64_t, CurveProgress> progress_;
};

} // namespace

TEST(CurveAxis, HintsPointsAreThoseOfTheBenchmark) {
    // n from 2 by 1.1, on the axis of 84 bytes a subinterval, in KiB.
    std::vector<int> axis;
    for (const int n : hint_points(185 * 1024, 720 * 1024, 1.1))
        axis.push_back(static_cast<int>(std::lround(n * 84 / 1024.0)));
    EXPECT_EQ(axis,
              (std::vector<int>{188, 206, 227, 249, 274, 302, 332, 365, 402, 442, 486, 534, 588, 646, 711}));
    // From the very beginning every n is a point until a tenth of it is one.
    const auto all = hint_points(1, 2000, 1.1);
    EXPECT_EQ(std::vector<int>(all.begin(), all.begin() + 4), (std::vector<int>{2, 3, 4, 5}));
}

TEST(CurveAxis, LogarithmicPointsAscendEvenlyWithinTheSpan) {
    for (const char* workload : {"hint-double", "hint-int", "random-walk"}) {
        const CurveAxis axis = curve_axis(workload);
        for (const int count : {1, 2, 3, 24, 100}) {
            const auto points = log_points(100e3, 1e6, count, workload);
            ASSERT_FALSE(points.empty());
            EXPECT_LE(points.size(), static_cast<std::size_t>(count));
            EXPECT_EQ(points.front(), std::lround(100e3 / axis.bytes));
            for (std::size_t i = 1; i < points.size(); ++i)
                EXPECT_GT(points[i], points[i - 1]);
            if (count > 1) {
                EXPECT_EQ(points.back(), std::lround(1e6 / axis.bytes));
            }
            if (points.size() == 24) {
                EXPECT_NEAR(static_cast<double>(points[12]) / points[11], std::pow(10.0, 1.0 / 23),
                            1.5 / points[11]);
            }
        }
    }
}

TEST(CurveAxis, RefusesWhatIsNone) {
    EXPECT_THROW(hint_points(0, 1e6, 1.1), Error);
    EXPECT_THROW(hint_points(1e6, 1e5, 1.1), Error);
    EXPECT_THROW(hint_points(1e5, 1e6, 1.001), Error);
    EXPECT_THROW(hint_points(1e5, 1e6, std::nan("")), Error);
    EXPECT_THROW(hint_points(std::nan(""), 1e6, 1.1), Error);
    EXPECT_THROW(hint_points(100001, 100002, 1.1), Error);
    EXPECT_THROW(log_points(1e5, 1e6, 0), Error);
    EXPECT_THROW(log_points(1e5, 1e6, 100000), Error);
    EXPECT_THROW(log_points(1e12, 1e13, 5), Error);
    EXPECT_THROW(curve_axis("ebizzy"), Error);
    EXPECT_THROW(curve_axis("spin"), Error);
}

TEST(Curve, EveryVariantsCoarsePointsComeFirstThenFurtherSeeds) {
    const CurveSpec spec = some_spec();
    const CurveResults results(spec);
    ASSERT_EQ(results.jobs(), 4u * 7u * 4u);
    // All variants at both ends before anything else.
    std::set<std::pair<std::string, int>> first;
    for (std::size_t job = 0; job < 8; ++job)
        first.emplace(results.scenario(job).split + std::to_string(results.scenario(job).hz),
                      results.scenario(job).subintervals);
    EXPECT_EQ(first.size(), 8u);
    for (const auto& [variant, size] : first)
        EXPECT_TRUE(size == 1000 || size == 7000);
    std::set<std::string> seen;
    for (std::size_t job = 0; job < results.jobs(); ++job) {
        const Scenario s = results.scenario(job);
        EXPECT_EQ(s.seed, spec.variants[0].scenario.seed + job / 28);
        seen.insert(s.split + " " + std::to_string(s.hz) + " " + std::to_string(s.subintervals) + " " +
                    std::to_string(s.seed));
    }
    EXPECT_EQ(seen.size(), results.jobs());
}

TEST(Curve, TheSameFigureFromAnyNumberOfThreads) {
    const CurveSpec spec = some_spec();
    const auto one = final_points(spec, 1);
    ASSERT_EQ(one.size(), 28u);
    for (const auto& [key, point] : one) {
        EXPECT_EQ(point.seeds, 4);
        EXPECT_LE(point.low, point.median);
        EXPECT_LE(point.median, point.high);
        EXPECT_LT(point.low, point.high);
        EXPECT_EQ(point.working_set, 84.0 * point.subintervals);
        EXPECT_EQ(point.touched, 96.0 * point.subintervals);
    }
    for (const int threads : {2, 3, 7})
        EXPECT_EQ(final_points(spec, threads), one);
}

TEST(Curve, ProgressCountsEveryRunAndCallsComeOneAtATime) {
    const CurveSpec spec = some_spec();
    const std::atomic<bool> never{false};
    std::atomic<int> inside{0};
    std::size_t calls = 0;
    run_curve(
        spec, made_up, never,
        [&](const CurvePoint&, const CurveProgress& progress) {
            EXPECT_EQ(++inside, 1);
            EXPECT_EQ(progress.done, ++calls);
            EXPECT_EQ(progress.total, 112u);
            --inside;
        },
        4);
    EXPECT_EQ(calls, 112u);
}

TEST(Curve, CancelEndsItAndNothingIsDeliveredAfter) {
    std::atomic<bool> cancel{false};
    std::size_t calls = 0;
    run_curve(
        some_spec(), made_up, cancel,
        [&](const CurvePoint&, const CurveProgress&) {
            if (++calls == 5) cancel = true;
        },
        3);
    EXPECT_EQ(calls, 5u);
}

TEST(Curve, WhatARunThrowsComesOut) {
    const std::atomic<bool> never{false};
    for (const int threads : {1, 4}) {
        std::atomic<int> runs{0};
        const auto measure = [&](const Scenario& s, const CurveRunLimits& limits,
                                 const std::atomic<bool>& cancel, CurveRun& out) {
            if (++runs == 6) throw std::runtime_error("no memory");
            return made_up(s, limits, cancel, out);
        };
        EXPECT_THROW(
            run_curve(
                some_spec(), measure, never, [](const CurvePoint&, const CurveProgress&) {}, threads),
            std::runtime_error);
        if (threads == 1) {
            EXPECT_EQ(runs, 6);
        }
    }
}

TEST(Curve, RefusesABadFigure) {
    const std::atomic<bool> never{false};
    const auto refused = [&](auto&& change) {
        CurveSpec spec = some_spec();
        change(spec);
        EXPECT_THROW(run_curve(spec, made_up, never, [](const CurvePoint&, const CurveProgress&) {}), Error);
    };
    refused([](CurveSpec& s) { s.variants.clear(); });
    refused([](CurveSpec& s) { s.subintervals.clear(); });
    refused([](CurveSpec& s) { s.subintervals = {2000, 1000}; });
    refused([](CurveSpec& s) { s.subintervals = {1}; });
    refused([](CurveSpec& s) { s.subintervals = {2, 3000000}; });
    refused([](CurveSpec& s) { s.seeds = 0; });
    refused([](CurveSpec& s) { s.seeds = 1001; });
    refused([](CurveSpec& s) { s.work = 0; });
    refused([](CurveSpec& s) { s.variants[1].scenario.workload = "ebizzy"; });
    refused([](CurveSpec& s) { s.variants[1].scenario.workload = "random-walk"; });
    refused([](CurveSpec& s) { s.variants[2].scenario.hz = 1; });
}

TEST(CurveRunner, DeliversWhatTheSameThreadWouldHaveFound) {
    Inbox inbox;
    CurveRunner runner([](const CurveSpec&) { return CurveMeasure(made_up); }, inbox.callback(), 3);
    const CurveSpec spec = some_spec();
    const std::uint64_t id = runner.start(spec);
    EXPECT_NE(id, 0u);
    EXPECT_EQ(inbox.wait_for_all(id), final_points(spec, 1));
}

TEST(CurveRunner, NothingOfACancelledFigureFollows) {
    Inbox inbox;
    // Runs until cancelled, apart from the first of each figure.
    const auto factory = [](const CurveSpec&) {
        auto runs = std::make_shared<std::atomic<int>>(0);
        return CurveMeasure([runs](const Scenario& s, const CurveRunLimits& limits,
                                   const std::atomic<bool>& cancel, CurveRun& out) {
            if ((*runs)++ > 0)
                while (!cancel)
                    std::this_thread::yield();
            return made_up(s, limits, cancel, out);
        });
    };
    CurveRunner runner(factory, inbox.callback(), 2);
    std::uint64_t last = 0;
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t id = runner.start(some_spec());
        EXPECT_GT(id, last);
        if (last != 0) {
            const std::size_t before = inbox.calls(last);
            inbox.wait_for_first(id);
            EXPECT_EQ(inbox.calls(last), before);
        }
        inbox.wait_for_first(id);
        last = id;
    }
    runner.cancel();
    EXPECT_EQ(inbox.calls(last), 1u);
}

TEST(CurveRunner, ABadSpecLeavesTheRunningFigureAlone) {
    Inbox inbox;
    CurveRunner runner([](const CurveSpec&) { return CurveMeasure(made_up); }, inbox.callback(), 1);
    const std::uint64_t id = runner.start(some_spec());
    CurveSpec bad = some_spec();
    bad.seeds = 0;
    EXPECT_THROW(runner.start(bad), Error);
    EXPECT_EQ(inbox.wait_for_all(id).size(), 28u);
}

TEST(CurveRunner, AFailedRunLeavesItsPointWithoutThatSeed) {
    Inbox inbox;
    const auto factory = [](const CurveSpec&) {
        return CurveMeasure([](const Scenario& s, const CurveRunLimits& limits,
                               const std::atomic<bool>& cancel, CurveRun& out) {
            if (s.subintervals == 3000 && s.seed == 8) throw std::runtime_error("no memory");
            return made_up(s, limits, cancel, out);
        });
    };
    CurveRunner runner(factory, inbox.callback(), 2);
    for (const auto& [key, point] : inbox.wait_for_all(runner.start(some_spec())))
        EXPECT_EQ(point.seeds, point.subintervals == 3000 ? 3 : 4);
}
