// The split of a difference, on made-up runs and on the simulation.
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/experiment/attribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

using namespace tlbscope;

namespace {

const std::atomic<bool> kNever{false};

Scenario scenario(const char* split, const char* placement, int hz = 1000) {
    Scenario s;
    s.processor = "xeon-2.5-512k";
    s.workload = "hint-double";
    s.split = split;
    s.placement = placement;
    s.hz = hz;
    return s;
}

// Random shares, the same for the same scenario.
bool made_up(const Scenario& s, const CurveRunLimits& limits, const std::atomic<bool>& cancel,
             CurveRun& out) {
    if (cancel) return false;
    std::uint64_t seed = s.seed * 1000003 + static_cast<std::uint64_t>(s.hz);
    for (const char c : s.split + "|" + s.placement)
        seed = seed * 131 + static_cast<unsigned char>(c);
    Random random(seed);
    out = {};
    out.work = limits.work;
    for (Cycles& cycles : out.shares)
        cycles = static_cast<Cycles>(random.below(10'000'000));
    out.cycles = std::accumulate(out.shares.begin(), out.shares.end(), Cycles{0});
    out.ticks = random.below(20);
    out.mmu.walks = random.below(10000);
    return true;
}

void expect_exact(const Attribution& a) {
    EXPECT_EQ(std::accumulate(a.parts.begin(), a.parts.end(), Cycles{0}), a.cycles_b - a.cycles_a);
    double sum = 0;
    for (std::size_t part = 0; part < kAttributionParts; ++part)
        sum += a.loss(static_cast<AttributionPart>(part));
    EXPECT_NEAR(sum, a.loss(), 1e-12);
}

} // namespace

TEST(Attribution, PartsSumToTheDifferenceWhateverTheRunsAre) {
    std::uint64_t seed = 0;
    for (int i = 0; i < 500; ++i) {
        Scenario s = scenario("3:1", "random");
        CurveRun runs[3];
        for (CurveRun& run : runs) {
            s.seed = ++seed;
            made_up(s, {}, kNever, run);
        }
        expect_exact(attribute_runs(runs[0], runs[1], runs[2]));
        const Attribution same = attribute_runs(runs[0], runs[0], runs[0]);
        EXPECT_EQ(same.loss(), 0);
        EXPECT_TRUE(std::all_of(same.parts.begin(), same.parts.end(), [](Cycles c) { return c == 0; }));
    }
}

TEST(Attribution, RefusesRunsOfUnequalWork) {
    CurveRun a, b;
    a.work = 5;
    b.work = 6;
    EXPECT_THROW(attribute_runs(a, b, b), Error);
    EXPECT_THROW(attribute_runs(a, a, b), Error);
}

TEST(Attribution, TheThirdRunHasTheOthersKernelOnTheFirstsPlacement) {
    std::mutex mutex;
    std::set<std::string> runs;
    const auto measure = [&](const Scenario& s, const CurveRunLimits& limits, const std::atomic<bool>& cancel,
                             CurveRun& out) {
        const std::lock_guard lock(mutex);
        runs.insert(s.split + " " + s.placement + " " + std::to_string(s.hz) + " " + std::to_string(s.seed) +
                    " " + std::to_string(s.subintervals));
        return made_up(s, limits, cancel, out);
    };
    attribute(scenario("3:1", "contiguous", 100), scenario("4:4", "random"), 6095, 2, measure, kNever);
    EXPECT_EQ(runs, (std::set<std::string>{"3:1 contiguous 100 7 6095", "4:4 random 1000 7 6095",
                                           "4:4 contiguous 1000 7 6095", "3:1 contiguous 100 8 6095",
                                           "4:4 random 1000 8 6095", "4:4 contiguous 1000 8 6095"}));
    runs.clear();
    const auto same =
        attribute(scenario("3:1", "random"), scenario("4:4", "random"), 6095, 1, measure, kNever);
    EXPECT_EQ(runs.size(), 2u);
    EXPECT_EQ(same.seeds.at(0).parts[static_cast<std::size_t>(AttributionPart::data_placement)], 0);
}

