// The machine, its kernel and its workload as one value: copy it, and both copies run on alike.
#pragma once

#include "engine/kernel/kernel.h"
#include "engine/simulation/scenario.h"
#include "engine/workload/workload.h"

#include <memory>
#include <vector>

namespace tlbscope {

// Counters over all CPUs since time 0.
struct Totals {
    MmuCounters mmu;
    BucketCycles buckets{};
};

// Not thread-safe; every member belongs to one thread at a time.
class Simulation {
public:
    // `processor` must be the scenario's. The workload begins at time `start`; until then all CPUs idle.
    // Ticks come at whole multiples of their period, so that `start` fixes how soon the first one is due.
    // Throws Error for an invalid scenario.
    Simulation(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor, Cycles start = 0);

    const Scenario& scenario() const { return scenario_; }
    const Kernel& kernel() const { return kernel_; }
    const Workload& workload() const { return workload_; }
    const ProcessorSpec& processor() const { return kernel_.processor(); }
    const Topology& topology() const { return kernel_.topology(); }
    // tlb_flushall_shift and tlb_single_page_flush_ceiling in force.
    int shift() const { return kernel_.config().shift; }
    int ceiling() const { return kernel_.config().ceiling; }

    Cycles now() const { return kernel_.now(); }
    // Events emitted since time 0, whether or not anybody listens.
    std::uint64_t event_count() const { return kernel_.recorder().count(); }
    // Over all events so far; equal hashes mean equal runs.
    std::uint64_t event_hash() const { return kernel_.recorder().hash(); }
    std::uint64_t records() const { return workload_.records(); }
    Totals totals() const;

    // Events are appended to `sink` (not owned; null: nobody listens). A copy listens to the same
    // sink until told otherwise.
    void listen(std::vector<Event>* sink) { kernel_.recorder().listen(sink); }

    // One step of the event loop; emits no, one or several events, all at the same time.
    void step();
    // Steps until event_count() >= count. Where a step emits several events the count may be passed.
    void run_to_event(std::uint64_t count) {
        while (event_count() < count && kernel_.has_event())
            step();
    }
    void run_events(std::uint64_t n) { run_to_event(event_count() + n); }
    // All steps up to and including time t, then now() == t.
    void run_until(Cycles t);

    // Live change of policy, shift, ceiling, threads, flush_pages, working_set_pages and madvise.
    // Throws Error and changes nothing when the scenario is invalid or another field differs.
    void apply(const Scenario& scenario);
    // Whether apply() could take it.
    bool can_apply(const Scenario& scenario) const;

private:
    Scenario scenario_;
    Kernel kernel_;
    Workload workload_;
};

// The scenario's topology on that processor; throws Error when it is invalid.
Topology topology_of(const Scenario& scenario, const ProcessorSpec& processor);
// The shift the scenario runs with: its own, or the kernel's for that processor.
int shift_of(const Scenario& scenario, const ProcessorSpec& processor);
int ceiling_of(const Scenario& scenario);
// The split the scenario runs with. Throws Error when the processor cannot have it: 3:1 and 4:4 need a
// 32-bit processor, kpti a 64-bit one, kpti-pcid one with PCID.
const AddressSplit& split_of(const Scenario& scenario, const ProcessorSpec& processor);
// The processor with the scenario's L2; the same one where that changes nothing. Throws Error.
std::shared_ptr<const ProcessorSpec> processor_of(const Scenario& scenario,
                                                  std::shared_ptr<const ProcessorSpec> processor);

} // namespace tlbscope
