// The benchmark's own procedure, on made-up times.
#include "engine/core/error.h"
#include "engine/experiment/hint_benchmark.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

using namespace tlbscope;

namespace {

const std::atomic<bool> kNever{false};

Scenario hint() {
    Scenario s;
    s.workload = "hint-double";
    return s;
}

// A lap takes 40 ns an iteration up to `knee` subintervals and `slow` times that beyond.
HintRun machine(int knee = 6000, double slow = 2) {
    return [=](const Scenario& s, std::uint64_t laps, int trials, const std::atomic<bool>& cancel,
               HintTrials& out) {
        if (cancel) return false;
        out.fastest = 40e-9 * (s.subintervals - 1) * (s.subintervals > knee ? slow : 1);
        out.seconds = out.fastest * static_cast<double>(laps) * trials;
        return true;
    };
}

HintParameters quick() {
    HintParameters p;
    p.runtm = 0.01;
    return p;
}

} // namespace

TEST(HintBenchmark, GoesUpByAdvanceAndStopsBelowTheShareOfThePeak) {
    const auto out = run_hint_benchmark(hint(), quick(), machine(), kNever);
    ASSERT_TRUE(out.complete());
    EXPECT_EQ(out.stop, HintStop::stoprt);
    EXPECT_EQ(out.samples.front().subintervals, 2);
    for (std::size_t i = 1; i < out.samples.size(); ++i) {
        const int n = out.samples[i - 1].subintervals;
        EXPECT_EQ(out.samples[i].subintervals, std::max(static_cast<int>(n * 1.1), n + 1));
    }
    // The first point beyond the knee is the last.
    EXPECT_GT(out.samples.back().subintervals, 6000);
    EXPECT_LE(out.samples[out.samples.size() - 2].subintervals, 6000);
    HintParameters patient = quick();
    patient.stoprt = 0.1;
    const auto longer = run_hint_benchmark(hint(), patient, machine(), kNever);
    EXPECT_GT(longer.samples.size(), out.samples.size());
}

TEST(HintBenchmark, EveryLineHoldsTogether) {
    for (const char* workload : {"hint-double", "hint-int"}) {
        Scenario s = hint();
        s.workload = workload;
        const double record = s.workload == "hint-int" ? 44 : 84,
                     traffic = s.workload == "hint-int" ? 400 : 760;
        const auto out = run_hint_benchmark(s, quick(), machine(), kNever);
        double peak = 0;
        for (const HintSample& sample : out.samples) {
            EXPECT_NEAR(sample.seconds,
                        40e-9 * (sample.subintervals - 1) * (sample.subintervals > 6000 ? 2 : 1), 1e-15);
            EXPECT_NEAR(sample.quips * sample.seconds, sample.quality, 1e-9 * sample.quality);
            EXPECT_EQ(sample.bytes, record * sample.subintervals);
            EXPECT_NEAR(sample.mb_per_second * sample.seconds * 1024 * 1024, traffic * sample.subintervals,
                        1e-3);
            EXPECT_EQ(sample.reruns, 0);
            EXPECT_FALSE(sample.forced);
            // A trial takes about RUNTM, where one lap is not more.
            const double trial = static_cast<double>(sample.laps_trial) * sample.seconds;
            EXPECT_LE(trial, std::max(sample.seconds, 0.021));
            EXPECT_GE(trial, 0.002);
            peak = std::max(peak, sample.quips);
        }
        EXPECT_EQ(out.peak_quips, peak);
    }
}

TEST(HintBenchmark, NetQuipsAreTheIntegralOverTheLogarithmOfTime) {
    const auto out = run_hint_benchmark(hint(), quick(), machine(), kNever);
    double sum = out.samples.back().quips;
    for (std::size_t j = 0; j + 1 < out.samples.size(); ++j)
        sum += out.samples[j].quips * (1 - out.samples[j].seconds / out.samples[j + 1].seconds);
    EXPECT_NEAR(out.net_quips, sum, 1e-9 * sum);
    EXPECT_GT(out.net_quips, out.peak_quips);
}

