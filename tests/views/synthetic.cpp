#include "tests/views/synthetic.h"

#include <algorithm>

namespace tlbscope::synthetic {

namespace {

void add_array(MachineDescription& m, TlbLevel level, int sibling, std::uint32_t entries,
               std::uint16_t ways) {
    TlbArray array;
    array.level = level;
    array.sibling = static_cast<std::int8_t>(sibling);
    array.ways = ways;
    array.sets = entries / ways;
    array.first_cell = m.cells_per_core;
    m.cells_per_core += entries;
    m.arrays.push_back(array);
}

// IvyBridge: private L1 arrays, one STLB a core; Zen 3: everything shared.
void add_arrays(MachineDescription& m, Arrays kind) {
    const int siblings = m.topology.threads_per_core;
    for (int s = 0; s < siblings; ++s) {
        if (kind == Arrays::teaching) {
            add_array(m, TlbLevel::dtlb, s, 8, 4);
        } else if (kind == Arrays::ivybridge) {
            add_array(m, TlbLevel::dtlb, s, 64, 4);
            add_array(m, TlbLevel::dtlb_huge, s, 32, 4);
            add_array(m, TlbLevel::itlb, s, 64, 4);
        } else if (kind == Arrays::skylake) {
            add_array(m, TlbLevel::dtlb, s, 64, 4);
            add_array(m, TlbLevel::dtlb_huge, s, 32, 4);
            add_array(m, TlbLevel::itlb, s, 64, 8);
        }
    }
    if (kind == Arrays::teaching) add_array(m, TlbLevel::stlb, -1, 16, 4);
    if (kind == Arrays::ivybridge) add_array(m, TlbLevel::stlb, -1, 512, 4);
    if (kind == Arrays::skylake) add_array(m, TlbLevel::stlb, -1, 1536, 12);
    if (kind == Arrays::zen3) {
        add_array(m, TlbLevel::dtlb, -1, 64, 64);
        add_array(m, TlbLevel::itlb, -1, 64, 64);
        add_array(m, TlbLevel::stlb, -1, 1984, 16);
    }
}

void fill_cells(Snapshot& s, const Spec& spec, Random& random) {
    const MachineDescription& m = *s.machine;
    const int cores = m.topology.cores();
    s.cells.resize(static_cast<std::size_t>(cores) * m.cells_per_core);
    for (int core = 0; core < cores; ++core)
        for (const TlbArray& array : m.arrays) {
            const CpuView& cpu = s.cpus[m.topology.cpu_of(core, std::max<int>(0, array.sibling))];
            const bool idle = cpu.state == CpuState::idle || cpu.state == CpuState::lazy;
            const double fill = array.level == TlbLevel::dtlb_huge ? 0.3 : idle ? 0.12 : 0.9;
            for (std::uint32_t i = 0; i < array.entries(); ++i) {
                TlbCell& cell =
                    s.cells[static_cast<std::size_t>(core) * m.cells_per_core + array.first_cell + i];
                cell.sibling = static_cast<std::uint8_t>(
                    array.sibling >= 0 ? array.sibling : random.below(m.topology.threads_per_core));
                cell.age = static_cast<std::uint8_t>((random.below(256) + spec.frame * 3) & 255);
                const double kind = random.unit();
                if (random.unit() < fill) {
                    cell.flags = TlbCell::kValid;
                    if (kind < 0.12) cell.flags |= TlbCell::kGlobal;
                    if (kind > 0.95 || array.level == TlbLevel::dtlb_huge) cell.flags |= TlbCell::kHuge;
                    if (random.unit() < (cpu.state == CpuState::servicing ? 0.06 : 0.004))
                        cell.flags |= TlbCell::kStale;
                    if (random.unit() < 0.03) cell.mark = EntryMark::just_refilled;
                } else if (!idle && random.unit() < 0.75) {
                    cell.mark = EntryMark::just_flushed;
                }
            }
        }
}

void set_states(Snapshot& s, const Spec& spec, Random& random) {
    const Topology& t = s.machine->topology;
    const int cpus = t.cpus();
    const int busy = spec.busy_cpus > 0 ? std::min(spec.busy_cpus, cpus) : std::max(2, cpus / 2);
    s.cpus.resize(static_cast<std::size_t>(cpus));
    static constexpr CpuState kBusy[] = {
        CpuState::user,  CpuState::user, CpuState::user,      CpuState::user,      CpuState::syscall,
        CpuState::fault, CpuState::user, CpuState::interrupt, CpuState::switching, CpuState::blocked};
    for (int c = 0; c < cpus; ++c) {
        CpuView& cpu = s.cpus[static_cast<std::size_t>(c)];
        cpu.state = c < busy               ? kBusy[random.below(10)]
                    : random.below(3) == 0 ? CpuState::idle
                                           : CpuState::lazy;
        cpu.task = c < busy ? static_cast<TaskId>(c + 1) : 0;
        cpu.mm = cpu.state == CpuState::idle ? 0 : 1;
        for (std::size_t b = 0; b < kBuckets; ++b)
            cpu.buckets[b] = random.below(100000);
    }
    if (!spec.shootdown || cpus < 2) return;
    const int targets = std::min(busy - 1, 255);
    CpuView& initiator = s.cpus[0];
    initiator.state = CpuState::waiting;
    initiator.shootdown = 1842;
    initiator.pages_total = 129;
    initiator.pages_done = 129;
    initiator.acks_needed = static_cast<std::uint8_t>(targets);
    for (int i = 1; i <= targets; ++i) {
        IpiView ipi;
        ipi.to = static_cast<CpuId>(i);
        ipi.shootdown = 1842;
        ipi.sent = s.now - 2800 - 90 * i;
        ipi.phase = static_cast<IpiPhase>((i - 1 + spec.frame / 20) % 4);
        ipi.progress = static_cast<float>(0.25 + 0.5 * ((i * 37 + spec.frame * 5) % 100) / 100.0);
        CpuView& target = s.cpus[static_cast<std::size_t>(i)];
        target.shootdown = 1842;
        target.pages_total = 129;
        if (ipi.phase == IpiPhase::pending) {
            target.irqs_off = true;
            target.ipi_pending = true;
            target.state = CpuState::syscall;
        } else if (ipi.phase == IpiPhase::servicing) {
            target.state = CpuState::servicing;
            target.pages_done = static_cast<std::int64_t>(129 * static_cast<double>(ipi.progress));
        } else if (ipi.phase == IpiPhase::acknowledging) {
            target.state = CpuState::user;
            target.pages_done = 129;
            ++initiator.acks_got;
        }
        s.ipis.push_back(ipi);
    }
}

void set_decision(Snapshot& s) {
    DecisionView& d = s.decision;
    d.shootdown = 1842;
    d.caller = "munmap";
    d.policy = "Linux 3.6–3.13";
    d.source = "c4211f42d3e6 “x86/tlb: add tlb_flushall_shift for specific CPU”";
    d.lines = {"pages > min(total_vm, entries) >> shift", "129 > min(61240, 512) >> 1", "129 > 256 is false"};
    d.outcome = "range flush of 129 pages";
    d.pages = 129;
    d.targets = 3;
    d.flush_cycles = 62400;
    d.wait_cycles = 21800;
    d.service_cycles = 8700;
    d.refill_cycles = 3200;
}

} // namespace

MachineDescription machine(const Spec& spec) {
    MachineDescription m;
    m.topology = spec.topology;
    m.recorded = spec.recorded;
    m.hz = spec.recorded ? 1e9 : 3.4e9;
    m.processor = spec.recorded ? "Linux 6.18 recording" : "i7-3770 IvyBridge";
    if (!spec.recorded) add_arrays(m, spec.arrays);
    return m;
}

std::shared_ptr<Snapshot> snapshot(const Spec& spec) {
    auto s = std::make_shared<Snapshot>();
    Random random{spec.seed * 7919 + 17};
    s->machine = std::make_shared<const MachineDescription>(machine(spec));
    s->run = spec.seed;
    s->sequence = static_cast<std::uint64_t>(spec.frame) + 1;
    s->log = log(spec);
    s->cursor =
        s->log.empty() ? 0 : s->log.first_index() + (s->log.end_index() - s->log.first_index()) * 3 / 5;
    if (!s->log.empty()) s->now = s->log[std::min(s->cursor, s->log.end_index() - 1)].time;
    s->event_count = s->log.end_index();
    set_states(*s, spec, random);
    fill_cells(*s, spec, random);
    const Topology& t = s->machine->topology;
    for (int c = 0; c < t.cpus(); ++c) {
        const CpuId cpu = static_cast<CpuId>(c);
        for (const TlbArray& array : s->machine->arrays) {
            if (array.sibling >= 0 && array.sibling != t.sibling_of(cpu)) continue;
            for (std::uint32_t i = 0; i < array.entries(); ++i) {
                const std::size_t at = static_cast<std::size_t>(t.core_of(cpu)) * s->machine->cells_per_core +
                                       array.first_cell + i;
                s->cpus[cpu].valid_entries += s->cells[at].flags & TlbCell::kValid;
            }
        }
    }
    if (spec.shootdown) set_decision(*s);
    s->counters = {1842, 5526, 37, 237618, 41'000'000, 947'100, 211'000, 5210, 921, 5530, 18402, 0};
    s->buckets_window = {47'00, 3'00, 4'00, 14'00, 4'00, 9'00, 8'00, 6'00, 1'00, 1'00, 3'00};
    s->window_cycles = 3'400'000;
    s->records_per_second = 8412;
    s->accesses_per_host_second = 41e6;
    s->slowdown = 2000;
    s->running = true;
    s->title = spec.recorded ? "kernel618_default_shootdowns.txt" : "ebizzy on IvyBridge, 4 threads";
    s->subtitle = spec.recorded ? "Linux 6.18 · 20 000 events" : "seed 7 · Linux 3.6–3.13";
    return s;
}

} // namespace tlbscope::synthetic
