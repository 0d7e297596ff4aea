#include "engine/workload/ebizzy.h"

#include <algorithm>

namespace tlbscope {

Ebizzy::Ebizzy(const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed)
    : mm_(kernel.create_mm()), first_task_(static_cast<TaskId>(kernel.tasks())), seed_(seed) {
    code_ = kernel.populate(mm_, 1);
    configure(config, kernel);
}

void Ebizzy::configure(const WorkloadConfig& config, Kernel& kernel) {
    config_ = config;
    // The working set is as many chunks of one operation's size as fit. The region only grows, so
    // that threads still copying from an old chunk find it.
    const std::uint32_t count = std::max(1u, config.working_set_pages / config.flush_pages);
    if (count * config.flush_pages > region_pages_) {
        region_pages_ = count * config.flush_pages;
        region_ = kernel.populate(mm_, region_pages_);
    }
    chunks_ = count;
    add_threads(kernel);
}

void Ebizzy::add_threads(Kernel& kernel) {
    const auto wanted = static_cast<std::size_t>(config_.threads);
    for (std::size_t i = 0; i < std::min(wanted, threads_.size()); ++i)
        kernel.unpark(first_task_ + static_cast<TaskId>(i));
    while (threads_.size() < wanted) {
        const std::size_t i = threads_.size();
        Thread thread;
        thread.random = Random(seed_ * 1000003 + i);
        threads_.push_back(thread);
        kernel.create_task(mm_, static_cast<CpuId>(i % static_cast<std::size_t>(kernel.topology().cpus())));
    }
}

Kernel::Next Ebizzy::run(Kernel& kernel, CpuId cpu) {
    const TaskId task = kernel.cpu(cpu).current;
    const std::size_t index = task - first_task_;
    Thread& thread = threads_[index];
    const Mm& mm = kernel.mm(mm_);
    const Costs& costs = kernel.processor().costs;
    constexpr std::uint32_t lines = kPageBytes / 64;

    switch (thread.phase) {
    case Phase::done:
        ++records_;
        kernel.emit(EventKind::workload_record, cpu, static_cast<std::int64_t>(records_));
        [[fallthrough]];
    case Phase::choose:
        thread.phase = Phase::choose;
        if (index >= static_cast<std::size_t>(config_.threads)) return kernel.park(cpu);
        thread.pages = config_.flush_pages;
        thread.source = region_ + thread.random.below(chunks_) * config_.flush_pages;
        thread.copied = 0;
        thread.madvise = config_.madvise;
        thread.mapping = thread.madvise && thread.arena_pages < thread.pages;
        thread.phase = Phase::allocated;
        if (!thread.madvise || thread.mapping) {
            kernel.begin_syscall(cpu, OpKind::mmap, 0, thread.pages);
            return kernel.advance(cpu);
        }
        [[fallthrough]];
    case Phase::allocated:
        if (thread.mapping) {
            thread.arena = kernel.task(task).result;
            thread.arena_pages = thread.pages;
        }
        thread.copy = thread.madvise ? thread.arena : kernel.task(task).result;
        thread.phase = Phase::copy;
        [[fallthrough]];
    case Phase::copy: {
        Burst burst;
        // The header takes 16 bytes, so the last page holds no more than one line of the record.
        const bool last = thread.copied + 1 == thread.pages && thread.pages > 1;
        const std::uint32_t count = last ? 1 : lines;
        translate(kernel, cpu, mm, code_, AccessKind::fetch, burst);
        if (stream_page(kernel, cpu, mm, thread.source + thread.copied, AccessKind::read, count, burst) &&
            stream_page(kernel, cpu, mm, thread.copy + thread.copied, AccessKind::write, count, burst)) {
            burst.user += count * costs.copy_line;
            if (++thread.copied == thread.pages) thread.phase = Phase::search;
        }
        return spend(kernel, cpu, burst);
    }
    case Phase::search: {
        Burst burst;
        // Bisection towards a random key: the first probes are the same pages every time.
        const std::uint64_t slots = std::uint64_t{thread.pages} * lines;
        const std::uint64_t key = thread.random.below(slots);
        std::uint64_t low = 0, high = slots;
        for (int probe = 0; probe < kProbes && low < high; ++probe) {
            const std::uint64_t middle = (low + high) / 2;
            load_line(kernel, cpu, mm, thread.copy + middle / lines,
                      static_cast<std::uint32_t>(middle % lines), burst);
            if (middle == key) break;
            if (middle < key)
                low = middle + 1;
            else
                high = middle;
        }
        thread.phase = Phase::free;
        return spend(kernel, cpu, burst);
    }
    case Phase::free:
        thread.phase = Phase::done;
        kernel.begin_syscall(cpu, thread.madvise ? OpKind::madvise_dontneed : OpKind::munmap, thread.copy,
                             thread.pages);
        return kernel.advance(cpu);
    }
    return Kernel::Next::nothing;
}

} // namespace tlbscope
