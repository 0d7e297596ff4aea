// flush_tlb_mm_range() and the shootdown protocol of 3.6 to 5.12: the initiator flushes itself
// first, then sends the IPIs and waits for every acknowledgement (concurrent only from 4ce94eabac16).
#include "engine/kernel/kernel.h"

namespace tlbscope {

// The next slot of the ring; one whose flush is still under way is passed over.
FlushRequest& Kernel::new_request() {
    while (!request(next_flush_).complete)
        ++next_flush_;
    FlushRequest& flush = request(next_flush_);
    std::vector<FlushTarget> targets = std::move(flush.targets); // keeps its capacity
    targets.clear();
    flush = {};
    flush.targets = std::move(targets);
    flush.id = next_flush_++;
    flush.complete = false;
    return flush;
}

// The kernel's half of a split address space is flushed here, the user's half at once by INVPCID or by
// the CR3 load at the exit to user mode (kern_pcid and user_pcid, 6cff64b86aaa).
Cycles Kernel::flush_cost(std::uint64_t pages, bool full) const {
    const Costs& costs = processor_->costs;
    if (full) return costs.cr3_write;
    const Cycles each = costs.invlpg + (config_.split->pcid && config_.invpcid ? costs.invpcid : 0);
    return static_cast<Cycles>(pages) * each;
}

void Kernel::local_flush(CpuId cpu, const FlushRequest& flush, bool full) {
    if (config_.split->pcid && (full || !config_.invpcid || !processor_->costs.invpcid)) {
        cpus_[cpu].flush_user_half = true;
        full = true;
    }
    if (full) {
        mmu_.flush_all(cpu, flush.id, now_);
        return;
    }
    for (PageNumber page = flush.start; page < flush.start + flush.pages; ++page)
        mmu_.invlpg(cpu, page, flush.id, now_);
}

// Step flush: decide, and spend the time of the local flush.
void Kernel::flush_tlb_mm_range(CpuId cpu, Task& task) {
    Mm& mm = mms_[task.mm];
    KernelOp& op = task.op;
    FlushRequest& flush = new_request();
    flush.initiator = cpu;
    flush.task = cpus_[cpu].current;
    flush.mm = mm.id;
    flush.caller = op.kind;
    flush.start = op.start;
    flush.pages = op.pages;
    flush.changes = mm.page_table.change_count();
    flush.begin = now_;
    flush.policy = config_.policy;
    flush.input.pages = static_cast<std::int64_t>(op.pages);
    flush.input.total_vm = mm.total_vm;
    flush.input.tlb_lld_4k = processor_->tlb_lld_4k;
    flush.input.tlb_lli_4k = processor_->tlb_lli_4k;
    flush.input.shift = config_.shift;
    flush.input.ceiling = config_.ceiling;
    flush.decision = config_.policy->decide(flush.input);
    const bool full = flush.decision.full;
    flush.remote_full = full;
    op.shootdown = flush.id;
    mm.cpumask.for_each([&](CpuId target) {
        if (target != cpu) flush.targets.push_back({target});
    });
    emit(EventKind::flush_decision, cpu, flush.input.pages, full, flush.id,
         static_cast<std::uint32_t>(flush.targets.size()));
    if (flush.decision.counted_full) ++vmstat_.nr_tlb_local_flush_all;
    if (!full && config_.policy->has_vmstat) vmstat_.nr_tlb_local_flush_one += op.pages;
    const Cycles cycles = flush_cost(op.pages, full);
    flush.flush_cycles += scaled(cpu, cycles);
    op.step = OpStep::send;
    start(cpu, Bucket::local_flush, cycles, Activity::flushing, true,
          full ? kTlbFlushAll : static_cast<std::int64_t>(op.pages));
}

// Step send: the local flush is done; native_flush_tlb_others() -> smp_call_function_many().
void Kernel::send_ipis(CpuId cpu, Task& task) {
    FlushRequest& flush = request(task.op.shootdown);
    local_flush(cpu, flush, flush.decision.full);
    const std::int64_t shown = flush.decision.full ? kTlbFlushAll : static_cast<std::int64_t>(flush.pages);
    emit(EventKind::tlb_flush, cpu, shown, static_cast<std::uint8_t>(FlushReason::local_mm_shootdown),
         flush.id);
    // A target may have left the mm during the local flush (leave_mm): the mask is read again.
    flush.targets.clear();
    mms_[flush.mm].cpumask.for_each([&](CpuId target) {
        if (target != cpu) flush.targets.push_back({target});
    });
    if (flush.targets.empty()) {
        task.op.step = OpStep::free_pages;
        return;
    }
    const Costs& costs = processor_->costs;
    ++vmstat_.nr_tlb_remote_flush;
    emit(EventKind::tlb_flush, cpu, shown, static_cast<std::uint8_t>(FlushReason::remote_send_ipi), flush.id);
    flush.acks_left = static_cast<std::uint32_t>(flush.targets.size());
    Cycles offset = scaled(cpu, costs.ipi_send);
    for (FlushTarget& to : flush.targets) {
        const CpuId target = to.cpu;
        ++vmstat_.csds_sent;
        emit(EventKind::csd_queue_cpu, cpu, std::int64_t{flush.id} * 4096 + target + 1, 0, flush.id, target);
        Cpu& other = cpus_[target];
        const bool idle_queue = other.csd_queue.empty();
        other.csd_queue.push_back(flush.id);
        const Cycles arrival = now_ + offset + costs.ipi_delivery;
        if (idle_queue) { // otherwise an IPI is on its way already (llist_add() says so)
            ++vmstat_.ipis_sent;
            emit(EventKind::ipi_send_cpu, cpu, 0, 0, 0, target);
            queue_.push(arrival, {QueuedKind::ipi, target, 0});
        }
        to.begin = now_;
        to.end = arrival;
        offset += scaled(cpu, costs.ipi_send_each);
    }
    task.op.step = OpStep::wait;
    start(cpu, Bucket::local_flush, costs.ipi_send + costs.ipi_send_each * (flush.acks_left - 1),
          Activity::flushing, false);
}

// Step wait: csd_lock_wait() with interrupts on, so that the initiator serves others meanwhile.
void Kernel::begin_wait(CpuId cpu, Task& task) {
    FlushRequest& flush = request(task.op.shootdown);
    if (!flush.sent) {
        flush.sent = now_;
        emit(EventKind::shootdown_wait, cpu, 0, 0, flush.id,
             static_cast<std::uint32_t>(flush.targets.size()));
    }
    if (flush.acks_left == 0) {
        task.op.step = OpStep::free_pages;
        return;
    }
    cpus_[cpu].waiting = true;
    start(cpu, Bucket::wait_acks, kForever, Activity::waiting);
}

void Kernel::finish_flush(CpuId cpu, Task& task) {
    FlushRequest& flush = request(task.op.shootdown);
    flush.complete = true;
    flush.end = now_;
    mms_[flush.mm].page_table.mark_flushed(flush.start, flush.pages, flush.changes);
    if (!flush.targets.empty())
        emit(EventKind::shootdown_done, cpu, 0, 0, flush.id,
             static_cast<std::uint32_t>(flush.targets.size()));
    task.op.shootdown = 0;
}

// leave_mm(): a lazy CPU drops the mm instead of flushing pages, and gets no more IPIs for it.
void Kernel::leave_mm(CpuId id) {
    Cpu& cpu = cpus_[id];
    const std::uint32_t flush_id = cpu.serving[cpu.served];
    mms_[cpu.active_mm].cpumask.clear(id);
    mmu_.flush_all(id, flush_id, now_);
    emit(EventKind::leave_mm, id, mms_[cpu.active_mm].id, 0, flush_id);
}

} // namespace tlbscope
