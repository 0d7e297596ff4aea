#include "engine/core/error.h"
#include "engine/experiment/statistics.h"
#include "engine/experiment/sweep.h"
#include "engine/experiment/sweep_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

using namespace tlbscope;

namespace {

SweepSpec some_spec() {
    SweepSpec spec;
    spec.axis = SweepAxis::shift;
    spec.values = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    spec.seeds = 5;
    return spec;
}

// A made-up machine: every figure differs by value and seed, nothing takes time.
std::optional<Measurement> made_up(const Scenario& scenario, const std::atomic<bool>& cancel) {
    if (cancel) return std::nullopt;
    Measurement m;
    const auto mixed =
        (scenario.seed * 2654435761u + static_cast<std::uint64_t>(scenario.shift + 2) * 40503u) % 9973u;
    m.records_per_second = 1000.0 + static_cast<double>(mixed);
    m.flushes_per_second = static_cast<double>(mixed % 101);
    m.buckets[0] = static_cast<Cycles>(mixed);
    return m;
}

// Collects what a SweepRunner delivers and waits for the end of one sweep.
class Inbox {
public:
    SweepRunner::Callback callback() {
        return [this](std::uint64_t id, const SweepPoint& point, double progress) {
            const std::lock_guard lock(mutex_);
            last_[id][point.value] = point;
            progress_[id].push_back(progress);
            changed_.notify_all();
        };
    }
    std::map<int, SweepPoint> wait_for_all(std::uint64_t id) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !progress_[id].empty() && progress_[id].back() >= 1; });
        return last_[id];
    }
    std::vector<double> progress(std::uint64_t id) {
        const std::lock_guard lock(mutex_);
        return progress_[id];
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, std::map<int, SweepPoint>> last_;
    std::map<std::uint64_t, std::vector<double>> progress_;
};

std::map<int, SweepPoint> single_threaded(const SweepSpec& spec) {
    std::map<int, SweepPoint> last;
    const std::atomic<bool> never{false};
    run_sweep(spec, made_up, never, [&](const SweepPoint& point, double) { last[point.value] = point; });
    return last;
}

} // namespace

TEST(Sweep, CoarseToFineVisitsEveryIndexOnceAndHalvesTheLargestGap) {
    for (std::size_t count = 0; count <= 130; ++count) {
        const auto order = coarse_to_fine(count);
        ASSERT_EQ(order.size(), count);
        EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), count);
        EXPECT_TRUE(std::all_of(order.begin(), order.end(), [&](std::size_t i) { return i < count; }));
        if (count < 2) continue;
        EXPECT_EQ(order[0], 0u);
        EXPECT_EQ(order[1], count - 1);
        std::set<std::size_t> seen(order.begin(), order.begin() + 2);
        std::size_t next = 2;
        for (std::size_t parts = 2; next < count; parts *= 2) {
            for (std::size_t i = 0; i < parts / 2 && next < count; ++i)
                seen.insert(order[next++]);
            if (next == count) break;
            std::size_t gap = 0;
            for (auto it = std::next(seen.begin()); it != seen.end(); ++it)
                gap = std::max(gap, *it - *std::prev(it));
            EXPECT_LE(gap, (count - 1 + parts - 1) / parts) << count << " values after " << next;
        }
    }
}

TEST(Sweep, QuantilesLieBetweenTheSamplesAndGrowWithQ) {
    EXPECT_EQ(quantile({}, 0.5), 0);
    EXPECT_EQ(quantile({4}, 0.05), 4);
    EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
    EXPECT_EQ(quantile({1, 2}, 0.5), 1.5);
    const std::vector<double> samples{9, 2, 2, 7, 5, 1, 8};
    double before = 1;
    for (double q = 0; q <= 1.0; q += 0.01) {
        const double now = quantile(samples, q);
        EXPECT_GE(now, before);
        EXPECT_LE(now, 9);
        before = now;
    }
    EXPECT_EQ(quantile(samples, 1), 9);
}

TEST(Sweep, AxisNamesReadBack) {
    for (const SweepAxis axis : {SweepAxis::shift, SweepAxis::working_set_pages, SweepAxis::threads,
                                 SweepAxis::flush_pages, SweepAxis::ceiling})
        EXPECT_EQ(parse_sweep_axis(to_string(axis)), axis);
    EXPECT_THROW(parse_sweep_axis("shifts"), Error);
}

TEST(Sweep, TheAxisChangesItsOwnFieldOnly) {
    const Scenario base;
    EXPECT_EQ(with_value(base, SweepAxis::shift, 4).shift, 4);
    EXPECT_EQ(with_value(base, SweepAxis::ceiling, 5).ceiling, 5);
    EXPECT_EQ(with_value(base, SweepAxis::threads, 6).threads, 6);
    EXPECT_EQ(with_value(base, SweepAxis::flush_pages, 7).flush_pages, 7);
    EXPECT_EQ(with_value(base, SweepAxis::working_set_pages, 8).working_set_pages, 8);
    Scenario back = with_value(base, SweepAxis::threads, 6);
    back.threads = base.threads;
    EXPECT_EQ(back, base);
}

