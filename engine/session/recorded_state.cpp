#include "engine/session/recorded_state.h"

#include <algorithm>

namespace tlbscope {
namespace {

// Bucket::count_: no owner.
Bucket bucket_of(CpuState state) {
    switch (state) {
    case CpuState::idle:
    case CpuState::lazy:
    case CpuState::blocked:
        return Bucket::idle;
    case CpuState::user:
        return Bucket::user;
    case CpuState::syscall:
        return Bucket::syscall;
    case CpuState::fault:
        return Bucket::fault;
    case CpuState::flushing:
        return Bucket::local_flush;
    case CpuState::waiting:
        return Bucket::wait_acks;
    case CpuState::servicing:
        return Bucket::ipi_service;
    case CpuState::interrupt:
        return Bucket::interrupt;
    case CpuState::switching:
        return Bucket::switch_mm;
    case CpuState::unknown:
        break;
    }
    return Bucket::count_;
}

} // namespace

RecordedState::RecordedState(int cpus) : cpus_(static_cast<std::size_t>(std::max(cpus, 0))) {}

CpuState RecordedState::state_of(const Cpu& cpu) {
    if (cpu.irq == Irq::call_function) return CpuState::servicing;
    if (cpu.irq == Irq::other) return CpuState::interrupt;
    if (cpu.waiting) return CpuState::waiting;
    if (cpu.fault) return CpuState::fault;
    if (cpu.blocked && cpu.base == Base::idle) return CpuState::blocked;
    if (cpu.syscall && cpu.base == Base::user) return CpuState::syscall;
    if (cpu.base == Base::idle) return CpuState::idle;
    return cpu.base == Base::user ? CpuState::user : CpuState::unknown;
}

void RecordedState::account(Cpu& cpu, std::int64_t now) {
    const Bucket owner = bucket_of(state_of(cpu));
    if (owner != Bucket::count_ && now > cpu.since)
        cpu.buckets[static_cast<std::size_t>(owner)] += now - cpu.since;
    cpu.since = std::max(cpu.since, now);
}

void RecordedState::take(const Event& e, const Names& names) {
    count(e, names);
    if (e.cpu >= cpus_.size()) return;
    Cpu& cpu = cpus_[e.cpu];
    account(cpu, e.time);
    if (cpu.task != e.task) cpu.syscall = cpu.fault = cpu.waiting = false;
    cpu.task = e.task;
    cpu.base = e.task == 0 ? Base::idle : Base::user;

    switch (e.kind) {
    case EventKind::sched_switch:
        cpu.task = e.aux;
        cpu.base = e.aux == 0 ? Base::idle : Base::user;
        cpu.syscall = cpu.fault = cpu.waiting = false;
        cpu.irq = Irq::none;
        break;
    case EventKind::sys_enter:
        cpu.syscall = true;
        cpu.waiting = false;
        break;
    case EventKind::sys_exit:
        cpu.syscall = cpu.waiting = false;
        break;
    case EventKind::tlb_flush:
        cpu.pages = e.arg;
        if (static_cast<FlushReason>(e.sub) == FlushReason::remote_send_ipi) cpu.waiting = true;
        break;
    case EventKind::flush_decision:
        cpu.pages = e.arg;
        break;
    case EventKind::shootdown_wait:
        cpu.waiting = true;
        break;
    case EventKind::shootdown_done:
        cpu.waiting = false;
        break;
    case EventKind::call_function_single_entry:
    case EventKind::call_function_entry:
        cpu.irq = Irq::call_function;
        cpu.pages = 0;
        break;
    case EventKind::ipi_entry:
    case EventKind::reschedule_entry:
    case EventKind::local_timer_entry:
    case EventKind::irq_vector_entry:
        cpu.irq = Irq::other;
        break;
    case EventKind::call_function_single_exit:
    case EventKind::call_function_exit:
    case EventKind::ipi_exit:
    case EventKind::reschedule_exit:
    case EventKind::local_timer_exit:
    case EventKind::irq_vector_exit:
        cpu.irq = Irq::none;
        break;
    case EventKind::page_fault_user:
    case EventKind::page_fault_kernel:
        // The kernel traces no end of a fault; it is a moment only.
        cpu.waiting = false;
        break;
    case EventKind::lost:
        // Whatever was going on may have ended unseen.
        cpu.syscall = cpu.fault = cpu.waiting = false;
        cpu.irq = Irq::none;
        break;
    default:
        break;
    }
}

void RecordedState::count(const Event& e, const Names& names) {
    CounterView& c = counters_;
    switch (e.kind) {
    case EventKind::tlb_flush: {
        const std::size_t code = std::min<std::size_t>(e.sub, c.flushes_by_reason.size() - 1);
        ++c.flushes_by_reason[code];
        switch (static_cast<FlushReason>(e.sub)) {
        case FlushReason::remote_send_ipi:
            ++c.nr_tlb_remote_flush;
            break;
        case FlushReason::remote_shootdown:
        case FlushReason::remote_wrong_cpu:
            ++c.nr_tlb_remote_flush_received;
            break;
        case FlushReason::local_shootdown:
        case FlushReason::local_mm_shootdown:
            if (e.arg == kTlbFlushAll)
                ++c.nr_tlb_local_flush_all;
            else if (e.arg > 0)
                c.nr_tlb_local_flush_one += static_cast<std::uint64_t>(e.arg);
            break;
        default:
            break;
        }
        break;
    }
    case EventKind::sched_switch:
        ++c.context_switches;
        break;
    case EventKind::page_fault_user:
    case EventKind::page_fault_kernel:
        ++c.page_faults;
        break;
    case EventKind::ipi_send_cpu:
        ++c.ipis_sent;
        break;
    case EventKind::ipi_send_cpumask:
    case EventKind::ipi_raise:
        if (e.arg >= 0 && static_cast<std::size_t>(e.arg) < names.masks.size())
            c.ipis_sent += names.masks[static_cast<std::size_t>(e.arg)].size();
        break;
    case EventKind::workload_record:
        ++c.records;
        break;
    default:
        break;
    }
}

void RecordedState::view(CpuId index, std::int64_t now, CpuView& out) const {
    Cpu cpu = cpus_[index];
    account(cpu, now);
    out.state = state_of(cpu);
    out.task = cpu.task;
    out.buckets = cpu.buckets;
    if (out.state == CpuState::servicing || out.state == CpuState::waiting) out.pages_total = cpu.pages;
}

} // namespace tlbscope
