// Laps of made-up programs: what is measured, and when.
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/experiment/lap_measurement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace tlbscope;

namespace {

// Laps of `work` that take `lap` cycles, more in the cold ones, and a tick of `cost` cycles every `period`.
class FakeLaps : public LapSource {
public:
    FakeLaps(std::uint64_t work, Cycles lap, Cycles period, Cycles cost, Cycles start)
        : work_(work), lap_(lap), period_(period), cost_(cost) {
        mark_.time = start;
        if (period > 0) next_ = (start / period + 1) * period;
    }

    bool next_lap(const std::atomic<bool>& cancel) override {
        if (cancel) return false;
        const Cycles cold = mark_.laps == 0 ? lap_ : 0;
        spend(Bucket::user, lap_);
        spend(Bucket::cache_miss, cold + lap_ / 10);
        mark_.stalls.data[3] += cold + lap_ / 10;
        while (period_ > 0 && mark_.time >= next_) {
            spend(Bucket::interrupt, cost_);
            spend(Bucket::cr3_load, cost_ / 2);
            spend(Bucket::page_walk, cost_ / 4);
            mark_.stalls.dtlb[1] += cost_ / 4;
            ++mark_.ticks;
            next_ += period_;
        }
        ++mark_.laps;
        mark_.work += work_;
        return true;
    }
    WorkMark mark() const override { return mark_; }
    Cycles next_tick() const override { return period_ > 0 ? next_ : mark_.time + 1'000'000; }
    Cycles tick_period() const override { return period_ > 0 ? period_ : 1'000'000; }

private:
    void spend(Bucket bucket, Cycles cycles) {
        mark_.buckets[static_cast<std::size_t>(bucket)] += cycles;
        mark_.time += cycles;
    }

    std::uint64_t work_;
    Cycles lap_, period_, cost_;
    Cycles next_ = 0;
    WorkMark mark_;
};

const std::atomic<bool> kNever{false};

LapMeasurement measure(std::uint64_t work, Cycles lap, Cycles period, Cycles cost, std::uint64_t wanted,
                       Cycles start = 0) {
    FakeLaps laps(work, lap, period, cost, start);
    const auto measured = measure_laps(laps, {wanted}, kNever);
    EXPECT_TRUE(measured);
    return *measured;
}

} // namespace

TEST(LapMeasurement, MeasuresTheSmallestNumberOfLapsThatDoTheWorkAndAtLeastTwo) {
    for (const std::uint64_t work : {1ull, 7ull, 999ull, 6094ull, 59999ull, 60000ull, 70000ull, 500000ull}) {
        const auto m = measure(work, static_cast<Cycles>(work) * 100, 2'500'000, 6000, 120000);
        const std::uint64_t laps = m.end.laps - m.begin.laps;
        EXPECT_EQ(laps, std::max<std::uint64_t>(2, (120000 + work - 1) / work)) << work;
        EXPECT_EQ(m.end.work - m.begin.work, laps * work);
        EXPECT_GE(m.begin.laps, 1u);
        EXPECT_GE(m.begin.ticks, 1u);
    }
}

