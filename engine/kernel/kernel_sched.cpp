// Run queues, context switches, lazy TLB, wake-ups, the tick.
#include "engine/kernel/kernel.h"

namespace tlbscope {

// schedule(): the current task is blocked, parked, or gives way; the next one in line runs.
void Kernel::schedule(CpuId id) {
    Cpu& cpu = cpus_[id];
    cpu.need_resched = false;
    if (cpu.run_queue.empty() && queued_tasks_ > 0 &&
        (cpu.current == 0 || tasks_[cpu.current].state != TaskState::running)) {
        // Newly idle balance: take a waiting task from the longest queue.
        CpuId longest = id;
        for (CpuId other = 0; other < topology_.cpus(); ++other)
            // An idle CPU with one task has already been sent its reschedule IPI.
            if (cpus_[other].run_queue.size() > cpus_[longest].run_queue.size() &&
                (cpus_[other].current != 0 || cpus_[other].run_queue.size() > 1))
                longest = other;
        if (longest != id) {
            cpu.run_queue.push_back(cpus_[longest].run_queue.back());
            cpus_[longest].run_queue.pop_back();
        }
    }
    if (cpu.current != 0 && tasks_[cpu.current].state == TaskState::running) {
        if (cpu.run_queue.empty()) return;
        tasks_[cpu.current].state = TaskState::runnable;
        cpu.run_queue.push_back(cpu.current);
        ++queued_tasks_;
    }
    TaskId next = 0;
    if (!cpu.run_queue.empty()) {
        next = cpu.run_queue.front();
        cpu.run_queue.erase(cpu.run_queue.begin());
        --queued_tasks_;
    }
    if (next != cpu.current) switch_to(id, next);
}

void Kernel::switch_to(CpuId id, TaskId next) {
    Cpu& cpu = cpus_[id];
    const TaskId prev = cpu.current;
    const bool slept = prev != 0 && tasks_[prev].state != TaskState::runnable;
    emit(EventKind::sched_switch, id, 0, static_cast<std::uint8_t>(slept ? 'S' : 'R'), 0, tasks_[next].pid);
    ++vmstat_.context_switches;
    if (prev != 0) cpu.last_task = prev;
    cpu.current = next;
    Cycles cost = processor_->costs.context_switch;
    if (next == 0) {
        cpu.lazy = cpu.active_mm != 0; // enter_lazy_tlb(): the idle task borrows active_mm
    } else {
        Task& task = tasks_[next];
        task.state = TaskState::running;
        task.cpu = id;
        cpu.last_task = next;
        Mm& mm = mms_[task.mm];
        // switch_mm(): a CR3 write for another mm, or when leave_mm() has cleared the bit meanwhile.
        if (cpu.active_mm != task.mm || !mm.cpumask.test(id)) {
            if (cpu.active_mm != 0 && cpu.active_mm != task.mm) mms_[cpu.active_mm].cpumask.clear(id);
            mm.cpumask.set(id);
            cpu.active_mm = task.mm;
            if (!config_.split->one_kernel_table) {
                mmu_.flush_all(id, 0, now_);
                cost += processor_->costs.cr3_write;
            }
            emit(EventKind::tlb_flush, id, kTlbFlushAll, static_cast<std::uint8_t>(FlushReason::task_switch));
        }
        cpu.lazy = false;
        start_tick(id);
    }
    start(id, Bucket::switch_mm, cost, Activity::switching, false);
}

void Kernel::go_idle(CpuId id) {
    const Cpu& cpu = cpus_[id];
    const bool blocked = cpu.last_task != 0 && tasks_[cpu.last_task].state == TaskState::blocked &&
                         tasks_[cpu.last_task].cpu == id;
    start(id, Bucket::idle, kForever,
          blocked    ? Activity::blocked
          : cpu.lazy ? Activity::lazy
                     : Activity::idle);
}

void Kernel::start_tick(CpuId id) {
    if (cpus_[id].ticking) return;
    cpus_[id].ticking = true;
    const auto period = static_cast<Cycles>(processor_->hz / config_.hz);
    queue_.push((now_ / period + 1) * period, {QueuedKind::timer, id, 0});
}

// select_idle_sibling() in short: where it ran, else an idle core, else any idle CPU, else where it ran.
CpuId Kernel::choose_cpu(TaskId id) const {
    const CpuId prev = tasks_[id].cpu;
    const auto idle = [&](CpuId cpu) { return cpus_[cpu].current == 0 && cpus_[cpu].run_queue.empty(); };
    if (idle(prev)) return prev;
    CpuId any = kNoCpu;
    for (int i = 1; i < topology_.cpus(); ++i) {
        const auto cpu = static_cast<CpuId>((prev + i) % topology_.cpus());
        if (!idle(cpu)) continue;
        bool whole_core = true;
        for (int s = 0; s < topology_.threads_per_core; ++s)
            whole_core = whole_core && idle(topology_.cpu_of(topology_.core_of(cpu), s));
        if (whole_core) return cpu;
        if (any == kNoCpu) any = cpu;
    }
    return any != kNoCpu ? any : prev;
}

void Kernel::wake(CpuId waker, TaskId id) {
    Task& task = tasks_[id];
    if (task.state != TaskState::blocked) return;
    task.state = TaskState::runnable;
    const CpuId target = choose_cpu(id);
    task.cpu = target;
    Cpu& cpu = cpus_[target];
    const bool was_idle = cpu.current == 0 && cpu.run_queue.empty();
    cpu.run_queue.push_back(id);
    ++queued_tasks_;
    if (was_idle && target != waker) {
        ++vmstat_.ipis_sent;
        emit(EventKind::ipi_send_cpu, waker, 0, 0, 0, target);
        queue_.push(now_ + processor_->costs.ipi_delivery, {QueuedKind::reschedule, target, 0});
    }
}

} // namespace tlbscope
