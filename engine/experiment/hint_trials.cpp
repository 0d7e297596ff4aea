// One call of HINT's Run(), on the simulation.
#include "engine/experiment/hint_benchmark.h"
#include "engine/experiment/lap_measurement.h"
#include "engine/hardware/processor.h"

#include <algorithm>

namespace tlbscope {

HintRun simulate_hint(const Scenario& scenario, const std::string& resources) {
    const auto processor = load_processor(resources, scenario.processor);
    const SimulationLaps checked(scenario, processor);
    return [processor](const Scenario& wanted, std::uint64_t laps, int trials,
                       const std::atomic<bool>& cancel, HintTrials& out) {
        Scenario single = wanted;
        single.threads = 1;
        SimulationLaps source(single, processor);
        const Cycles start = source.mark().time;
        WorkMark before = source.mark();
        out = {};
        for (int trial = 0; trial < trials; ++trial) {
            WorkMark now = before;
            while (now.laps < before.laps + laps) {
                if (!source.next_lap(cancel)) return false;
                now = source.mark();
            }
            const double seconds = static_cast<double>(now.time - before.time) / processor->hz /
                                   static_cast<double>(now.laps - before.laps);
            out.fastest = trial == 0 ? seconds : std::min(out.fastest, seconds);
            before = now;
        }
        out.seconds = static_cast<double>(before.time - start) / processor->hz;
        return true;
    };
}

} // namespace tlbscope
