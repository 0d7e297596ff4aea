#include "engine/experiment/curve_results.h"

#include "engine/core/error.h"
#include "engine/experiment/statistics.h"
#include "engine/experiment/sweep.h"

#include <algorithm>

namespace tlbscope {

namespace {

constexpr std::size_t kMaxVariants = 64, kMaxSizes = 1000;
constexpr int kMaxSeeds = 1000;
constexpr std::uint64_t kMaxWork = 1'000'000'000'000;

CurveAxis axis_of(const CurveSpec& spec) {
    if (spec.variants.empty() || spec.variants.size() > kMaxVariants)
        throw Error("variants",
                    std::to_string(spec.variants.size()) + " are not 1 … " + std::to_string(kMaxVariants));
    return curve_axis(spec.variants.front().scenario.workload);
}

} // namespace

CurveResults::CurveResults(const CurveSpec& spec)
    : spec_(spec), axis_(axis_of(spec)), order_(coarse_to_fine(spec.subintervals.size())),
      runs_(spec.variants.size() * spec.subintervals.size()) {
    if (spec.subintervals.empty() || spec.subintervals.size() > kMaxSizes)
        throw Error("points",
                    std::to_string(spec.subintervals.size()) + " are not 1 … " + std::to_string(kMaxSizes));
    if (!std::is_sorted(spec.subintervals.begin(), spec.subintervals.end()))
        throw Error("points", "are not in ascending order");
    for (const int size : {spec.subintervals.front(), spec.subintervals.back()})
        if (size < axis_.low || size > axis_.high)
            throw Error("points", std::to_string(size) + " is outside " + std::to_string(axis_.low) + " … " +
                                      std::to_string(axis_.high));
    if (spec.seeds < 1 || spec.seeds > kMaxSeeds)
        throw Error("seeds", std::to_string(spec.seeds) + " is outside 1 … " + std::to_string(kMaxSeeds));
    if (spec.work < 1 || spec.work > kMaxWork)
        throw Error("work", std::to_string(spec.work) + " is outside 1 … " + std::to_string(kMaxWork));
    for (const CurveVariant& variant : spec.variants) {
        if (curve_axis(variant.scenario.workload).size != axis_.size ||
            curve_axis(variant.scenario.workload).bytes != axis_.bytes)
            throw Error("variants", variant.scenario.workload + " and " +
                                        spec.variants.front().scenario.workload + " have different axes");
    }
    for (const Scenario& scenario : first_scenarios())
        validate(scenario);
    for (auto& runs : runs_)
        runs.resize(static_cast<std::size_t>(spec.seeds));
}

std::vector<Scenario> CurveResults::first_scenarios() const {
    std::vector<Scenario> scenarios;
    for (const CurveVariant& variant : spec_.variants) {
        scenarios.push_back(variant.scenario);
        scenarios.back().*axis_.size = spec_.subintervals.front();
    }
    return scenarios;
}

CurveResults::Place CurveResults::place_of(std::size_t job) const {
    const std::size_t per_seed = order_.size() * variants();
    return {job % variants(), order_[job % per_seed / variants()], job / per_seed};
}

Scenario CurveResults::scenario(std::size_t job) const {
    const Place place = place_of(job);
    Scenario scenario = spec_.variants[place.variant].scenario;
    scenario.*axis_.size = spec_.subintervals[place.size];
    scenario.seed += place.seed;
    return scenario;
}

CurvePoint CurveResults::point_of(const Place& place) const {
    CurvePoint point;
    point.variant = place.variant;
    point.subintervals = spec_.subintervals[place.size];
    point.working_set = point.subintervals * axis_.bytes;
    point.touched = point.subintervals * axis_.touched;
    std::vector<double> throughput;
    for (const auto& run : runs_[place.variant * order_.size() + place.size]) {
        point.by_seed.push_back(run ? run->throughput : 0);
        if (!run) continue;
        throughput.push_back(run->throughput);
        point.error = std::max(point.error, run->standard_error);
    }
    point.seeds = static_cast<int>(throughput.size());
    point.median = quantile(throughput, 0.5);
    point.low = quantile(throughput, 0.05);
    point.high = quantile(throughput, 0.95);
    return point;
}

CurvePoint CurveResults::add(std::size_t job, const CurveRun& run) {
    const Place place = place_of(job);
    ++ended_;
    runs_of(place)[place.seed] = run;
    return point_of(place);
}

CurvePoint CurveResults::skip(std::size_t job) {
    ++ended_;
    return point_of(place_of(job));
}

} // namespace tlbscope
