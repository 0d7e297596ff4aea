#include "engine/simulation/simulation.h"

#include "engine/core/error.h"

#include <bit>

namespace tlbscope {

namespace {

KernelConfig kernel_config(const Scenario& s, const ProcessorSpec& processor) {
    KernelConfig config;
    config.policy = &find_flush_policy(s.policy);
    config.shift = shift_of(s, processor);
    config.ceiling = ceiling_of(s);
    config.hz = s.hz;
    config.interrupts = s.interrupts;
    config.split = &split_of(s, processor);
    config.pae = s.pae != 0;
    config.invpcid = s.invpcid != 0;
    config.global_text = s.global_text != 0;
    config.placement = find_page_placement(s.placement);
    return config;
}

WorkloadConfig workload_config(const Scenario& s) {
    WorkloadConfig config;
    config.threads = s.threads;
    config.flush_pages = static_cast<std::uint32_t>(s.flush_pages);
    config.working_set_pages = static_cast<std::uint32_t>(s.working_set_pages);
    config.madvise = s.madvise != 0;
    config.subintervals = static_cast<std::uint32_t>(s.subintervals);
    return config;
}

Kernel make_kernel(const Scenario& s, std::shared_ptr<const ProcessorSpec> processor) {
    validate(s);
    processor = processor_of(s, std::move(processor));
    const Topology topology = topology_of(s, *processor);
    const KernelConfig config = kernel_config(s, *processor);
    Sharing sharing = Sharing::shared;
    switch (s.sibling_tlb) {
    case SiblingTlb::processor:
        return Kernel(std::move(processor), topology, config, nullptr, s.seed);
    case SiblingTlb::private_each:
        sharing = Sharing::private_each;
        break;
    case SiblingTlb::split:
        sharing = Sharing::split;
        break;
    case SiblingTlb::shared:
        sharing = Sharing::shared;
        break;
    }
    return Kernel(std::move(processor), topology, config, &sharing, s.seed);
}

Kernel& idle_until(Kernel& kernel, Cycles t) {
    CpuId cpu = 0;
    while (kernel.has_event() && kernel.next_time() <= t)
        kernel.dispatch(cpu);
    if (kernel.now() < t) kernel.set_now(t);
    return kernel;
}

} // namespace

Topology topology_of(const Scenario& s, const ProcessorSpec& processor) {
    Topology topology = processor.topology;
    if (s.sockets) topology.sockets = s.sockets;
    if (s.cores_per_socket) topology.cores_per_socket = s.cores_per_socket;
    if (s.threads_per_core) topology.threads_per_core = s.threads_per_core;
    topology.validate("topology");
    return topology;
}

int shift_of(const Scenario& s, const ProcessorSpec& processor) {
    return s.shift != Scenario::kDefault ? s.shift : find_flush_policy(s.policy).default_shift(processor);
}

int ceiling_of(const Scenario& s) {
    return s.ceiling != Scenario::kDefault ? s.ceiling : kDefaultCeiling;
}

const AddressSplit& split_of(const Scenario& s, const ProcessorSpec& processor) {
    const AddressSplit& split = find_address_split(s.split != "default"  ? s.split
                                                   : processor.long_mode ? "shared"
                                                                         : "3:1");
    if (split.long_mode != processor.long_mode)
        throw Error("split",
                    "\"" + s.split + "\" needs a " + (split.long_mode ? "64" : "32") + "-bit kernel, and " +
                        processor.name + " runs a " + (processor.long_mode ? "64" : "32") + "-bit one",
                    processor.long_mode ? "shared, kpti or kpti-pcid"
                                        : "3:1, 3:1-flush, 3:1-flush-global or 4:4");
    if (split.pcid && !processor.costs.cr3_write_noflush)
        throw Error("split", processor.name + " has no PCID", "kpti");
    if (s.pae && processor.long_mode)
        throw Error("pae", processor.name + " runs a 64-bit kernel, which has no choice", "0");
    return split;
}

std::shared_ptr<const ProcessorSpec> processor_of(const Scenario& s,
                                                  std::shared_ptr<const ProcessorSpec> processor) {
    const auto bytes = static_cast<std::uint64_t>(s.l2_kib) * 1024;
    if (!bytes || bytes == processor->l2.bytes) return processor;
    if (!std::has_single_bit(bytes / 64 / processor->l2.ways))
        throw Error("l2_kib", std::to_string(s.l2_kib) + " KiB cannot be divided over " +
                                  std::to_string(processor->l2.ways) + " ways of " + processor->name);
    auto changed = std::make_shared<ProcessorSpec>(*processor);
    changed->l2.bytes = bytes;
    return changed;
}

Simulation::Simulation(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor, Cycles start)
    : scenario_(scenario), kernel_(make_kernel(scenario, std::move(processor))),
      workload_(scenario.workload, workload_config(scenario), idle_until(kernel_, start), scenario.seed) {}

void Simulation::step() {
    CpuId cpu = 0;
    Kernel::Next next = kernel_.dispatch(cpu);
    while (next == Kernel::Next::user)
        next = workload_.run(kernel_, cpu);
}

void Simulation::run_until(Cycles t) {
    while (kernel_.has_event() && kernel_.next_time() <= t)
        step();
    if (kernel_.now() < t) kernel_.set_now(t);
}

bool Simulation::can_apply(const Scenario& scenario) const {
    return is_live_change(scenario_, scenario);
}

void Simulation::apply(const Scenario& scenario) {
    validate(scenario);
    if (!can_apply(scenario))
        throw Error("scenario", "processor, workload, topology, siblings, HZ or seed differ",
                    "start a new run");
    scenario_ = scenario;
    kernel_.set_config(kernel_config(scenario, kernel_.processor()));
    workload_.configure(workload_config(scenario), kernel_);
}

Totals Simulation::totals() const {
    Totals totals;
    for (CpuId cpu = 0; cpu < topology().cpus(); ++cpu) {
        const MmuCounters& m = kernel_.mmu().counters(cpu);
        totals.mmu.accesses += m.accesses;
        totals.mmu.l1_hits += m.l1_hits;
        totals.mmu.stlb_hits += m.stlb_hits;
        totals.mmu.walks += m.walks;
        totals.mmu.faults += m.faults;
        totals.mmu.stale_uses += m.stale_uses;
        totals.mmu.refills += m.refills;
        const BucketCycles buckets = kernel_.buckets(cpu);
        for (std::size_t b = 0; b < kBuckets; ++b)
            totals.buckets[b] += buckets[b];
    }
    return totals;
}

} // namespace tlbscope
