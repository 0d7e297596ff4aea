// Why one curve lies below another at a working set: the difference of two runs of equal work, split
// exactly.
#pragma once

#include "engine/experiment/curve.h"

namespace tlbscope {

enum class AttributionPart : std::uint8_t {
    tick,           // ticks and other interrupts
    cr3,            // CR3 loads and the control's flushes
    dtlb_l1,        // dTLB refills that hit L1D
    dtlb_l2,        // … L2 or L3
    dtlb_memory,    // … memory
    itlb,           // iTLB refills
    data_pollution, // data misses from what the kernel and the walker put into the caches
    data_placement, // data misses from where the pages lie
    other,          // all the rest; 0 for HINT
    count_
};
inline constexpr std::size_t kAttributionParts = static_cast<std::size_t>(AttributionPart::count_);
const char* to_string(AttributionPart); // "timer tick", "CR3 loads", "dTLB refills: memory", …

// cycles_b - cycles_a == the sum of `parts`, exactly. Data misses are told apart by a third run, with
// b's kernel on a's placement: what it has more than a is pollution, what b has more than it is placement.
struct Attribution {
    std::uint64_t work = 0;
    Cycles cycles_a = 0, cycles_b = 0;
    std::array<Cycles, kAttributionParts> parts{};
    std::uint64_t ticks_a = 0, ticks_b = 0;
    std::uint64_t walks_a = 0, walks_b = 0;

    // Throughput lost from a to b, 0 … 1; negative: b is faster.
    double loss() const {
        return cycles_b > 0 ? 1 - static_cast<double>(cycles_a) / static_cast<double>(cycles_b) : 0;
    }
    // The part's share of that, in the same unit; they sum to loss().
    double loss(AttributionPart part) const {
        return cycles_b > 0 ? static_cast<double>(parts[static_cast<std::size_t>(part)]) /
                                  static_cast<double>(cycles_b)
                            : 0;
    }
};

// Over placements: median and 5 to 95 % band of every part's loss, and one whole example.
struct AttributionBand {
    int subintervals = 0;
    double working_set = 0;         // bytes of the axis
    std::vector<Attribution> seeds; // finished ones, ascending
    struct Band {
        double median = 0, low = 0, high = 0;
    };
    Band loss;
    std::array<Band, kAttributionParts> parts{};
};

// The parts of the difference between two runs; `mixed` is b's kernel on a's placement, b itself where the
// placements are the same. Throws Error unless all did the same work.
Attribution attribute_runs(const CurveRun& a, const CurveRun& b, const CurveRun& mixed);

// `a` and `b` differ in anything but processor, L2, workload and sizes. Runs 3 (or 2, where the placements
// are the same) simulations a seed, on up to `threads` threads (0: all CPUs); `progress` after each seed,
// with the seeds so far in their order, one call at a time. Cancelled, it returns what is finished. The
// outcome does not depend on the number of threads. Throws Error.
AttributionBand attribute(const Scenario& a, const Scenario& b, int subintervals, int seeds,
                          const std::string& resources, const std::atomic<bool>& cancel,
                          const std::function<void(const AttributionBand&)>& progress = {}, int threads = 0,
                          const CurveRunLimits& limits = {});
AttributionBand attribute(const Scenario& a, const Scenario& b, int subintervals, int seeds,
                          const CurveMeasure& measure, const std::atomic<bool>& cancel,
                          const std::function<void(const AttributionBand&)>& progress = {}, int threads = 0,
                          const CurveRunLimits& limits = {});

} // namespace tlbscope