TEST(Attribution, ZonesAreThoseOfTheFirstKernelInTheThirdRun) {
    const auto loss = [](const char* split_a, const char* placement_a, const char* split_b,
                         const char* placement_b) {
        return attribute(scenario(split_a, placement_a), scenario(split_b, placement_b), 4500, 1,
                         TLBSCOPE_RESOURCES, kNever, {}, 1, {20000})
            .seeds.at(0);
    };
    const Attribution zones = loss("3:1", "zones", "4:4", "zones");
    expect_exact(zones);
    EXPECT_EQ(zones.parts, loss("3:1", "highmem", "4:4", "lowmem").parts);
    EXPECT_NE(zones.parts[static_cast<std::size_t>(AttributionPart::data_placement)], 0);
    const Attribution same = loss("3:1", "zones", "3:1-flush", "zones");
    EXPECT_EQ(same.parts[static_cast<std::size_t>(AttributionPart::data_placement)], 0);
}

TEST(Attribution, IsTheSameOnAnyNumberOfThreadsAndReportsEverySeed) {
    const Scenario a = scenario("3:1", "contiguous"), b = scenario("4:4", "random");
    std::vector<AttributionBand> outcomes;
    for (const int threads : {1, 2, 5}) {
        std::size_t calls = 0;
        outcomes.push_back(attribute(
            a, b, 6095, 9, made_up, kNever,
            [&](const AttributionBand& band) { EXPECT_EQ(band.seeds.size(), ++calls); }, threads));
        EXPECT_EQ(calls, 9u);
    }
    for (const AttributionBand& band : outcomes) {
        ASSERT_EQ(band.seeds.size(), 9u);
        EXPECT_EQ(band.subintervals, 6095);
        EXPECT_EQ(band.working_set, 6095 * 84.0);
        EXPECT_EQ(band.loss.median, outcomes[0].loss.median);
        EXPECT_LE(band.loss.low, band.loss.median);
        EXPECT_LE(band.loss.median, band.loss.high);
        for (std::size_t i = 0; i < 9; ++i) {
            expect_exact(band.seeds[i]);
            EXPECT_EQ(band.seeds[i].parts, outcomes[0].seeds[i].parts);
        }
    }
}

TEST(Attribution, CancelledReturnsWhatIsFinished) {
    std::atomic<bool> cancel{false};
    const auto band = attribute(
        scenario("3:1", "contiguous"), scenario("4:4", "random"), 6095, 50, made_up, cancel,
        [&](const AttributionBand& so_far) {
            if (so_far.seeds.size() == 3) cancel = true;
        },
        1);
    EXPECT_EQ(band.seeds.size(), 3u);
}

TEST(Attribution, RefusesWhatCannotBeCompared) {
    const Scenario a = scenario("3:1", "contiguous");
    const auto refused = [&](auto&& change, int size = 6095, int seeds = 1) {
        Scenario b = scenario("4:4", "random");
        change(b);
        EXPECT_THROW(attribute(a, b, size, seeds, made_up, kNever), Error);
    };
    refused([](Scenario& s) { s.processor = "celeron-525"; });
    refused([](Scenario& s) { s.workload = "random-walk"; });
    refused([](Scenario& s) { s.l2_kib = 1024; });
    refused([](Scenario& s) { s.hz = 0; });
    refused([](Scenario&) {}, 1);
    refused([](Scenario&) {}, 6095, 0);
}

// Every pair of kernels and placements, at several sizes: exact down to the cycle, with every share of the
// real simulation accounted for.
TEST(Attribution, IsExactOnTheSimulation) {
    Random random(11);
    const char* splits[] = {"3:1", "3:1-flush", "3:1-flush-global", "4:4"};
    const char* placements[] = {"lists", "contiguous", "random", "coloured"};
    for (int i = 0; i < 12; ++i) {
        Scenario a =
            scenario(splits[random.below(4)], placements[random.below(4)], random.below(2) ? 1000 : 250);
        Scenario b =
            scenario(splits[random.below(4)], placements[random.below(4)], random.below(2) ? 1000 : 250);
        a.pae = static_cast<int>(random.below(2));
        b.pae = static_cast<int>(random.below(2));
        b.interrupts = random.below(2) ? 3000 : 0;
        const int size = static_cast<int>(500 + random.below(9000));
        const auto band = attribute(a, b, size, 1, TLBSCOPE_RESOURCES, kNever, {}, 0, {20000});
        ASSERT_EQ(band.seeds.size(), 1u);
        const Attribution& one = band.seeds[0];
        EXPECT_GE(one.work, 20000u);
        EXPECT_GT(one.cycles_a, 0);
        expect_exact(one);
    }
}
