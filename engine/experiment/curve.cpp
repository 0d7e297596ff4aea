#include "engine/experiment/curve.h"

#include "engine/experiment/curve_results.h"
#include "engine/experiment/parallel.h"

#include <mutex>

namespace tlbscope {

void run_curve(const CurveSpec& spec, const CurveMeasure& measure, const std::atomic<bool>& cancel,
               const std::function<void(const CurvePoint&, const CurveProgress&)>& point, int threads) {
    CurveResults results(spec);
    std::mutex mutex;
    run_parallel(results.jobs(), threads, cancel, [&](std::size_t job) {
        CurveRun run;
        if (!measure(results.scenario(job), results.limits(), cancel, run)) return;
        const std::lock_guard lock(mutex);
        if (cancel) return;
        const CurvePoint updated = results.add(job, run);
        point(updated, results.progress());
    });
}

void run_curve(const CurveSpec& spec, const std::string& resources, const std::atomic<bool>& cancel,
               const std::function<void(const CurvePoint&, const CurveProgress&)>& point, int threads) {
    run_curve(spec, simulate_curve(CurveResults(spec).first_scenarios(), resources), cancel, point, threads);
}

} // namespace tlbscope
