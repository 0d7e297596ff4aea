// Published figures made again by the simulation.
#include "engine/experiment/hint_benchmark.h"
#include "engine/experiment/validation.h"
#include "engine/hardware/processor.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

// Simulated seconds of a run: twenty ticks at 100 Hz. What is not compared needs less.
constexpr double kCompared = 0.2, kAlone = 0.05;
constexpr std::uint64_t kProbeWork = 1000;

// Differences of a hundredth of a per cent want their points at the same subintervals and many laps, not
// many points.
HintParameters net_quips_parameters() {
    HintParameters parameters = find_hint_preset("2004").parameters;
    parameters.advance = 1.25;
    parameters.runtm = 0.01;
    return parameters;
}

class Model {
public:
    Model(const std::string& resources, const PublishedFigure& figure, const std::atomic<bool>& cancel)
        : resources_(resources), figure_(figure), cancel_(cancel) {}

    // False when cancelled.
    bool value(double& out) {
        switch (figure_.measure) {
        case PublishedMeasure::rate:
            return rate(figure_.scenario, work(figure_.scenario, kAlone), out);
        case PublishedMeasure::time:
            if (!rate(figure_.scenario, work(figure_.scenario, kAlone), out)) return false;
            out = 1 / out;
            return true;
        case PublishedMeasure::time_added: {
            double base = 0;
            const std::uint64_t same = work(figure_.baseline, kAlone);
            if (!rate(figure_.baseline, same, base) || !rate(figure_.scenario, same, out)) return false;
            out = 1 / out - 1 / base;
            return true;
        }
        case PublishedMeasure::change:
            return change(figure_.scenario, figure_.baseline, out);
        case PublishedMeasure::extra_change: {
            Scenario scenario = figure_.scenario, baseline = figure_.baseline;
            scenario.workload = baseline.workload = figure_.plain;
            double plain = 0;
            if (!change(figure_.scenario, figure_.baseline, out) || !change(scenario, baseline, plain))
                return false;
            out -= plain;
            return true;
        }
        case PublishedMeasure::net_quips: {
            double base = 0;
            if (!net_quips(figure_.baseline, base) || !net_quips(figure_.scenario, out)) return false;
            out = 100 * (out / base - 1);
            return true;
        }
        }
        return false;
    }

private:
    // Work that takes so many simulated seconds; 0 when cancelled.
    std::uint64_t work(const Scenario& scenario, double seconds) const {
        const auto processor = load_processor(resources_, scenario.processor);
        CurveRun probe;
        if (!run_curve_point(scenario, processor, {kProbeWork}, cancel_, probe)) return 0;
        const double each = static_cast<double>(probe.cycles) / static_cast<double>(probe.work);
        return std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::llround(seconds * processor->hz / each)));
    }
    bool rate(const Scenario& scenario, std::uint64_t work, double& out) const {
        CurveRun run;
        if (work == 0 ||
            !run_curve_point(scenario, load_processor(resources_, scenario.processor), {work}, cancel_, run))
            return false;
        out = run.throughput;
        return true;
    }
    bool change(const Scenario& scenario, const Scenario& baseline, double& out) const {
        const std::uint64_t same = work(baseline, kCompared);
        double base = 0;
        if (!rate(baseline, same, base) || !rate(scenario, same, out)) return false;
        out = 100 * (out / base - 1);
        return true;
    }
    bool net_quips(const Scenario& scenario, double& out) const {
        const HintOutcome outcome = run_hint_benchmark(scenario, net_quips_parameters(),
                                                       simulate_hint(scenario, resources_), cancel_, {}, 1);
        out = outcome.net_quips;
        return outcome.complete();
    }

    const std::string& resources_;
    const PublishedFigure& figure_;
    const std::atomic<bool>& cancel_;
};

} // namespace

PublishedModel simulate_published(const std::string& resources) {
    return [resources](const PublishedFigure& figure, const std::atomic<bool>& cancel, double& value) {
        return Model(resources, figure, cancel).value(value);
    };
}

} // namespace tlbscope
