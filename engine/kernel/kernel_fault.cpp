// An anonymous page fault: down_read(mmap_sem), allocate, clear, map.
#include "engine/kernel/kernel.h"

namespace tlbscope {

void Kernel::begin_fault(CpuId cpu, PageNumber page) {
    KernelOp op;
    op.kind = OpKind::fault;
    op.step = OpStep::trap;
    op.start = page;
    op.pages = 1;
    tasks_[cpus_[cpu].current].op = op;
}

bool Kernel::step_fault(CpuId cpu, Task& task) {
    KernelOp& op = task.op;
    const Costs& costs = processor_->costs;
    switch (op.step) {
    case OpStep::trap:
        ++vmstat_.page_faults;
        // Error code 6: user, write.
        emit(EventKind::page_fault_user, cpu, static_cast<std::int64_t>(op.start << kPageShift), 0, 0, 6);
        op.step = OpStep::enter;
        return true;
    case OpStep::enter:
        pending_cr3_ += enter_from_user(cpu);
        op.step = OpStep::lock;
        start(cpu, Bucket::fault,
              costs.fault + touch_kernel(cpu, Entry::syscall) + rwsem_cost(cpu, mms_[task.mm]),
              Activity::fault);
        return true;
    case OpStep::lock:
    case OpStep::retry_lock:
        return lock(cpu, task, false);
    case OpStep::work:
        if (mms_[task.mm].page_table.leaf(op.start).pte & kPtePresent) {
            op.step = OpStep::unlock; // another thread was faster
            return true;
        }
        op.frame = pages_.alloc(cpu, op.start);
        op.step = OpStep::zero;
        start(cpu, Bucket::fault, costs.page_alloc, Activity::fault, false); // per-CPU list: interrupts off
        return true;
    case OpStep::zero: {
        // clear_page() through the direct map.
        const PageNumber page = kernel_page(direct_map() + op.frame, cpu);
        const AccessResult map =
            mmu_.access_kernel(cpu, page, AccessKind::write, kernel_table_, caches_, now_);
        pending_kernel_walk_ += map.cycles;
        constexpr std::uint32_t lines = kPageBytes / 64;
        const Cycles miss = caches_.stream(topology_.core_of(cpu), op.frame * lines, lines);
        op.step = OpStep::unlock;
        start(cpu, Bucket::fault, costs.zero_line * lines + miss, Activity::fault);
        return true;
    }
    case OpStep::unlock: {
        Mm& mm = mms_[task.mm];
        if (op.frame) {
            const Vma* vma = mm.find_vma(op.start);
            if (vma && !(mm.page_table.leaf(op.start).pte & kPtePresent))
                mm.page_table.set(op.start, make_pte(op.frame, kPtePresent | (vma->writable ? kPteWrite : 0)),
                                  [this, cpu] { return pages_.alloc(cpu); });
            else
                pages_.free(cpu, op.frame);
        }
        op.step = config_.split->switches_cr3 ? OpStep::leave : OpStep::finish;
        unlock(cpu, task);
        return true;
    }
    case OpStep::leave:
        op.step = OpStep::finish;
        pending_cr3_ += leave_to_user(cpu);
        start(cpu, Bucket::fault, 0, Activity::fault, false);
        return true;
    default:
        emit(EventKind::page_fault_exit, cpu, static_cast<std::int64_t>(op.start << kPageShift));
        op = {};
        return true;
    }
}

} // namespace tlbscope
