// A scenario run for a while: everything the command line and the sweeps tell about it.
#pragma once

#include "engine/experiment/measurement.h"
#include "engine/simulation/simulation.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

// Counts and cycles are those of the measured part, without the warm-up.
struct RunReport {
    Scenario scenario;
    int shift = 0, ceiling = 0; // in force
    std::string processor;      // its title
    std::string record_name;    // "records", "munmaps"
    int cpus = 0;
    double hz = 0;
    Cycles warmup = 0, cycles = 0; // elapsed, not summed over CPUs
    bool complete = false;         // false: cancelled, and `cycles` is shorter than asked for

    std::uint64_t records = 0;
    VmStat vmstat;
    MmuCounters mmu;                                       // all CPUs
    BucketCycles buckets{};                                // all CPUs; they sum to cpus * cycles
    std::uint64_t full_decisions = 0, range_decisions = 0; // flush_decision events
    std::uint64_t events = 0;
    std::uint64_t event_hash = 0; // over all events since time 0, warm-up included
    // The latest flush: the rule's arithmetic with its numbers, empty when there was none.
    std::vector<std::string> latest_decision;

    double seconds() const { return static_cast<double>(cycles) / hz; }
    double per_second(std::uint64_t count) const {
        return cycles > 0 ? static_cast<double>(count) / seconds() : 0;
    }
    double full_share() const {
        const std::uint64_t all = full_decisions + range_decisions;
        return all > 0 ? static_cast<double>(full_decisions) / static_cast<double>(all) : 0;
    }
};

struct RunLength {
    double warmup_seconds = 0.005, measure_seconds = 0.02; // simulated
};

// Looks at `cancel` and calls `progress` (0 … 1; may be empty) every few milliseconds of host time;
// neither has an influence on the figures. Throws Error for an invalid scenario.
RunReport run_scenario(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor,
                       const RunLength& length, const std::atomic<bool>& cancel,
                       const std::function<void(double)>& progress = {});

} // namespace tlbscope
