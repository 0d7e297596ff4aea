#include "engine/experiment/hint_benchmark.h"

#include "engine/core/error.h"
#include "engine/experiment/parallel.h"
#include "engine/workload/hint_sequence.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tlbscope {

namespace {

constexpr int kFirst = 2;           // NMIN
constexpr int kScoutLaps = 3;       // of the survey
constexpr double kElementRefs = 90; // the author's count of references a subinterval, and of those to indices
constexpr double kIndexRefs = 10;

HintType type_of(const Scenario& scenario) {
    return scenario.workload == "hint-int" ? HintType::int32 : HintType::float64;
}

class Driver {
public:
    Driver(const Scenario& scenario, const HintParameters& parameters, const HintRun& run,
           const std::atomic<bool>& cancel, const std::function<void(const HintSample&)>& sample, int threads)
        : scenario_(scenario), parameters_(parameters), run_(run), cancel_(cancel), sample_(sample),
          threads_(pool_size(threads)), axis_(curve_axis(scenario.workload)) {}

    HintOutcome go() {
        if (survey() && ascend()) descend();
        if (cancel_) out_.stop = HintStop::cancelled;
        return std::move(out_);
    }

private:
    // Run(), with the placement seed of the call's number.
    bool call(int n, std::uint64_t laps, std::uint64_t number, HintTrials& trials) const {
        Scenario scenario = scenario_;
        scenario.subintervals = n;
        scenario.seed += number;
        return run_(scenario, laps, parameters_.ntrial, cancel_, trials);
    }

    // Doubles n until a lap takes RUNTM.
    bool survey() {
        for (int n = kFirst; n <= axis_.high; n *= 2) {
            HintTrials trials;
            if (!call(n, kScoutLaps, calls_++, trials)) return false;
            out_.nscout = n;
            out_.tscout = trials.fastest;
            out_.seconds += trials.seconds;
            if (trials.fastest > parameters_.runtm) break;
        }
        return true;
    }

    std::uint64_t laps(int n) const {
        const double wanted = parameters_.runtm * out_.nscout / (out_.tscout * n);
        return wanted > 1 ? static_cast<std::uint64_t>(wanted) : 1;
    }

    HintSample sample_of(int n, double seconds) const {
        const auto size = static_cast<std::uint32_t>(n);
        HintSample sample;
        sample.subintervals = n;
        sample.seconds = seconds;
        sample.quality = HintSequence::get(type_of(scenario_), size)->quality(size);
        sample.quips = sample.quality / seconds;
        sample.bytes = n * axis_.bytes;
        const double element = type_of(scenario_) == HintType::int32 ? 4 : 8;
        sample.mb_per_second = (kElementRefs * element + kIndexRefs * 4) * n / (1024 * 1024) / seconds;
        sample.laps_trial = laps(n);
        return sample;
    }

    // Points of ascending n. As many at a time as there are threads: those behind the end are dropped.
    bool ascend() {
        double ratio = 1, last = 0;
        for (int n = kFirst;;) {
            std::vector<int> sizes;
            for (int next = n; static_cast<int>(sizes.size()) < threads_ && next <= axis_.high;
                 next = std::max(static_cast<int>(next * parameters_.advance), next + 1))
                sizes.push_back(next);
            std::vector<HintTrials> trials(sizes.size());
            run_parallel(sizes.size(), threads_, cancel_,
                         [&](std::size_t i) { call(sizes[i], laps(sizes[i]), calls_ + i, trials[i]); });
            if (cancel_) return false;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                if (const auto stop = stops(last, ratio)) {
                    out_.stop = *stop;
                    return true;
                }
                ++calls_;
                const HintSample sample = sample_of(sizes[i], trials[i].fastest);
                out_.seconds += trials[i].seconds;
                out_.samples.push_back(sample);
                out_.peak_quips = std::max(out_.peak_quips, sample.quips);
                ratio = sample.quips / out_.peak_quips;
                last = sample.seconds;
                if (sample_) sample_(sample);
                n = std::max(static_cast<int>(sizes[i] * parameters_.advance), sizes[i] + 1);
            }
            if (n > axis_.high) {
                out_.stop = stops(last, ratio).value_or(HintStop::subintervals);
                return true;
            }
        }
    }

