#include "app/cli/simulate_command.h"

#include "app/cli/figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/scenario_figures.h"
#include "app/resource_folder.h"

#include <cinttypes>
#include <cstdio>
#include <numeric>

namespace tlbscope {

namespace {

const char* const kFooter =
    "JSON and CSV keys; counts and cycles are those of the measured part:\n"
    "  version                  1; grows when a key changes its meaning\n"
    "  scenario.*               the options, with shift and ceiling as given, or default\n"
    "  shift, ceiling           as in force in the simulated kernel\n"
    "  processor, cpus, clock_hz\n"
    "  complete                 false when interrupted\n"
    "  warmup_cycles, elapsed_cycles, elapsed_seconds\n"
    "  records, record_name, records_per_second\n"
    "  counters.*               nr_tlb_* as in /proc/vmstat of that kernel; page_faults,\n"
    "                           context_switches, ipis_sent, ipis_received\n"
    "  tlb.*                    accesses = l1_hits + stlb_hits + walks + faults; refills; stale_uses\n"
    "  decisions.full, decisions.range\n"
    "  cycles.OWNER             of all CPUs; their sum is cpus times elapsed_cycles\n"
    "  events, event_hash       the same options give the same hash\n"
    "Ctrl-C prints what was measured so far, with complete false, and ends with status 1.";

Figures figures_of(const RunReport& report) {
    Figures f;
    f.add("version", std::int64_t{1});
    add_scenario(f, report.scenario);
    f.add("shift", std::int64_t{report.shift});
    f.add("ceiling", std::int64_t{report.ceiling});
    f.add("processor", report.processor);
    f.add("cpus", std::int64_t{report.cpus});
    f.add("clock_hz", report.hz);
    f.add("complete", report.complete);
    f.add("warmup_cycles", std::int64_t{report.warmup});
    f.add("elapsed_cycles", std::int64_t{report.cycles});
    f.add("elapsed_seconds", report.seconds());
    f.add("records", report.records);
    f.add("record_name", report.record_name);
    f.add("records_per_second", report.per_second(report.records));
    f.add("counters.nr_tlb_remote_flush", report.vmstat.nr_tlb_remote_flush);
    f.add("counters.nr_tlb_remote_flush_received", report.vmstat.nr_tlb_remote_flush_received);
    f.add("counters.nr_tlb_local_flush_all", report.vmstat.nr_tlb_local_flush_all);
    f.add("counters.nr_tlb_local_flush_one", report.vmstat.nr_tlb_local_flush_one);
    f.add("counters.page_faults", report.vmstat.page_faults);
    f.add("counters.context_switches", report.vmstat.context_switches);
    f.add("counters.ipis_sent", report.vmstat.ipis_sent);
    f.add("counters.ipis_received", report.vmstat.ipis_received);
    f.add("tlb.accesses", report.mmu.accesses);
    f.add("tlb.l1_hits", report.mmu.l1_hits);
    f.add("tlb.stlb_hits", report.mmu.stlb_hits);
    f.add("tlb.walks", report.mmu.walks);
    f.add("tlb.faults", report.mmu.faults);
    f.add("tlb.refills", report.mmu.refills);
    f.add("tlb.stale_uses", report.mmu.stale_uses);
    f.add("decisions.full", report.full_decisions);
    f.add("decisions.range", report.range_decisions);
    add_buckets(f, report.buckets);
    f.add("events", report.events);
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016" PRIx64, report.event_hash);
    f.add("event_hash", std::string(hash));
    return f;
}

void print_count(const RunReport& report, const char* name, std::uint64_t count) {
    std::printf("  %-30s %16s %16s /s\n", name, with_spaces(static_cast<std::int64_t>(count)).c_str(),
                with_spaces(report.per_second(count), 0).c_str());
}

void print_counters(const RunReport& report) {
    std::printf("\nCounters\n");
    print_count(report, "nr_tlb_remote_flush", report.vmstat.nr_tlb_remote_flush);
    print_count(report, "nr_tlb_remote_flush_received", report.vmstat.nr_tlb_remote_flush_received);
    print_count(report, "nr_tlb_local_flush_all", report.vmstat.nr_tlb_local_flush_all);
    print_count(report, "nr_tlb_local_flush_one", report.vmstat.nr_tlb_local_flush_one);
    print_count(report, "page faults", report.vmstat.page_faults);
    print_count(report, "context switches", report.vmstat.context_switches);
    print_count(report, "IPIs sent", report.vmstat.ipis_sent);
    print_count(report, "TLB accesses", report.mmu.accesses);
    print_count(report, "  L1 hits", report.mmu.l1_hits);
    print_count(report, "  STLB hits", report.mmu.stlb_hits);
    print_count(report, "  page walks", report.mmu.walks);
    print_count(report, "  page faults", report.mmu.faults);
    print_count(report, "refills after a flush", report.mmu.refills);
    print_count(report, "stale uses", report.mmu.stale_uses);
}

void print_buckets(const RunReport& report) {
    const Cycles sum = std::accumulate(report.buckets.begin(), report.buckets.end(), Cycles{0});
    std::printf("\nCycles of all CPUs\n");
    for (std::size_t b = 0; b < kBuckets; ++b)
        std::printf("  %-30s %16s %15.2f %%\n", to_string(static_cast<Bucket>(b)),
                    with_spaces(std::int64_t{report.buckets[b]}).c_str(),
                    sum > 0 ? 100.0 * static_cast<double>(report.buckets[b]) / static_cast<double>(sum)
                            : 0.0);
    std::printf("  %-30s %16s = %d CPUs x %s\n", "sum", with_spaces(std::int64_t{sum}).c_str(), report.cpus,
                with_spaces(std::int64_t{report.cycles}).c_str());
}

void print_text(const RunReport& report) {
    const Scenario& s = report.scenario;
    std::printf("%s on %s, %d threads, kernel %s, shift %d, ceiling %d pages, seed %" PRIu64 "\n",
                s.workload.c_str(), report.processor.c_str(), s.threads, s.policy.c_str(), report.shift,
                report.ceiling, s.seed);
    std::printf("%.3f ms measured after %.3f ms, %d CPUs at %.2f GHz%s\n", report.seconds() * 1e3,
                static_cast<double>(report.warmup) / report.hz * 1e3, report.cpus, report.hz / 1e9,
                report.complete ? "" : ", interrupted");
    std::printf("\nThroughput\n");
    print_count(report, report.record_name.c_str(), report.records);
    print_counters(report);
    std::printf("\nFlush decisions\n");
    print_count(report, "full", report.full_decisions);
    print_count(report, "range", report.range_decisions);
    for (std::size_t i = 0; i < report.latest_decision.size(); ++i)
        std::printf("  %-12s %s\n", i == 0 ? "the latest:" : "", report.latest_decision[i].c_str());
    print_buckets(report);
    std::printf("\n%s events, hash %016" PRIx64 "\n",
                with_spaces(static_cast<std::int64_t>(report.events)).c_str(), report.event_hash);
}

} // namespace

void SimulateCommand::add_to(CLI::App& app) {
    app.add_option("--seconds", length_.measure_seconds, "Simulated seconds to measure.")
        ->type_name("S")
        ->check(CLI::Range(1e-6, 3600.0));
    app.add_option("--warmup", length_.warmup_seconds, "Simulated seconds before the measured part.")
        ->type_name("S")
        ->check(CLI::Range(0.0, 3600.0));
    format_.add_to(app);
    scenario_.add_to(app);
    app.footer(kFooter);
}

int SimulateCommand::run() {
    const std::string resources = resource_folder();
    const Scenario scenario = scenario_.scenario(resources);
    const InterruptGuard guard;
    Progress progress("simulating");
    const RunReport report =
        run_scenario(scenario, load_processor(resources, scenario.processor), length_,
                     InterruptGuard::requested(), [&](double share) { progress.show(share); });
    progress.finish();
    if (format_.json)
        std::fputs(to_json(figures_of(report)).c_str(), stdout);
    else if (format_.csv)
        std::fputs(to_csv(figures_of(report)).c_str(), stdout);
    else
        print_text(report);
    return report.complete ? exit_done : exit_failed;
}

} // namespace tlbscope
