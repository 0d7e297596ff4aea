#include "engine/workload/hint.h"

#include <algorithm>

namespace tlbscope {

Hint::Hint(HintType type, const WorkloadConfig& config, Kernel& kernel)
    : type_(type), first_task_(static_cast<TaskId>(kernel.tasks())) {
    configure(config, kernel);
}

// Mappings in the order of the benchmark's calls to malloc.
HintLayout Hint::place(Kernel& kernel, MmId mm) const {
    const HintAllocation allocation =
        hint_allocation(type_, config_.subintervals, kernel.processor().long_mode);
    const PageNumber heap = kernel.populate(mm, allocation.heap_pages);
    const auto address = [&](const HintAllocation::Array& array) {
        const PageNumber page = array.mapped ? kernel.populate(mm, array.pages) : heap;
        return (page << kPageShift) + array.offset;
    };
    HintLayout layout;
    layout.type = type_;
    layout.rect = address(allocation.rect);
    layout.errs = address(allocation.errs);
    layout.ixes = address(allocation.ixes);
    return layout;
}

void Hint::configure(const WorkloadConfig& config, Kernel& kernel) {
    std::shared_ptr<const HintSequence> sequence = HintSequence::get(type_, config.subintervals);
    const bool resized = config.subintervals != config_.subintervals;
    sequence_ = std::move(sequence);
    config_ = config;
    if (resized)
        for (std::size_t i = 0; i < threads_.size(); ++i)
            next_[i] = place(kernel, threads_[i].mm);
    const auto wanted = static_cast<std::size_t>(config_.threads);
    for (std::size_t i = 0; i < std::min(wanted, threads_.size()); ++i)
        kernel.unpark(first_task_ + static_cast<TaskId>(i));
    while (threads_.size() < wanted) {
        const std::size_t i = threads_.size();
        Thread thread;
        thread.mm = kernel.create_mm();
        thread.code = kernel.populate(thread.mm, 1);
        thread.layout = place(kernel, thread.mm);
        thread.subintervals = config_.subintervals;
        next_.push_back(thread.layout);
        threads_.push_back(thread);
        kernel.create_task(thread.mm,
                           static_cast<CpuId>(i % static_cast<std::size_t>(kernel.topology().cpus())));
    }
}

void Hint::end_lap(Kernel& kernel, CpuId cpu, std::size_t index) {
    Thread& thread = threads_[index];
    ++thread.laps;
    ++records_;
    kernel.emit(EventKind::workload_record, cpu, static_cast<std::int64_t>(records_));
    if (index == 0) mark_ = kernel.mark(cpu, thread.laps, thread.work);
    thread.begun = false;
    thread.k = thread.last = 0;
    thread.layout = next_[index];
    thread.subintervals = config_.subintervals;
}

Kernel::Next Hint::run(Kernel& kernel, CpuId cpu) {
    const TaskId task = kernel.cpu(cpu).current;
    const std::size_t index = task - first_task_;
    Thread& thread = threads_[index];
    const Mm& mm = kernel.mm(thread.mm);
    if (thread.k + 1 == thread.subintervals) {
        end_lap(kernel, cpu, index);
        if (index >= static_cast<std::size_t>(config_.threads)) return kernel.park(cpu);
    }
    Burst burst;
    HintLoop loop(kernel, cpu, mm, thread.layout, thread.hints, burst);
    translate(kernel, cpu, mm, thread.code, AccessKind::fetch, burst);
    if (burst.faulted) return spend(kernel, cpu, burst);
    if (!thread.begun) {
        if (!loop.begin_lap()) return spend(kernel, cpu, burst);
        thread.begun = true;
        burst.user += costs_.lap;
    }
    const HintStep* const steps = sequence_->steps();
    while (thread.k + 1 < thread.subintervals && burst.walk + burst.cache_miss + burst.user < kBurst) {
        const HintStep step = steps[thread.k];
        if (!loop.iterate(step, thread.k, thread.last)) break;
        burst.user += costs_.iteration;
        ++thread.k;
        ++thread.work;
        thread.last += step.advance();
    }
    return spend(kernel, cpu, burst);
}

} // namespace tlbscope
