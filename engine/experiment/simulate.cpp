#include "engine/experiment/simulate.h"

#include "engine/experiment/run_report.h"

namespace tlbscope {

Measure simulate_measure(const SweepSpec& spec, const std::string& resources) {
    const auto processor = load_processor(resources, spec.base.processor);
    const RunLength length{spec.warmup_seconds, spec.measure_seconds};
    return [processor, length](const Scenario& scenario,
                               const std::atomic<bool>& cancel) -> std::optional<Measurement> {
        const RunReport report = run_scenario(scenario, processor, length, cancel);
        if (!report.complete) return std::nullopt;
        Measurement m;
        m.records_per_second = report.per_second(report.records);
        m.flushes_per_second = report.per_second(report.vmstat.nr_tlb_remote_flush);
        m.ipis_per_second = report.per_second(report.vmstat.ipis_sent);
        m.full_share = report.full_share();
        m.buckets = report.buckets;
        return m;
    };
}

} // namespace tlbscope
