// The jobs of a sweep in the order they run, and the points they add up to.
#pragma once

#include "engine/experiment/measurement.h"
#include "engine/experiment/sweep.h"

namespace tlbscope {

// The scenario of one value on the axis.
Scenario with_value(const Scenario& base, SweepAxis axis, int value);

// Not thread safe. The points do not depend on the order in which the jobs end.
class SweepResults {
public:
    // Throws Error naming what is wrong with the specification, or with the scenario of a value.
    explicit SweepResults(const SweepSpec& spec);

    // Every value once with the first seed, coarse to fine, then again with the second, …
    std::size_t jobs() const { return order_.size() * static_cast<std::size_t>(spec_.seeds); }
    Scenario scenario(std::size_t job) const;

    // The point of the job's value with all that has ended so far.
    SweepPoint add(std::size_t job, const Measurement& measurement);
    // A job that ended without a result: the point as it was, with 0 seeds when it has none yet.
    SweepPoint skip(std::size_t job);
    // 0 … 1 of the jobs have ended.
    double progress() const;

private:
    std::size_t value_of(std::size_t job) const { return order_[job % order_.size()]; }
    std::size_t seed_of(std::size_t job) const { return job / order_.size(); }

    SweepPoint point_of(std::size_t value) const;

    SweepSpec spec_;
    std::vector<std::size_t> order_;
    std::vector<std::vector<std::optional<Measurement>>> measurements_; // by value, by seed
    std::size_t ended_ = 0;
};

} // namespace tlbscope
