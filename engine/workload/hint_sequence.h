// HINT's steps as a table, made once and shared by every run.
#pragma once

#include "engine/workload/hint_integrator.h"

#include <memory>
#include <vector>

namespace tlbscope {

// Immutable. Step k is the same for every number of subintervals above k.
class HintSequence {
public:
    // The table with at least the steps for `subintervals`, 2 … max_subintervals(type). Grows where it has
    // to. May be called from any thread. Throws Error for a number outside.
    static std::shared_ptr<const HintSequence> get(HintType type, std::uint32_t subintervals);
    // The benchmark stops below the width of its grid (INT: 32,767). DOUBLE's limit is that of a scenario.
    static std::uint32_t max_subintervals(HintType type) {
        return type == HintType::float64 ? 2000000 : (1 << 15) - 1;
    }

    HintSequence(HintType type, std::uint32_t subintervals);

    // n subintervals take the steps 0 … n - 2.
    const HintStep* steps() const { return steps_.data(); }
    std::uint32_t subintervals() const { return static_cast<std::uint32_t>(steps_.size()) + 1; }
    // Upper less lower bound with n subintervals, 2 … subintervals(), in squares.
    std::int64_t gap(std::uint32_t n) const { return gaps_[n - 2]; }
    // What one lap of n subintervals achieves; QUIPS is this over the lap's seconds.
    double quality(std::uint32_t n) const {
        return static_cast<double>(grid_) / static_cast<double>(gap(n)) - 1;
    }

private:
    std::vector<HintStep> steps_;
    std::vector<std::int64_t> gaps_; // after each step
    std::int64_t grid_ = 0;
};

} // namespace tlbscope
