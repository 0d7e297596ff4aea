#include "engine/experiment/sweep.h"

#include "engine/experiment/simulate.h"
#include "engine/experiment/sweep_results.h"

namespace tlbscope {

void run_sweep(const SweepSpec& spec, const Measure& measure, const std::atomic<bool>& cancel,
               const std::function<void(const SweepPoint&, double progress)>& point) {
    SweepResults results(spec);
    for (std::size_t job = 0; job < results.jobs() && !cancel; ++job) {
        const auto measured = measure(results.scenario(job), cancel);
        if (!measured) return;
        const SweepPoint updated = results.add(job, *measured);
        point(updated, results.progress());
    }
}

void run_sweep(const SweepSpec& spec, const std::string& resources, const std::atomic<bool>& cancel,
               const std::function<void(const SweepPoint&, double progress)>& point) {
    run_sweep(spec, simulate_measure(spec, resources), cancel, point);
}

} // namespace tlbscope
