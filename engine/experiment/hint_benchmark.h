// HINT as its own driver runs it: from two subintervals up, several trials a point and their minimum, then
// back down for the reruns and the net QUIPS.
#pragma once

#include "engine/experiment/curve.h"

#include <span>

namespace tlbscope {

// The benchmark's own parameters, by its own names (hint.h and hint.c of the serial program, 1994).
struct HintParameters {
    double advance = 1.1; // ADVANCE: n <- max(int(n * advance), n + 1); 1.01 … 4
    int nsamp = 200;      // NSAMP: points at most; 1 … 10000
    int ntrial = 5;       // NTRIAL: trials a point, of which the fastest counts; 1 … 1000
    int patience = 7;     // PATIENCE: reruns of a point that took longer than the next larger one; 0 … 1000
    double runtm = 1;     // RUNTM: seconds a trial takes, about; 1e-5 … 1000
    double stoprt = 0.65; // STOPRT: stops once QUIPS fall below this share of their peak; 0 … 1
    double stoptm = 100;  // STOPTM: stops once a lap takes this many seconds; more than 0

    bool operator==(const HintParameters&) const = default;
};
// Throws Error naming the parameter.
void validate(const HintParameters& parameters);

struct HintPreset {
    const char* id;     // "2004", "ansibench", "hi64"
    const char* source; // who ran it so
    HintParameters parameters;
};
std::span<const HintPreset> hint_presets();
// Throws Error listing the known ids.
const HintPreset& find_hint_preset(const std::string& id);

// A line of the benchmark's output.
struct HintSample {
    double seconds = 0; // simulated, of one lap, the fastest trial's
    double quips = 0, quality = 0;
    int subintervals = 0;
    double bytes = 0;             // as the benchmark reports them
    double mb_per_second = 0;     // MiB of its own count of references
    int reruns = 0;               // for taking longer than the next larger point
    bool forced = false;          // still did, and got that one's time
    std::uint64_t laps_trial = 0; // laps a trial
};

enum class HintStop : std::uint8_t { nsamp, stoprt, stoptm, subintervals, cancelled };
const char* to_string(HintStop); // "QUIPS below STOPRT of their peak", …

struct HintOutcome {
    std::vector<HintSample> samples; // ascending
    double net_quips = 0;            // sum of QUIPS(j) (1 - t(j) / t(j + 1)), and the last QUIPS
    double peak_quips = 0;
    int nscout = 0; // subintervals and seconds a lap of the survey that sets the laps of a trial
    double tscout = 0;
    double seconds = 0; // simulated, all of them
    HintStop stop = HintStop::cancelled;

    bool complete() const { return stop != HintStop::cancelled; }
};

// Seconds a lap and all simulated seconds of one call of the benchmark's Run(): arrays allocated anew,
// `trials` trials of `laps` laps. False when cancelled; throws Error. Called on several threads at once.
struct HintTrials {
    double fastest = 0; // seconds a lap
    double seconds = 0;
};
using HintRun = std::function<bool(const Scenario&, std::uint64_t laps, int trials,
                                   const std::atomic<bool>& cancel, HintTrials& out)>;
HintRun simulate_hint(const Scenario& scenario, const std::string& resources);

// `scenario`: workload "hint-double" or "hint-int", without its subintervals. Every call of Run() has the
// next placement seed. `sample` (may be empty) after each point on the way up. The outcome does not depend
// on `threads` (0: all CPUs). Cancelled, it returns the samples so far, without net QUIPS. Throws Error.
HintOutcome run_hint_benchmark(const Scenario& scenario, const HintParameters& parameters, const HintRun& run,
                               const std::atomic<bool>& cancel,
                               const std::function<void(const HintSample&)>& sample = {}, int threads = 0);

} // namespace tlbscope
