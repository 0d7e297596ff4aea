#include "engine/experiment/lap_measurement.h"
#include "engine/simulation/simulation.h"

#include <map>

namespace tlbscope {

namespace {

Cycles period_of(const Scenario& scenario, const ProcessorSpec& processor) {
    return static_cast<Cycles>(processor.hz / scenario.hz);
}

} // namespace

struct SimulationLaps::Impl {
    Impl(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor)
        : period(period_of(scenario, *processor)), start(period - period / 16),
          simulation(scenario, std::move(processor), start) {}

    Cycles period, start;
    Simulation simulation;
};

SimulationLaps::SimulationLaps(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor) {
    validate(scenario); // before its hz is divided by
    impl_ = std::make_unique<Impl>(scenario, std::move(processor));
}

SimulationLaps::~SimulationLaps() = default;

bool SimulationLaps::next_lap(const std::atomic<bool>& cancel) {
    Simulation& simulation = impl_->simulation;
    const std::uint64_t before = simulation.workload().mark().laps;
    do {
        if (cancel.load(std::memory_order_relaxed)) return false;
        simulation.step();
    } while (simulation.workload().mark().laps == before);
    return true;
}

WorkMark SimulationLaps::mark() const {
    WorkMark mark = impl_->simulation.workload().mark();
    if (mark.laps == 0) mark.time = impl_->start;
    return mark;
}

Cycles SimulationLaps::tick_period() const {
    return impl_->period;
}

Cycles SimulationLaps::next_tick() const {
    return (mark().time / impl_->period + 1) * impl_->period;
}

bool run_curve_point(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor,
                     const CurveRunLimits& limits, const std::atomic<bool>& cancel, CurveRun& out) {
    const double hz = processor->hz;
    Scenario single = scenario;
    single.threads = 1;
    SimulationLaps laps(single, std::move(processor));
    const auto measured = measure_laps(laps, limits, cancel);
    if (!measured) return false;
    out = curve_run(*measured, single, hz);
    return true;
}

CurveMeasure simulate_curve(const std::vector<Scenario>& scenarios, const std::string& resources) {
    auto processors = std::make_shared<std::map<std::string, std::shared_ptr<const ProcessorSpec>>>();
    for (const Scenario& scenario : scenarios) {
        auto& processor = (*processors)[scenario.processor];
        if (!processor) processor = load_processor(resources, scenario.processor);
        const SimulationLaps built(scenario, processor);
    }
    return [processors](const Scenario& scenario, const CurveRunLimits& limits,
                        const std::atomic<bool>& cancel, CurveRun& out) {
        return run_curve_point(scenario, processors->at(scenario.processor), limits, cancel, out);
    };
}

} // namespace tlbscope
