#include "engine/workload/walk.h"

namespace tlbscope {

Walk::Walk(WalkKind kind, const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed)
    : kind_(kind), processes_(kernel), seed_(seed) {
    configure(config, kernel);
}

std::uint32_t Walk::pages(const Kernel& kernel) const {
    return kind_ == WalkKind::dtlb ? kernel.processor().dtlb.entries : config_.working_set_pages;
}

void Walk::begin_lap(Kernel& kernel, Thread& thread) const {
    thread.position = 0;
    thread.pages = pages(kernel);
    if (thread.pages <= thread.capacity) return;
    thread.capacity = thread.pages;
    thread.region = kernel.populate(thread.mm, thread.pages);
}

void Walk::configure(const WorkloadConfig& config, Kernel& kernel) {
    config_ = config;
    processes_.resize(kernel, config.threads, [&] {
        Thread thread;
        thread.mm = kernel.create_mm();
        thread.code = kernel.populate(thread.mm, 1);
        thread.random = Random(seed_ * 1000003 + threads_.size());
        begin_lap(kernel, thread);
        threads_.push_back(thread);
        return thread.mm;
    });
}

// One load of a random walk or of the dTLB's; not done where it faults.
void Walk::load(Kernel& kernel, CpuId cpu, Thread& thread, Burst& burst) const {
    std::uint32_t page = thread.position, line = thread.position % kLines;
    if (kind_ == WalkKind::random) {
        const std::uint64_t any = thread.random.below(std::uint64_t{thread.pages} * kLines);
        page = static_cast<std::uint32_t>(any / kLines);
        line = static_cast<std::uint32_t>(any % kLines);
    }
    if (load_line(kernel, cpu, kernel.mm(thread.mm), thread.region + page, line, burst)) {
        ++thread.position;
        ++thread.work;
    }
}

// As far as the burst goes. One translation is enough: the accesses that follow change nothing.
void Walk::load_rest_of_page(Kernel& kernel, CpuId cpu, Thread& thread, Burst& burst) const {
    const PageNumber page = thread.region + thread.position / kLines;
    const std::uint32_t frame = translate(kernel, cpu, kernel.mm(thread.mm), page, AccessKind::read, burst);
    if (burst.faulted) return;
    CacheHierarchy& caches = kernel.caches();
    const int core = kernel.topology().core_of(cpu);
    std::uint32_t loads = 0;
    do {
        const std::uint32_t line = thread.position % kLines;
        const CacheHierarchy::Result found = caches.touch(
            core, frame * kLines + line, static_cast<std::uint32_t>(page) * kLines + line, false);
        burst.user += caches.l1d_latency();
        if (found.level != MemoryLevel::l1d) burst.miss(found.level, found.cycles - caches.l1d_latency());
        ++loads;
        ++thread.position;
    } while (thread.position % kLines && burst.cycles() < kBurst);
    kernel.mmu().add_hits(cpu, loads - 1);
    thread.work += loads;
}

Kernel::Next Walk::run(Kernel& kernel, CpuId cpu) {
    const std::size_t index = processes_.on(kernel, cpu);
    Thread& thread = threads_[index];
    if (thread.position == lap_loads(thread)) {
        ++thread.laps;
        ++records_;
        kernel.emit(EventKind::workload_record, cpu, static_cast<std::int64_t>(records_));
        if (index == 0) mark_ = kernel.mark(cpu, thread.laps, thread.work);
        begin_lap(kernel, thread);
        if (!processes_.wanted(index)) return kernel.park(cpu);
    }
    Burst burst;
    translate(kernel, cpu, kernel.mm(thread.mm), thread.code, AccessKind::fetch, burst);
    while (!burst.faulted && thread.position < lap_loads(thread) && burst.cycles() < kBurst) {
        if (kind_ == WalkKind::sequential)
            load_rest_of_page(kernel, cpu, thread, burst);
        else
            load(kernel, cpu, thread, burst);
    }
    return spend(kernel, cpu, burst);
}

} // namespace tlbscope
