#include "engine/experiment/run_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tlbscope {

namespace {

// Runs in slices of about two milliseconds of host time.
class SlicedRun {
public:
    SlicedRun(Simulation& simulation, Cycles end, const std::atomic<bool>& cancel,
              const std::function<void(double)>& progress)
        : simulation_(simulation), end_(end), cancel_(cancel), progress_(progress) {}

    // False when cancelled. `after` is called after every slice.
    template <class After>
    bool until(Cycles t, After&& after) {
        using Clock = std::chrono::steady_clock;
        while (simulation_.now() < t) {
            if (cancel_) return false;
            const auto begin = Clock::now();
            simulation_.run_until(std::min(t, simulation_.now() + slice_));
            after();
            const auto took = Clock::now() - begin;
            if (took < std::chrono::milliseconds(1))
                slice_ = std::min<Cycles>(slice_ * 2, 1'000'000'000);
            else if (took > std::chrono::milliseconds(3))
                slice_ = std::max<Cycles>(slice_ / 2, 100);
            if (progress_) progress_(static_cast<double>(simulation_.now()) / static_cast<double>(end_));
        }
        return true;
    }

private:
    Simulation& simulation_;
    Cycles end_;
    const std::atomic<bool>& cancel_;
    const std::function<void(double)>& progress_;
    Cycles slice_ = 10'000;
};

// Everything that counts up from time 0.
struct Counts {
    explicit Counts(const Simulation& simulation)
        : records(simulation.records()), events(simulation.event_count()), now(simulation.now()),
          vmstat(simulation.kernel().vmstat()), totals(simulation.totals()) {}

    std::uint64_t records, events;
    Cycles now;
    VmStat vmstat;
    Totals totals;
};

template <class Struct, std::size_t N>
void subtract(Struct& from, const Struct& what, std::uint64_t Struct::*const (&members)[N]) {
    static_assert(sizeof(Struct) == N * sizeof(std::uint64_t), "a counter is missing in the list");
    for (const auto member : members)
        from.*member -= what.*member;
}

void add_difference(RunReport& report, const Counts& begin, const Counts& end) {
    static constexpr std::uint64_t VmStat::*kVmStat[] = {
        &VmStat::nr_tlb_remote_flush,
        &VmStat::nr_tlb_remote_flush_received,
        &VmStat::nr_tlb_local_flush_all,
        &VmStat::nr_tlb_local_flush_one,
        &VmStat::page_faults,
        &VmStat::context_switches,
        &VmStat::ipis_sent,
        &VmStat::ipis_received,
        &VmStat::csds_sent,
        &VmStat::csds_received,
    };
    static constexpr std::uint64_t MmuCounters::*kMmu[] = {
        &MmuCounters::accesses, &MmuCounters::l1_hits,    &MmuCounters::stlb_hits, &MmuCounters::walks,
        &MmuCounters::faults,   &MmuCounters::stale_uses, &MmuCounters::refills,
    };
    report.warmup = begin.now;
    report.cycles = end.now - begin.now;
    report.records = end.records - begin.records;
    report.events = end.events - begin.events;
    report.vmstat = end.vmstat;
    subtract(report.vmstat, begin.vmstat, kVmStat);
    report.mmu = end.totals.mmu;
    subtract(report.mmu, begin.totals.mmu, kMmu);
    for (std::size_t b = 0; b < kBuckets; ++b)
        report.buckets[b] = end.totals.buckets[b] - begin.totals.buckets[b];
}

} // namespace

RunReport run_scenario(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor,
                       const RunLength& length, const std::atomic<bool>& cancel,
                       const std::function<void(double)>& progress) {
    Simulation simulation(scenario, std::move(processor));
    const double hz = simulation.processor().hz;
    const Cycles warmup = std::llround(length.warmup_seconds * hz);
    const Cycles end = warmup + std::max<Cycles>(1, std::llround(length.measure_seconds * hz));

    RunReport report;
    report.scenario = scenario;
    report.shift = simulation.shift();
    report.ceiling = simulation.ceiling();
    report.processor = simulation.processor().title();
    report.record_name = simulation.workload().record_name();
    report.cpus = simulation.topology().cpus();
    report.hz = hz;

    SlicedRun run(simulation, end, cancel, progress);
    const bool warm = run.until(warmup, [] {});
    const Counts begin(simulation);
    std::vector<Event> events;
    simulation.listen(&events);
    report.complete = warm && run.until(end, [&] {
        for (const Event& event : events)
            if (event.kind == EventKind::flush_decision)
                ++(event.sub == 1 ? report.full_decisions : report.range_decisions);
        events.clear();
    });
    simulation.listen(nullptr);
    add_difference(report, begin, Counts(simulation));
    report.event_hash = simulation.event_hash();
    if (const FlushRequest* latest = simulation.kernel().flush(simulation.kernel().last_flush()))
        report.latest_decision = latest->policy->explain(latest->input, latest->decision);
    return report;
}

} // namespace tlbscope