TEST(HintBenchmark, ASmallerPointThatTookLongerIsRunAgainAndInTheEndForced) {
    // 50 subintervals always take too long, 70 only on the way up.
    std::mutex mutex;
    std::map<int, int> calls;
    const HintRun run = [&](const Scenario& s, std::uint64_t laps, int trials,
                            const std::atomic<bool>& cancel, HintTrials& out) {
        machine()(s, laps, trials, cancel, out);
        const std::lock_guard lock(mutex);
        ++calls[s.subintervals];
        if (s.subintervals == 50 || (s.subintervals == 72 && calls[72] < 3)) out.fastest *= 1.5;
        return true;
    };
    HintParameters p = quick();
    p.patience = 4;
    const auto out = run_hint_benchmark(hint(), p, run, kNever);
    int slow = 0;
    for (std::size_t j = 0; j + 1 < out.samples.size(); ++j) {
        EXPECT_LE(out.samples[j].seconds, out.samples[j + 1].seconds);
        if (out.samples[j].subintervals == 50) {
            EXPECT_EQ(out.samples[j].reruns, 4);
            EXPECT_TRUE(out.samples[j].forced);
            EXPECT_EQ(out.samples[j].seconds, out.samples[j + 1].seconds);
            EXPECT_NEAR(out.samples[j].quips * out.samples[j].seconds, out.samples[j].quality, 1e-6);
            ++slow;
        } else if (out.samples[j].subintervals == 72) {
            EXPECT_EQ(out.samples[j].reruns, 2);
            EXPECT_FALSE(out.samples[j].forced);
            ++slow;
        } else {
            EXPECT_EQ(out.samples[j].reruns, 0);
        }
    }
    EXPECT_EQ(slow, 2);
}

TEST(HintBenchmark, StopsForEachOfItsReasons) {
    HintParameters p = quick();
    p.nsamp = 7;
    EXPECT_EQ(run_hint_benchmark(hint(), p, machine(), kNever).samples.size(), 7u);
    EXPECT_EQ(run_hint_benchmark(hint(), p, machine(), kNever).stop, HintStop::nsamp);
    p = quick();
    p.stoptm = 1e-4;
    const auto out = run_hint_benchmark(hint(), p, machine(), kNever);
    EXPECT_EQ(out.stop, HintStop::stoptm);
    EXPECT_GE(out.samples.back().seconds, 1e-4);
    EXPECT_LT(out.samples[out.samples.size() - 2].seconds, 1e-4);
    p = quick();
    p.stoprt = 0;
    Scenario s = hint();
    s.workload = "hint-int";
    EXPECT_EQ(run_hint_benchmark(s, p, machine(), kNever).stop, HintStop::subintervals);
}

TEST(HintBenchmark, IsTheSameOnAnyNumberOfThreadsAndEveryCallHasItsOwnSeed) {
    std::mutex mutex;
    std::vector<std::vector<double>> outcomes;
    for (const int threads : {1, 2, 5}) {
        std::multiset<std::uint64_t> seeds;
        const HintRun run = [&](const Scenario& s, std::uint64_t laps, int trials,
                                const std::atomic<bool>& cancel, HintTrials& out) {
            machine()(s, laps, trials, cancel, out);
            out.fastest *= 1 + static_cast<double>(s.seed * 2654435761u % 97) / 2000;
            const std::lock_guard lock(mutex);
            seeds.insert(s.seed);
            return true;
        };
        std::vector<double> seconds;
        const auto out = run_hint_benchmark(hint(), quick(), run, kNever, {}, threads);
        for (const HintSample& sample : out.samples)
            seconds.push_back(sample.seconds);
        seconds.push_back(out.net_quips);
        outcomes.push_back(seconds);
        if (threads == 1) {
            EXPECT_EQ(std::set(seeds.begin(), seeds.end()).size(), seeds.size());
        }
    }
    EXPECT_EQ(outcomes[0], outcomes[1]);
    EXPECT_EQ(outcomes[0], outcomes[2]);
}

TEST(HintBenchmark, CancelledReturnsTheSamplesSoFar) {
    std::atomic<bool> cancel{false};
    int samples = 0;
    const auto out = run_hint_benchmark(
        hint(), quick(), machine(), cancel,
        [&](const HintSample&) {
            if (++samples == 5) cancel = true;
        },
        1);
    EXPECT_FALSE(out.complete());
    EXPECT_EQ(out.samples.size(), 5u);
    EXPECT_EQ(out.net_quips, 0);
}

TEST(HintBenchmark, PresetsAreValidAndBadParametersAreNot) {
    for (const HintPreset& preset : hint_presets()) {
        EXPECT_NO_THROW(validate(preset.parameters));
        EXPECT_EQ(&find_hint_preset(preset.id), &preset);
    }
    EXPECT_THROW(find_hint_preset("mine"), Error);
    const auto refused = [](auto&& change) {
        HintParameters p;
        change(p);
        EXPECT_THROW(validate(p), Error);
    };
    refused([](HintParameters& p) { p.advance = 1; });
    refused([](HintParameters& p) { p.advance = std::numeric_limits<double>::quiet_NaN(); });
    refused([](HintParameters& p) { p.nsamp = 0; });
    refused([](HintParameters& p) { p.ntrial = 0; });
    refused([](HintParameters& p) { p.patience = -1; });
    refused([](HintParameters& p) { p.runtm = 0; });
    refused([](HintParameters& p) { p.stoprt = 2; });
    refused([](HintParameters& p) { p.stoptm = 0; });
    Scenario walk = hint();
    walk.workload = "random-walk";
    EXPECT_THROW(run_hint_benchmark(walk, quick(), machine(), kNever), Error);
}