TEST(LapMeasurement, TheWorkIsTheSameWhateverTheTicksAreAndCost) {
    for (const Cycles period : {250'000, 2'500'000, 25'000'000})
        for (const Cycles cost : {0, 5000, 50'000}) {
            const auto m = measure(6094, 600'000, period, cost, 120000);
            EXPECT_EQ(m.end.work - m.begin.work, 20u * 6094u);
        }
}

TEST(LapMeasurement, SeesATickHoweverRareTheyAre) {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const auto lap = static_cast<Cycles>(1000 + random.below(3'000'000));
        const auto period = static_cast<Cycles>(100'000 + random.below(50'000'000));
        const auto start = static_cast<Cycles>(random.below(static_cast<std::uint64_t>(period)));
        const auto m =
            measure(static_cast<std::uint64_t>(lap / 100), lap, period, period / 1000, 120000, start);
        const std::uint64_t ticks = m.end.ticks - m.begin.ticks;
        const double expected = static_cast<double>(m.end.time - m.begin.time) / static_cast<double>(period);
        EXPECT_GE(ticks, 1u) << lap << " " << period << " " << start << " " << m.begin.time << " "
                             << m.end.time;
        EXPECT_NEAR(static_cast<double>(ticks), expected, 1.0) << lap << " " << period << " " << start;
    }
}

TEST(LapMeasurement, DoesNotWaitForTicksThatNeverCome) {
    const auto m = measure(1000, 100'000, 0, 0, 50000);
    EXPECT_EQ(m.end.laps - m.begin.laps, 50u);
    EXPECT_EQ(m.standard_error(), 0);
}

TEST(LapMeasurement, TheErrorIsThatOfTheMeanOverBatches) {
    LapMeasurement m;
    EXPECT_EQ(m.standard_error(), 0);
    m.batches = {100};
    EXPECT_EQ(m.standard_error(), 0);
    m.batches = {90, 110};
    EXPECT_NEAR(m.standard_error(), 0.1, 1e-12);
    m.batches = {90, 110, 90, 110, 90, 110, 90, 110};
    EXPECT_NEAR(m.standard_error(), 10 * std::sqrt(8.0 / 7) / std::sqrt(8.0) / 100, 1e-12);
    // A tick now and then shows in it.
    const auto quiet = measure(6094, 600'000, 2'500'000, 0, 120000);
    const auto ticking = measure(6094, 600'000, 2'500'000, 60'000, 120000);
    EXPECT_EQ(quiet.batches.size(), 16u);
    EXPECT_LT(quiet.standard_error(), 1e-12);
    EXPECT_GT(ticking.standard_error(), 1e-3);
}

TEST(LapMeasurement, SharesSumToTheCyclesAndThroughputIsWorkOverTime) {
    const auto m = measure(1000, 123'457, 1'000'000, 7001, 50000);
    Scenario scenario;
    scenario.workload = "random-walk";
    const CurveRun run = curve_run(m, scenario, 1e9);
    EXPECT_EQ(std::accumulate(run.shares.begin(), run.shares.end(), Cycles{0}), run.cycles);
    EXPECT_EQ(run.work, 50000u);
    EXPECT_NEAR(run.throughput, 50000.0 / static_cast<double>(run.cycles) * 1e3, 1e-9);
    EXPECT_EQ(run.shares[static_cast<std::size_t>(CurveShare::tick)], static_cast<Cycles>(run.ticks) * 7001);
    EXPECT_EQ(run.shares[static_cast<std::size_t>(CurveShare::cr3)], static_cast<Cycles>(run.ticks) * 3500);
    EXPECT_EQ(run.shares[static_cast<std::size_t>(CurveShare::dtlb_l2)],
              static_cast<Cycles>(run.ticks) * 1750);
    EXPECT_EQ(run.shares[static_cast<std::size_t>(CurveShare::other)], 0);
}

TEST(LapMeasurement, HintCountsItsQuality) {
    Scenario scenario;
    scenario.workload = "hint-double";
    double before = 0;
    for (const int n : {10, 100, 1000}) {
        scenario.subintervals = n;
        const auto m = measure(static_cast<std::uint64_t>(n - 1), 100 * (n - 1), 1'000'000, 0, 50000);
        const CurveRun run = curve_run(m, scenario, 1e9);
        // Quality grows about as the number of subintervals, so QUIPS at equal cost stay about the same.
        if (before > 0) {
            EXPECT_NEAR(run.throughput / before, 1, 0.25);
        }
        before = run.throughput;
    }
}

TEST(LapMeasurement, CancelledIsNothing) {
    const std::atomic<bool> cancelled{true};
    FakeLaps laps(1000, 100'000, 1'000'000, 1000, 0);
    EXPECT_FALSE(measure_laps(laps, {}, cancelled));
}

TEST(LapMeasurement, RefusesLapsWithoutWork) {
    FakeLaps laps(0, 100'000, 1'000'000, 1000, 0);
    EXPECT_THROW(measure_laps(laps, {}, kNever), Error);
}

TEST(CurveShares, EveryCycleHasOneShare) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        BucketCycles buckets{};
        StallCycles stalls;
        for (Cycles& cycles : buckets)
            cycles = static_cast<Cycles>(random.below(1'000'000));
        buckets[static_cast<std::size_t>(Bucket::page_walk)] = 0;
        buckets[static_cast<std::size_t>(Bucket::cache_miss)] = 0;
        for (std::size_t level = 0; level < kMemoryLevels; ++level) {
            for (auto* walk : {&stalls.dtlb, &stalls.itlb}) {
                (*walk)[level] = static_cast<Cycles>(random.below(1'000'000));
                buckets[static_cast<std::size_t>(Bucket::page_walk)] += (*walk)[level];
            }
            if (level == 0) continue;
            stalls.data[level] = static_cast<Cycles>(random.below(1'000'000));
            buckets[static_cast<std::size_t>(Bucket::cache_miss)] += stalls.data[level];
        }
        const CurveShares shares = curve_shares(buckets, stalls);
        EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), Cycles{0}),
                  std::accumulate(buckets.begin(), buckets.end(), Cycles{0}));
    }
}
