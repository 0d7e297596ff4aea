#include "engine/workload/mummap.h"

#include <algorithm>

namespace tlbscope {

Mummap::Mummap(const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed)
    : mm_(kernel.create_mm()), first_task_(static_cast<TaskId>(kernel.tasks())), random_(seed) {
    code_ = kernel.populate(mm_, 1);
    configure(config, kernel);
}

void Mummap::configure(const WorkloadConfig& config, Kernel& kernel) {
    config_ = config;
    if (config.working_set_pages > region_pages_) {
        region_ = kernel.populate(mm_, config.working_set_pages);
        region_pages_ = config.working_set_pages;
    }
    offsets_.resize(kOffsets);
    for (Offset& offset : offsets_) {
        offset.page = region_ + random_.below(config.working_set_pages);
        offset.line = static_cast<std::uint32_t>(random_.below(kPageBytes / 64));
    }
    const auto wanted = static_cast<std::size_t>(config.threads);
    for (std::size_t i = 0; i < std::min(wanted, threads_.size()); ++i)
        kernel.unpark(first_task_ + static_cast<TaskId>(i));
    while (threads_.size() < wanted) {
        const std::size_t i = threads_.size();
        Thread thread;
        thread.phase = i == 0 ? Phase::map : Phase::read;
        thread.next_offset = static_cast<std::uint32_t>(random_.below(kOffsets));
        threads_.push_back(thread);
        kernel.create_task(mm_, static_cast<CpuId>(i % static_cast<std::size_t>(kernel.topology().cpus())));
    }
}

Kernel::Next Mummap::read(Kernel& kernel, CpuId cpu, Thread& thread) {
    Burst burst;
    const Mm& mm = kernel.mm(mm_);
    translate(kernel, cpu, mm, code_, AccessKind::fetch, burst);
    for (int i = 0; i < kReadsABurst && !burst.faulted; ++i) {
        const Offset offset = offsets_[thread.next_offset];
        thread.next_offset = (thread.next_offset + 1) % kOffsets;
        load_line(kernel, cpu, mm, offset.page, offset.line, burst);
    }
    return spend(kernel, cpu, burst);
}

Kernel::Next Mummap::run(Kernel& kernel, CpuId cpu) {
    const TaskId task = kernel.cpu(cpu).current;
    const std::size_t index = task - first_task_;
    Thread& thread = threads_[index];
    switch (thread.phase) {
    case Phase::map:
        if (mapped_.empty()) pages_ = config_.flush_pages;
        thread.phase = Phase::mapped;
        kernel.begin_syscall(cpu, OpKind::mmap, 0, pages_);
        return kernel.advance(cpu);
    case Phase::mapped:
        mapped_.push_back(kernel.task(task).result);
        thread.phase = Phase::touch;
        [[fallthrough]];
    case Phase::touch: {
        Burst burst;
        if (stream_page(kernel, cpu, kernel.mm(mm_), mapped_.back(), AccessKind::write, 1, burst)) {
            burst.user += kernel.caches().l1d_latency();
            thread.phase = mapped_.size() == kBatch ? Phase::unmap : Phase::map;
        }
        return spend(kernel, cpu, burst);
    }
    case Phase::unmap:
        thread.phase = Phase::unmapped;
        kernel.begin_syscall(cpu, OpKind::munmap, mapped_.back(), pages_);
        return kernel.advance(cpu);
    case Phase::unmapped:
        mapped_.pop_back();
        ++records_;
        kernel.emit(EventKind::workload_record, cpu, static_cast<std::int64_t>(records_));
        thread.reads_left = config_.threads == 1 ? kReadsAlone : 0;
        thread.phase = Phase::read;
        [[fallthrough]];
    case Phase::read:
        if (index == 0) {
            if (thread.reads_left == 0) {
                thread.phase = mapped_.empty() ? Phase::map : Phase::unmap;
                return run(kernel, cpu);
            }
            thread.reads_left -= std::min<std::uint32_t>(thread.reads_left, kReadsABurst);
        } else if (index >= static_cast<std::size_t>(config_.threads)) {
            return kernel.park(cpu);
        }
        return read(kernel, cpu, thread);
    }
    return Kernel::Next::nothing;
}

} // namespace tlbscope