    std::optional<HintStop> stops(double last, double ratio) const {
        if (static_cast<int>(out_.samples.size()) >= parameters_.nsamp) return HintStop::nsamp;
        if (last >= parameters_.stoptm) return HintStop::stoptm;
        if (ratio <= parameters_.stoprt) return HintStop::stoprt;
        return std::nullopt;
    }

    // Where more work took less time, the smaller is run again, and in the end gets the larger one's time.
    void descend() {
        std::vector<HintSample>& samples = out_.samples;
        double net = samples.back().quips;
        for (std::size_t j = samples.size() - 1; j-- > 0;) {
            const double next = samples[j + 1].seconds;
            int reruns = 0;
            for (; samples[j].seconds > next && reruns < parameters_.patience; ++reruns) {
                HintTrials trials;
                if (!call(samples[j].subintervals, samples[j].laps_trial, calls_++, trials)) return;
                out_.seconds += trials.seconds;
                samples[j] = sample_of(samples[j].subintervals, trials.fastest);
            }
            const bool forced = samples[j].seconds > next;
            if (forced) samples[j] = sample_of(samples[j].subintervals, next);
            samples[j].reruns = reruns;
            samples[j].forced = forced;
            net += samples[j].quips * (1 - samples[j].seconds / next);
        }
        out_.net_quips = net;
    }

    const Scenario& scenario_;
    const HintParameters& parameters_;
    const HintRun& run_;
    const std::atomic<bool>& cancel_;
    const std::function<void(const HintSample&)>& sample_;
    const int threads_;
    const CurveAxis axis_;
    HintOutcome out_;
    std::uint64_t calls_ = 0;
};

void check(const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high)) throw Error(name, "is outside its range");
}

} // namespace

void validate(const HintParameters& p) {
    check("ADVANCE", p.advance, 1.01, 4);
    check("NSAMP", p.nsamp, 1, 10000);
    check("NTRIAL", p.ntrial, 1, 1000);
    check("PATIENCE", p.patience, 0, 1000);
    check("RUNTM", p.runtm, 1e-5, 1000);
    check("STOPRT", p.stoprt, 0, 1);
    check("STOPTM", p.stoptm, 1e-9, 1e9);
}

std::span<const HintPreset> hint_presets() {
    static constexpr std::array presets = {
        HintPreset{"2004", "Andrea Arcangeli's runs of April 2004", {1.1, 200, 5, 7, 1.0, 0.65, 100}},
        HintPreset{"ansibench", "ansibench, hint/include/hint.h", {1.1, 200, 15, 13, 1.0, 0.1, 240}},
        HintPreset{"hi64", "HI64, a port to 64 bits", {1.2589, 5000, 5, 7, 0.5, 0.15, 60}},
    };
    return presets;
}

const HintPreset& find_hint_preset(const std::string& id) {
    std::string known;
    for (const HintPreset& preset : hint_presets()) {
        if (id == preset.id) return preset;
        known += (known.empty() ? "" : ", ") + std::string(preset.id);
    }
    throw Error("preset", "\"" + id + "\" is not known", "known: " + known);
}

const char* to_string(HintStop stop) {
    switch (stop) {
    case HintStop::nsamp:
        return "NSAMP points";
    case HintStop::stoprt:
        return "QUIPS below STOPRT of their peak";
    case HintStop::stoptm:
        return "a lap took STOPTM";
    case HintStop::subintervals:
        return "no more subintervals";
    case HintStop::cancelled:
        return "cancelled";
    }
    return "invalid";
}

HintOutcome run_hint_benchmark(const Scenario& scenario, const HintParameters& parameters, const HintRun& run,
                               const std::atomic<bool>& cancel,
                               const std::function<void(const HintSample&)>& sample, int threads) {
    if (scenario.workload != "hint-double" && scenario.workload != "hint-int")
        throw Error("workload", "\"" + scenario.workload + "\" is not HINT", "hint-double or hint-int");
    validate(parameters);
    validate(scenario);
    return Driver(scenario, parameters, run, cancel, sample, threads).go();
}

} // namespace tlbscope