TEST(Sweep, EveryValueGetsEverySeedAndTheFirstSeedComesFirst) {
    const SweepSpec spec = some_spec();
    std::map<int, int> times;
    std::vector<double> progress;
    std::size_t delivered = 0;
    const std::atomic<bool> never{false};
    run_sweep(spec, made_up, never, [&](const SweepPoint& point, double share) {
        EXPECT_EQ(point.seeds, ++times[point.value]);
        EXPECT_LE(point.low, point.median);
        EXPECT_LE(point.median, point.high);
        if (++delivered == spec.values.size()) {
            EXPECT_EQ(times.size(), spec.values.size());
        }
        progress.push_back(share);
    });
    EXPECT_EQ(delivered, spec.values.size() * 5);
    EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
    EXPECT_EQ(progress.back(), 1);
}

TEST(Sweep, PooledSweepsGiveTheSamePointsAsASingleThread) {
    const SweepSpec spec = some_spec();
    const auto expected = single_threaded(spec);
    for (const int threads : {1, 2, 4}) {
        Inbox inbox;
        SweepRunner runner([](const SweepSpec&) -> Measure { return made_up; }, inbox.callback(), threads);
        const std::uint64_t id = runner.start(spec, 0);
        EXPECT_EQ(inbox.wait_for_all(id), expected) << threads << " threads";
        const auto progress = inbox.progress(id);
        EXPECT_EQ(progress.size(), spec.values.size() * 5);
        EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
    }
}

TEST(Sweep, SlotsDoNotCancelOneAnother) {
    Inbox inbox;
    SweepRunner runner([](const SweepSpec&) -> Measure { return made_up; }, inbox.callback(), 2);
    SweepSpec other = some_spec();
    other.axis = SweepAxis::threads;
    other.values = {1, 2, 4, 8};
    const auto first = runner.start(some_spec(), 0);
    const auto second = runner.start(other, 1);
    EXPECT_NE(first, second);
    EXPECT_EQ(inbox.wait_for_all(first).size(), 10u);
    EXPECT_EQ(inbox.wait_for_all(second).size(), 4u);
}

// Many restarts in a row: once start() has returned, the ids before it are silent.
TEST(Sweep, NothingOfAnEarlierSweepIsDeliveredAfterARestart) {
    std::atomic<std::uint64_t> newest{0};
    std::atomic<int> stale{0};
    SweepRunner runner([](const SweepSpec&) -> Measure { return made_up; },
                       [&](std::uint64_t id, const SweepPoint&, double) {
                           if (id < newest) ++stale;
                       },
                       3);
    for (int i = 0; i < 2000; ++i)
        newest = runner.start(some_spec(), 0);
    EXPECT_EQ(stale, 0);
}

TEST(Sweep, CancelSilencesASweepWhoseJobsAreStillRunning) {
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
    std::atomic<int> delivered{0};
    {
        SweepRunner runner(
            [&](const SweepSpec&) -> Measure {
                return [&](const Scenario& scenario, const std::atomic<bool>& cancel) {
                    std::unique_lock lock(mutex);
                    ++running;
                    changed.notify_all();
                    changed.wait(lock, [&] { return cancel.load(); });
                    return made_up(scenario, std::atomic<bool>{false}); // a result that comes too late
                };
            },
            [&](std::uint64_t, const SweepPoint&, double) { ++delivered; }, 2);
        runner.start(some_spec(), 3);
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return running == 2; });
        }
        runner.cancel(3);
        const std::lock_guard lock(mutex);
        changed.notify_all();
    }
    EXPECT_EQ(delivered, 0);
    EXPECT_EQ(running, 2);
}

TEST(Sweep, TheCallbackMayRestart) {
    std::atomic<int> left{20};
    std::mutex mutex;
    std::condition_variable changed;
    SweepRunner* self = nullptr;
    SweepRunner runner([](const SweepSpec&) -> Measure { return made_up; },
                       [&](std::uint64_t, const SweepPoint&, double) {
                           const std::lock_guard lock(mutex);
                           if (left > 0 && --left > 0) self->start(some_spec(), 0);
                           changed.notify_all();
                       },
                       2);
    self = &runner;
    runner.start(some_spec(), 0);
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return left == 0; });
}

TEST(Sweep, ABadSpecificationIsNamedAndLeavesTheRunningSweepAlone) {
    Inbox inbox;
    SweepRunner runner([](const SweepSpec&) -> Measure { return made_up; }, inbox.callback(), 1);
    const std::uint64_t good = runner.start(some_spec(), 0);
    SweepSpec bad = some_spec();
    bad.values = {1, 99};
    EXPECT_THROW(runner.start(bad, 0), Error);
    bad = some_spec();
    bad.values.clear();
    EXPECT_THROW(runner.start(bad, 0), Error);
    bad = some_spec();
    bad.seeds = 0;
    EXPECT_THROW(runner.start(bad, 0), Error);
    bad = some_spec();
    bad.measure_seconds = 0;
    EXPECT_THROW(runner.start(bad, 0), Error);
    EXPECT_EQ(inbox.wait_for_all(good).size(), 10u);
}

// A job that fails leaves its seed out; all the others arrive, and the end is announced.
TEST(Sweep, AJobThatThrowsDoesNotStopTheSweep) {
    Inbox inbox;
    SweepRunner runner(
        [](const SweepSpec&) -> Measure {
            return [](const Scenario& scenario, const std::atomic<bool>& cancel) {
                if (scenario.shift == 3 || scenario.seed == some_spec().base.seed + 4) throw std::bad_alloc();
                return made_up(scenario, cancel);
            };
        },
        inbox.callback(), 2);
    const auto points = inbox.wait_for_all(runner.start(some_spec(), 0));
    ASSERT_EQ(points.size(), 10u);
    for (const auto& [value, point] : points)
        EXPECT_EQ(point.seeds, value == 3 ? 0 : 4) << value;
}
