// Interrupts: delivery, the call-function handler, acknowledgements, return.
#include "engine/kernel/kernel.h"

#include <utility>

namespace tlbscope {

constexpr std::int64_t kDeviceVector = 49; // any of those for devices

// An interrupt is due on this CPU: it is taken now, or when interrupts are on again.
void Kernel::deliver(CpuId id) {
    Cpu& cpu = cpus_[id];
    if (cpu.irq != IrqStep::none || !cpu.now.irqs_on || cpu.end <= now_) {
        if (!cpu.ipi_pending) return; // shootdowns queued for this CPU are still on their way
        for (const std::uint32_t flush_id : cpu.csd_queue)
            set_phase(flush_id, id, FlushTarget::Phase::pending, kForever);
        return; // advance() finds the pending flag
    }
    charge(id);
    cpu.interrupted = cpu.now;
    cpu.was_waiting = cpu.waiting;
    cpu.waiting = false;
    enter_irq(id);
}

// One cause at a time, shootdowns first; others follow with an entry of their own.
void Kernel::enter_irq(CpuId id) {
    Cpu& cpu = cpus_[id];
    const Costs& costs = processor_->costs;
    Stretch stretch;
    if (cpu.current == 0 && (cpu.now.activity == Activity::idle || cpu.now.activity == Activity::lazy ||
                             cpu.now.activity == Activity::blocked))
        stretch.parts[0] = {Bucket::idle, costs.idle_exit};
    else if (interrupts_user(id))
        stretch.parts[0] = {Bucket::cr3_load, scaled(id, enter_from_user(id))};
    cpu.irq_ipi = cpu.ipi_pending;
    cpu.irq_timer = !cpu.irq_ipi && cpu.timer_pending;
    cpu.irq_device = !cpu.irq_ipi && !cpu.irq_timer && cpu.device_pending;
    cpu.irq_resched = !cpu.irq_ipi && !cpu.irq_timer && !cpu.irq_device;
    if (cpu.irq_ipi)
        cpu.ipi_pending = false;
    else if (cpu.irq_timer)
        cpu.timer_pending = false;
    else if (cpu.irq_device)
        cpu.device_pending = false;
    else
        cpu.resched_pending = false;
    stretch.parts[1] = {cpu.irq_ipi ? Bucket::ipi_service : Bucket::interrupt, scaled(id, costs.irq_entry)};
    stretch.activity = cpu.irq_ipi ? Activity::servicing : Activity::interrupt;
    stretch.irqs_on = false;
    cpu.irq = IrqStep::entry;
    cpu.returning = false;
    if (cpu.irq_ipi)
        for (const std::uint32_t flush_id : cpu.csd_queue)
            set_phase(flush_id, id, FlushTarget::Phase::servicing, now_ + stretch.total());
    start(id, stretch);
}

void Kernel::advance_irq(CpuId id) {
    Cpu& cpu = cpus_[id];
    switch (cpu.irq) {
    case IrqStep::entry: {
        pending_cr3_ += flush_in_irq(id);
        const Costs& costs = processor_->costs;
        const Cycles misses = touch_kernel(id, cpu.irq_timer ? Entry::timer : Entry::interrupt);
        if (cpu.irq_timer) {
            ++entries_[id].ticks;
            emit(EventKind::local_timer_entry, id, 236);
            cpu.irq = IrqStep::exit;
            start(id, Bucket::interrupt, costs.timer_tick + misses, Activity::interrupt, false);
            return;
        }
        ++entries_[id].interrupts;
        if (cpu.irq_device) {
            emit(EventKind::irq_vector_entry, id, kDeviceVector);
            cpu.irq = IrqStep::exit;
            start(id, Bucket::interrupt, (costs.irq_handler ? costs.irq_handler : costs.timer_tick) + misses,
                  Activity::interrupt, false);
            return;
        }
        pending_irq_misses_ += misses;
        if (cpu.irq_resched) {
            ++vmstat_.ipis_received;
            emit(EventKind::reschedule_entry, id, 253);
            cpu.irq = IrqStep::exit;
            return;
        }
        ++vmstat_.ipis_received;
        cpu.serving.swap(cpu.csd_queue);
        cpu.csd_queue.clear();
        cpu.served = 0;
        // native_send_call_func_ipi() to a mask, native_send_call_func_single_ipi() to one CPU.
        cpu.irq_mask = !cpu.serving.empty() && request(cpu.serving[0]).targets.size() > 1;
        if (cpu.irq_mask)
            emit(EventKind::call_function_entry, id, 252);
        else
            emit(EventKind::call_function_single_entry, id, 251);
        if (!cpu.serving.empty())
            request(cpu.serving[0]).service_cycles +=
                scaled(id, processor_->costs.irq_entry) + scaled(id, processor_->costs.irq_exit);
        cpu.irq = IrqStep::next_csd;
        return;
    }
    case IrqStep::next_csd:
        serve_csd(id);
        return;
    case IrqStep::flush: {
        const std::uint32_t flush_id = cpu.serving[cpu.served];
        FlushRequest& flush = request(flush_id);
        if (cpu.lazy) {
            leave_mm(id);
        } else {
            local_flush(id, flush, flush.remote_full);
            emit(EventKind::tlb_flush, id,
                 flush.remote_full ? kTlbFlushAll : static_cast<std::int64_t>(flush.pages),
                 static_cast<std::uint8_t>(FlushReason::remote_shootdown), flush_id);
        }
        cpu.irq = IrqStep::finish;
        return;
    }
    case IrqStep::finish: { // csd_unlock()
        const std::uint32_t flush_id = cpu.serving[cpu.served++];
        FlushRequest& flush = request(flush_id);
        ++vmstat_.csds_received;
        emit(EventKind::csd_function_exit, id, std::int64_t{flush_id} * 4096 + id + 1, 0, flush_id);
        emit(EventKind::ipi_ack, id, 0, 0, flush_id, flush.initiator);
        set_phase(flush_id, id, FlushTarget::Phase::acknowledging, now_ + processor_->costs.ack);
        queue_.push(now_ + processor_->costs.ack, {QueuedKind::acknowledge, id, flush_id});
        cpu.irq = IrqStep::next_csd;
        return;
    }
    case IrqStep::exit:
        if (cpu.irq_timer) {
            emit(EventKind::local_timer_exit, id, 236);
            if (!cpu.run_queue.empty()) cpu.need_resched = true;
        } else if (cpu.irq_device) {
            emit(EventKind::irq_vector_exit, id, kDeviceVector);
        } else if (cpu.irq_resched) {
            emit(EventKind::reschedule_exit, id, 253);
        } else {
            emit(cpu.irq_mask ? EventKind::call_function_exit : EventKind::call_function_single_exit, id,
                 cpu.irq_mask ? 252 : 251);
        }
        pending_cr3_ += flush_in_irq(id);
        if (interrupts_user(id)) pending_cr3_ += leave_to_user(id);
        start(id, cpu.irq_ipi ? Bucket::ipi_service : Bucket::interrupt,
              processor_->costs.irq_exit + std::exchange(pending_irq_misses_, 0),
              cpu.irq_ipi ? Activity::servicing : Activity::interrupt, false);
        // The exit stretch is the last of the handler; its end returns to what was interrupted.
        cpu.irq = IrqStep::none;
        cpu.irq_ipi = cpu.irq_timer = cpu.irq_resched = cpu.irq_device = false;
        cpu.returning = true;
        return;
    case IrqStep::none:
        return;
    }
}

// flush_tlb_func() of 3.6 to 4.13.
void Kernel::serve_csd(CpuId id) {
    Cpu& cpu = cpus_[id];
    if (cpu.served >= cpu.serving.size()) {
        cpu.serving.clear();
        cpu.irq = IrqStep::exit;
        return;
    }
    const std::uint32_t flush_id = cpu.serving[cpu.served];
    FlushRequest& flush = request(flush_id);
    emit(EventKind::csd_function_entry, id, std::int64_t{flush_id} * 4096 + id + 1, 0, flush_id);
    if (cpu.active_mm != flush.mm) {
        cpu.irq = IrqStep::finish; // left the mm meanwhile: nothing to do, not counted
        return;
    }
    ++vmstat_.nr_tlb_remote_flush_received;
    if (cpu.lazy && !mms_[flush.mm].cpumask.test(id)) {
        cpu.irq = IrqStep::finish; // leave_mm() has been here for an earlier flush
        return;
    }
    const bool one_write = cpu.lazy || flush.remote_full;
    const Cycles cycles = flush_cost(flush.pages, one_write);
    flush.flush_cycles += scaled(id, cycles);
    set_phase(flush_id, id, FlushTarget::Phase::servicing, now_ + scaled(id, cycles));
    cpu.irq = IrqStep::flush;
    start(id, Bucket::ipi_service, cycles, Activity::servicing, false,
          one_write ? kTlbFlushAll : static_cast<std::int64_t>(flush.pages));
}

// Back to what was interrupted. Called once the exit stretch has been charged.
void Kernel::leave_irq(CpuId id) {
    Cpu& cpu = cpus_[id];
    cpu.returning = false;
    const Stretch interrupted = std::exchange(cpu.interrupted, {});
    const bool was_waiting = std::exchange(cpu.was_waiting, false);
    if (cpu.current == 0) return; // the idle loop looks for work
    if (was_waiting) {
        if (request(tasks_[cpu.current].op.shootdown).acks_left == 0) return; // the wait is over
        cpu.waiting = true;
    }
    if (interrupted.total() > 0) start(id, interrupted);
}

void Kernel::set_phase(std::uint32_t flush_id, CpuId target, FlushTarget::Phase phase, Cycles end) {
    if (FlushTarget* to = request(flush_id).find(target)) {
        to->phase = phase;
        to->begin = now_;
        to->end = end;
    }
}

Kernel::Next Kernel::acknowledge(std::uint32_t flush_id, CpuId& cpu) {
    FlushRequest& flush = request(flush_id);
    set_phase(flush_id, cpu, FlushTarget::Phase::done, now_);
    cpu = flush.initiator;
    Cpu& initiator = cpus_[cpu];
    if (--flush.acks_left > 0 || !initiator.waiting) return Next::nothing;
    end_now(cpu);
    initiator.waiting = false;
    return advance(cpu);
}

} // namespace tlbscope
