// mmap, munmap, madvise(MADV_DONTNEED) and mprotect as steps in time.
#include "engine/kernel/kernel.h"

namespace tlbscope {

namespace {

Syscall syscall_of(OpKind kind) {
    switch (kind) {
    case OpKind::mmap:
        return Syscall::mmap;
    case OpKind::munmap:
        return Syscall::munmap;
    case OpKind::madvise_dontneed:
        return Syscall::madvise;
    case OpKind::mprotect:
        return Syscall::mprotect;
    default:
        return Syscall::other;
    }
}

} // namespace

void Kernel::begin_syscall(CpuId cpu, OpKind kind, PageNumber start, std::uint64_t pages, bool writable) {
    KernelOp op;
    op.kind = kind;
    op.step = OpStep::enter;
    op.start = start;
    op.pages = pages;
    op.writable = writable;
    op.exclusive = kind != OpKind::madvise_dontneed;
    tasks_[cpus_[cpu].current].op = op;
    emit(EventKind::sys_enter, cpu, static_cast<std::int64_t>(start << kPageShift),
         static_cast<std::uint8_t>(syscall_of(kind)), 0, static_cast<std::uint32_t>(pages << kPageShift));
}

bool Kernel::step_op(CpuId cpu) {
    Task& task = tasks_[cpus_[cpu].current];
    return task.op.kind == OpKind::fault ? step_fault(cpu, task) : step_syscall(cpu, task);
}

// One atomic operation on mmap_sem; its cache line comes from another core where that had it last.
Cycles Kernel::rwsem_cost(CpuId cpu, Mm& mm) {
    const int core = topology_.core_of(cpu);
    const bool elsewhere = mm.mmap_sem_core >= 0 && mm.mmap_sem_core != core;
    mm.mmap_sem_core = core;
    return processor_->costs.rwsem + (elsewhere ? processor_->costs.ack : 0);
}

// False: the task sleeps on mmap_sem.
bool Kernel::lock(CpuId cpu, Task& task, bool write) {
    Mm& mm = mms_[task.mm];
    const TaskId id = cpus_[cpu].current;
    const bool retry = task.op.step == OpStep::retry_lock;
    const bool got = retry   ? (!write || mm.mmap_sem.retry_write(id)) // woken readers hold it already
                     : write ? mm.mmap_sem.down_write(id)
                             : mm.mmap_sem.down_read(id);
    if (got) {
        if (retry) emit(EventKind::mmap_sem_acquired, cpu, mm.id, write);
        task.op.step = OpStep::work;
        return true;
    }
    if (!retry) emit(EventKind::mmap_sem_blocked, cpu, mm.id, write);
    task.op.step = OpStep::retry_lock;
    task.state = TaskState::blocked;
    return false;
}

// Releases mmap_sem, wakes whom that lets go on, and spends the time it takes.
void Kernel::unlock(CpuId cpu, Task& task) {
    Mm& mm = mms_[task.mm];
    wake_list_.clear();
    if (task.op.exclusive)
        mm.mmap_sem.up_write(wake_list_);
    else
        mm.mmap_sem.up_read(wake_list_);
    const Costs& costs = processor_->costs;
    const auto woken = static_cast<Cycles>(wake_list_.size());
    for (const TaskId id : wake_list_)
        wake(cpu, id);
    const bool fault = task.op.kind == OpKind::fault;
    // try_to_wake_up() holds run-queue locks with interrupts off.
    start(cpu, fault ? Bucket::fault : Bucket::syscall, rwsem_cost(cpu, mm) + woken * costs.wakeup,
          fault ? Activity::fault : Activity::syscall, woken == 0);
}

// Clears (or, for mprotect, write-protects) what is mapped and gathers the pages to be freed.
void Kernel::zap(CpuId cpu, Task& task) {
    Mm& mm = mms_[task.mm];
    KernelOp& op = task.op;
    const Costs& costs = processor_->costs;
    Cycles cycles = 0;
    std::uint64_t changed = 0;
    for (PageNumber page = op.start; page < op.start + op.pages; ++page) {
        if (op.kind == OpKind::mprotect) {
            const PageTable::Leaf leaf = mm.page_table.leaf(page);
            if (!(leaf.pte & kPtePresent)) continue;
            const Pte pte = op.writable ? leaf.pte | kPteWrite : leaf.pte & ~kPteWrite;
            if (pte == leaf.pte) continue;
            mm.page_table.set(page, pte, [this, cpu] { return pages_.alloc(cpu); });
            cycles += costs.pte_protect;
        } else {
            const Pte pte = mm.page_table.clear(page);
            if (!pte) continue;
            task.gather.push_back(frame_of(pte));
            cycles += costs.pte_clear;
        }
        ++changed;
    }
    // tlb_finish_mmu() flushes only if something was gathered; then the whole range asked for (up to 3.18).
    op.step = changed ? OpStep::flush : OpStep::free_pages;
    start(cpu, Bucket::syscall, cycles, Activity::syscall);
}

bool Kernel::step_syscall(CpuId cpu, Task& task) {
    KernelOp& op = task.op;
    const Costs& costs = processor_->costs;
    switch (op.step) {
    case OpStep::enter:
        pending_cr3_ += enter_from_user(cpu);
        if (const Cycles misses = touch_kernel(cpu, Entry::syscall); op.kind == OpKind::null_call) {
            op.step = OpStep::leave;
            start(cpu, Bucket::syscall, costs.syscall / 2 + misses, Activity::syscall);
        } else {
            op.step = OpStep::lock;
            start(cpu, Bucket::syscall, costs.syscall / 2 + misses + rwsem_cost(cpu, mms_[task.mm]),
                  Activity::syscall);
        }
        return true;
    case OpStep::lock:
    case OpStep::retry_lock:
        return lock(cpu, task, op.exclusive);
    case OpStep::work: {
        Mm& mm = mms_[task.mm];
        op.step = OpStep::zap;
        if (op.kind == OpKind::mmap) {
            task.result = mm.mmap(op.pages);
            op.step = OpStep::unlock;
        } else if (op.kind == OpKind::munmap) {
            op.unmapped = mm.munmap(op.start, op.pages);
        } else if (op.kind == OpKind::mprotect) {
            mm.mprotect(op.start, op.pages, op.writable);
        }
        start(cpu, Bucket::syscall, costs.vma_operation, Activity::syscall);
        return true;
    }
    case OpStep::zap:
        zap(cpu, task);
        return true;
    case OpStep::flush:
        flush_tlb_mm_range(cpu, task);
        return true;
    case OpStep::send:
        send_ipis(cpu, task);
        return true;
    case OpStep::wait:
        begin_wait(cpu, task);
        return true;
    case OpStep::free_pages:
        if (op.shootdown) finish_flush(cpu, task);
        mms_[task.mm].total_vm -= op.unmapped;
        for (const std::uint32_t frame : task.gather)
            pages_.free(cpu, frame);
        start(cpu, Bucket::syscall, static_cast<Cycles>(task.gather.size()) * costs.page_free,
              Activity::syscall);
        task.gather.clear();
        op.step = OpStep::unlock;
        return true;
    case OpStep::unlock:
        op.step = OpStep::leave;
        unlock(cpu, task);
        return true;
    case OpStep::leave:
        op.step = OpStep::finish;
        pending_cr3_ += leave_to_user(cpu);
        // With the user's CR3 loaded nothing may interrupt the way out.
        start(cpu, Bucket::syscall, costs.syscall - costs.syscall / 2, Activity::syscall,
              !config_.split->switches_cr3);
        return true;
    case OpStep::finish:
    default:
        emit(EventKind::sys_exit, cpu,
             op.kind == OpKind::mmap ? static_cast<std::int64_t>(task.result << kPageShift) : 0,
             static_cast<std::uint8_t>(syscall_of(op.kind)));
        op = {};
        return true;
    }
}

} // namespace tlbscope
