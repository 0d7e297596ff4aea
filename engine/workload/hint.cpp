#include "engine/workload/hint.h"

#include <algorithm>

namespace tlbscope {

Hint::Hint(HintType type, const WorkloadConfig& config, Kernel& kernel) : type_(type), processes_(kernel) {
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
    processes_.resize(kernel, config.threads, [&] {
        Thread thread;
        thread.mm = kernel.create_mm();
        thread.code = kernel.populate(thread.mm, 1);
        if (kernel.config().placement == PagePlacement::reuse) run_smaller_points(kernel);
        thread.layout = place(kernel, thread.mm);
        thread.subintervals = config_.subintervals;
        next_.push_back(thread.layout);
        threads_.push_back(thread);
        return thread.mm;
    });
}

// From 2 subintervals on, a tenth more each time, as the benchmark does. The heap only grows; arrays with
// mappings of their own get new pages every time and are unmapped from their first page on.
void Hint::run_smaller_points(Kernel& kernel) const {
    PageAllocator& pages = kernel.pages();
    const bool long_mode = kernel.processor().long_mode;
    std::vector<std::uint32_t> heap, mapped;
    for (std::uint32_t n = 2; n < config_.subintervals; n = std::max(n * 11 / 10, n + 1)) {
        const HintAllocation allocation = hint_allocation(type_, n, long_mode);
        while (heap.size() < allocation.heap_pages)
            heap.push_back(pages.alloc(0, heap.size()));
        mapped.clear();
        for (const auto* array : {&allocation.rect, &allocation.errs, &allocation.ixes})
            for (std::uint64_t page = 0; array->mapped && page < array->pages; ++page)
                mapped.push_back(pages.alloc(0, page));
        for (const std::uint32_t frame : mapped)
            pages.free(0, frame);
    }
    // This point's heap comes next and finds the pages where they are.
    for (auto frame = heap.rbegin(); frame != heap.rend(); ++frame)
        pages.free(0, *frame);
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
    const std::size_t index = processes_.on(kernel, cpu);
    Thread& thread = threads_[index];
    const Mm& mm = kernel.mm(thread.mm);
    if (thread.k + 1 == thread.subintervals) {
        end_lap(kernel, cpu, index);
        if (!processes_.wanted(index)) return kernel.park(cpu);
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
    while (thread.k + 1 < thread.subintervals && burst.cycles() < kBurst) {
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
