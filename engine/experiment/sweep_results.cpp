#include "engine/experiment/sweep_results.h"

#include "engine/core/error.h"
#include "engine/experiment/statistics.h"

#include <deque>
#include <utility>

namespace tlbscope {

namespace {

struct AxisRow {
    SweepAxis axis;
    const char* name;
    int Scenario::*field;
};
constexpr AxisRow kAxes[] = {
    {SweepAxis::shift, "shift", &Scenario::shift},
    {SweepAxis::working_set_pages, "working_set_pages", &Scenario::working_set_pages},
    {SweepAxis::threads, "threads", &Scenario::threads},
    {SweepAxis::flush_pages, "flush_pages", &Scenario::flush_pages},
    {SweepAxis::ceiling, "ceiling", &Scenario::ceiling},
};

const AxisRow& row_of(SweepAxis axis) {
    for (const AxisRow& row : kAxes)
        if (row.axis == axis) return row;
    return kAxes[0];
}

constexpr int kMaxSeeds = 1000;
constexpr double kMaxSeconds = 3600;

} // namespace

const char* to_string(SweepAxis axis) {
    return row_of(axis).name;
}

SweepAxis parse_sweep_axis(const std::string& name) {
    std::string known;
    for (const AxisRow& row : kAxes) {
        if (name == row.name) return row.axis;
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    throw Error("axis", "\"" + name + "\" is not known", "known: " + known);
}

Scenario with_value(const Scenario& base, SweepAxis axis, int value) {
    Scenario scenario = base;
    scenario.*row_of(axis).field = value;
    return scenario;
}

std::vector<std::size_t> coarse_to_fine(std::size_t count) {
    std::vector<std::size_t> order;
    order.reserve(count);
    if (count > 0) order.push_back(0);
    if (count > 1) order.push_back(count - 1);
    std::deque<std::pair<std::size_t, std::size_t>> gaps;
    if (count > 2) gaps.emplace_back(0, count - 1);
    while (!gaps.empty()) {
        const auto [low, high] = gaps.front();
        gaps.pop_front();
        if (high - low < 2) continue;
        const std::size_t middle = low + (high - low) / 2;
        order.push_back(middle);
        gaps.emplace_back(low, middle);
        gaps.emplace_back(middle, high);
    }
    return order;
}

SweepResults::SweepResults(const SweepSpec& spec)
    : spec_(spec), order_(coarse_to_fine(spec.values.size())), measurements_(spec.values.size()) {
    if (spec.values.empty()) throw Error("values", "is empty", "name at least one value of the axis");
    if (spec.seeds < 1 || spec.seeds > kMaxSeeds)
        throw Error("seeds", std::to_string(spec.seeds) + " is outside 1 … " + std::to_string(kMaxSeeds));
    if (!(spec.warmup_seconds >= 0 && spec.warmup_seconds <= kMaxSeconds))
        throw Error("warmup", "must be 0 … 3600 simulated seconds");
    if (!(spec.measure_seconds > 0 && spec.measure_seconds <= kMaxSeconds))
        throw Error("seconds", "must be more than 0 and at most 3600 simulated seconds");
    for (const int value : spec.values)
        validate(with_value(spec.base, spec.axis, value));
    for (auto& of_value : measurements_)
        of_value.resize(static_cast<std::size_t>(spec.seeds));
}

Scenario SweepResults::scenario(std::size_t job) const {
    Scenario scenario = with_value(spec_.base, spec_.axis, spec_.values[value_of(job)]);
    scenario.seed = spec_.base.seed + seed_of(job);
    return scenario;
}

SweepPoint SweepResults::point_of(std::size_t value) const {
    SweepPoint point;
    point.value = spec_.values[value];
    std::vector<double> throughput;
    const Measurement* first = nullptr;
    for (const auto& done : measurements_[value]) {
        if (!done) continue;
        if (first == nullptr) first = &*done;
        throughput.push_back(done->records_per_second);
    }
    if (first == nullptr) return point;
    point.seeds = static_cast<int>(throughput.size());
    point.median = quantile(throughput, 0.5);
    point.low = quantile(throughput, 0.05);
    point.high = quantile(throughput, 0.95);
    point.buckets = first->buckets;
    point.flushes_per_second = first->flushes_per_second;
    point.ipis_per_second = first->ipis_per_second;
    point.full_share = first->full_share;
    return point;
}

SweepPoint SweepResults::add(std::size_t job, const Measurement& measurement) {
    ++ended_;
    measurements_[value_of(job)][seed_of(job)] = measurement;
    return point_of(value_of(job));
}

SweepPoint SweepResults::skip(std::size_t job) {
    ++ended_;
    return point_of(value_of(job));
}

double SweepResults::progress() const {
    return static_cast<double>(ended_) / static_cast<double>(jobs());
}

} // namespace tlbscope
