#include "engine/core/error.h"
#include "engine/experiment/run_report.h"
#include "engine/experiment/simulate.h"
#include "engine/experiment/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <condition_variable>
#include <latch>
#include <map>
#include <mutex>
#include <numeric>

using namespace tlbscope;

namespace {

std::shared_ptr<const ProcessorSpec> processor_of(const Scenario& scenario) {
    return load_processor(TLBSCOPE_RESOURCES, scenario.processor);
}

const std::atomic<bool> kNever{false};
constexpr RunLength kShort{0.0005, 0.002};

std::vector<Scenario> scenarios() {
    std::vector<Scenario> all;
    for (const char* processor : {"ivybridge-i7-3770", "teaching", "zen3"})
        for (const char* workload : {"ebizzy", "mummap"})
            for (const int threads : {1, 3, 9}) {
                Scenario s;
                s.processor = processor;
                s.workload = workload;
                s.threads = threads;
                s.flush_pages = 40;
                all.push_back(s);
            }
    return all;
}

Cycles sum(const BucketCycles& buckets) {
    return std::accumulate(buckets.begin(), buckets.end(), Cycles{0});
}

} // namespace

TEST(RunReport, BucketsSumToElapsedTimeOfAllCpus) {
    for (const Scenario& s : scenarios()) {
        SCOPED_TRACE(s.processor + " " + s.workload + " " + std::to_string(s.threads));
        const RunReport report = run_scenario(s, processor_of(s), kShort, kNever);
        EXPECT_TRUE(report.complete);
        EXPECT_EQ(report.warmup, std::llround(kShort.warmup_seconds * report.hz));
        EXPECT_EQ(report.cycles, std::llround(kShort.measure_seconds * report.hz));
        EXPECT_EQ(sum(report.buckets), report.cpus * report.cycles);
        for (const Cycles cycles : report.buckets)
            EXPECT_GE(cycles, 0);
        EXPECT_EQ(report.mmu.accesses,
                  report.mmu.l1_hits + report.mmu.stlb_hits + report.mmu.walks + report.mmu.faults);
        EXPECT_EQ(report.mmu.stale_uses, 0u);
        EXPECT_GT(report.records, 0u);
        EXPECT_GT(report.full_decisions + report.range_decisions, 0u);
        EXPECT_FALSE(report.latest_decision.empty());
    }
}

// Running in slices whose length the clock of this machine decides changes nothing.
TEST(RunReport, SlicesDoNotShow) {
    for (const Scenario& s : scenarios()) {
        SCOPED_TRACE(s.processor + " " + s.workload + " " + std::to_string(s.threads));
        const auto processor = processor_of(s);
        const RunReport report = run_scenario(s, processor, kShort, kNever);
        Simulation whole(s, processor);
        whole.run_until(report.warmup);
        const std::uint64_t records_before = whole.records();
        whole.run_until(report.warmup + report.cycles);
        EXPECT_EQ(report.event_hash, whole.event_hash());
        EXPECT_EQ(report.records, whole.records() - records_before);
    }
}

TEST(RunReport, WarmUpIsLeftOut) {
    const Scenario s;
    const auto processor = processor_of(s);
    const RunReport all = run_scenario(s, processor, {0, 0.004}, kNever);
    const RunReport first = run_scenario(s, processor, {0, 0.001}, kNever);
    const RunReport rest = run_scenario(s, processor, {0.001, 0.003}, kNever);
    EXPECT_EQ(all.event_hash, rest.event_hash);
    EXPECT_EQ(all.records, first.records + rest.records);
    EXPECT_EQ(all.mmu.accesses, first.mmu.accesses + rest.mmu.accesses);
    EXPECT_EQ(all.vmstat.ipis_sent, first.vmstat.ipis_sent + rest.vmstat.ipis_sent);
    EXPECT_EQ(all.full_decisions + all.range_decisions,
              first.full_decisions + first.range_decisions + rest.full_decisions + rest.range_decisions);
    for (std::size_t b = 0; b < kBuckets; ++b)
        EXPECT_EQ(all.buckets[b], first.buckets[b] + rest.buckets[b]) << to_string(static_cast<Bucket>(b));
}

TEST(RunReport, ProgressGrowsToTheEnd) {
    const Scenario s;
    std::vector<double> shares;
    run_scenario(s, processor_of(s), kShort, kNever, [&](double share) { shares.push_back(share); });
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), 1);
}

TEST(RunReport, ACancelledRunReportsWhatItDid) {
    const Scenario s;
    std::atomic<bool> cancel{false};
    const RunReport report =
        run_scenario(s, processor_of(s), {0.0, 3600}, cancel, [&](double share) { cancel = share > 1e-7; });
    EXPECT_FALSE(report.complete);
    EXPECT_GT(report.cycles, 0);
    EXPECT_EQ(sum(report.buckets), report.cpus * report.cycles);
}

// Hours of simulated time: this test ends because cancel() is heard by a simulation that runs.
TEST(RunReport, RunningSimulationsEndWhenTheirSweepIsCancelled) {
    SweepSpec spec;
    spec.values = {1, 2};
    spec.measure_seconds = 3600;
    std::latch both_run{2};
    std::atomic<int> delivered{0};
    {
        SweepRunner runner(
            [&](const SweepSpec& s) -> Measure {
                return [&, measure = simulate_measure(s, TLBSCOPE_RESOURCES)](
                           const Scenario& scenario, const std::atomic<bool>& cancel) {
                    both_run.count_down();
                    return measure(scenario, cancel);
                };
            },
            [&](std::uint64_t, const SweepPoint&, double) { ++delivered; }, 2);
        runner.start(spec, 0);
        both_run.wait();
    }
    EXPECT_EQ(delivered, 0);
}

TEST(RunReport, PooledSweepsGiveTheSamePointsAsASingleThread) {
    SweepSpec spec;
    spec.base.threads = 2;
    spec.values = {-1, 1, 2};
    spec.seeds = 2;
    spec.warmup_seconds = 0.0005;
    spec.measure_seconds = 0.002;
    std::map<int, SweepPoint> single, pooled;
    run_sweep(spec, std::string(TLBSCOPE_RESOURCES), kNever,
              [&](const SweepPoint& point, double) { single[point.value] = point; });
    EXPECT_EQ(single.size(), 3u);
    std::mutex mutex;
    std::condition_variable changed;
    double progress = 0;
    SweepRunner runner(
        std::string(TLBSCOPE_RESOURCES),
        [&](std::uint64_t, const SweepPoint& point, double share) {
            const std::lock_guard lock(mutex);
            pooled[point.value] = point;
            progress = share;
            changed.notify_one();
        },
        3);
    runner.start(spec, 0);
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return progress >= 1; });
    EXPECT_EQ(pooled, single);
}

TEST(RunReport, AnUnknownProcessorIsAnErrorAtOnce) {
    SweepSpec spec;
    spec.base.processor = "pentium";
    spec.values = {1};
    SweepRunner runner(
        std::string(TLBSCOPE_RESOURCES), [](std::uint64_t, const SweepPoint&, double) {}, 1);
    EXPECT_THROW(runner.start(spec, 0), Error);
}
