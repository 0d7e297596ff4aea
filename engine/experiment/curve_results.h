// The runs of a figure in the order they are made, and the points they add up to.
#pragma once

#include "engine/experiment/curve.h"

#include <optional>
#include <vector>

namespace tlbscope {

// Not thread safe. The points do not depend on the order in which the runs end.
class CurveResults {
public:
    // Throws Error naming what is wrong with the specification, or with the scenario of a variant.
    explicit CurveResults(const CurveSpec& spec);

    // First seed: coarse to fine, every variant at each size; then the second seed, …
    std::size_t jobs() const { return order_.size() * variants() * static_cast<std::size_t>(spec_.seeds); }
    Scenario scenario(std::size_t job) const;
    // Every variant's at the smallest size.
    std::vector<Scenario> first_scenarios() const;
    CurveRunLimits limits() const { return {spec_.work}; }

    // The point of the job's variant and size with all that has ended so far.
    CurvePoint add(std::size_t job, const CurveRun& run);
    // A job that ended without a result: the point as it was, with 0 seeds when it has none yet.
    CurvePoint skip(std::size_t job);
    CurveProgress progress() const { return {ended_, jobs()}; }

private:
    struct Place {
        std::size_t variant, size, seed;
    };
    std::size_t variants() const { return spec_.variants.size(); }
    Place place_of(std::size_t job) const;
    CurvePoint point_of(const Place& place) const;
    std::vector<std::optional<CurveRun>>& runs_of(const Place& place) {
        return runs_[place.variant * order_.size() + place.size];
    }

    CurveSpec spec_;
    CurveAxis axis_;
    std::vector<std::size_t> order_;
    std::vector<std::vector<std::optional<CurveRun>>> runs_; // by variant and size, by seed
    std::size_t ended_ = 0;
};

} // namespace tlbscope
