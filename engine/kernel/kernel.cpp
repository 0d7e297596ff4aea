// Time: stretches, their owners, and the event loop's kernel side.
#include "engine/kernel/kernel.h"

#include <algorithm>
#include <bit>

namespace tlbscope {

namespace {

KernelEntries kernel_entries(const KernelConfig& config) {
    const bool global = !config.split || !config.split->switches_cr3;
    return {global || config.global_text, global, config.split && config.split->pcid};
}

Paging paging_of(const ProcessorSpec& processor, const KernelConfig& config) {
    return processor.long_mode ? Paging::four_level : config.pae ? Paging::pae : Paging::two_level;
}

// 896 MiB of lowmem where a 32-bit kernel has the last gigabyte of every address space; 4:4 maps more.
PageAllocator page_allocator(const ProcessorSpec& processor, const Topology& topology,
                             const KernelConfig& config, std::uint64_t seed) {
    const std::uint64_t way = processor.l2.ways ? processor.l2.bytes / processor.l2.ways : 0;
    const bool highmem = !processor.long_mode && !(config.split && config.split->switches_cr3);
    return PageAllocator(topology.cpus(), config.placement, seed,
                         static_cast<std::uint32_t>(way / kPageBytes), highmem);
}

} // namespace

Kernel::Kernel(std::shared_ptr<const ProcessorSpec> processor, const Topology& topology,
               const KernelConfig& config, const Sharing* sharing, std::uint64_t seed)
    : processor_(std::move(processor)), topology_(topology), config_(config),
      paging_(paging_of(*processor_, config)),
      mmu_(*processor_, topology, sharing, seed, kDeadContext, kernel_entries(config)),
      caches_(*processor_, topology), kernel_table_(1, paging_),
      pages_(page_allocator(*processor_, topology, config, seed)),
      cpus_(static_cast<std::size_t>(topology.cpus())),
      flushes_(std::max<std::size_t>(256, 2 * static_cast<std::size_t>(topology.cpus()))) {
    mms_.resize(1);
    tasks_.resize(1);
    tasks_[0].state = TaskState::running;
    if (!config_.split) config_.split = &find_address_split("shared");
    data_stalls_.resize(cpus_.size());
    entries_.resize(cpus_.size());
    if (config_.interrupts > 0) queue_.push(device_period(), {QueuedKind::device, 0, 0});
    for (CpuId cpu = 0; cpu < topology_.cpus(); ++cpu)
        start(cpu, Bucket::idle, kForever, Activity::idle);
}

MmId Kernel::create_mm() {
    Mm mm;
    mm.id = static_cast<MmId>(mms_.size());
    mm.page_table = PageTable(pages_.alloc(0), paging_);
    if (!processor_->long_mode) mm.mmap_top = kMmapTop32;
    mms_.push_back(std::move(mm));
    return mms_.back().id;
}

TaskId Kernel::create_task(MmId mm, CpuId cpu) {
    const auto id = static_cast<TaskId>(tasks_.size());
    Task task;
    task.mm = mm;
    task.cpu = cpu;
    task.pid = id;
    tasks_.push_back(std::move(task));
    unpark(id);
    return id;
}

void Kernel::unpark(TaskId id) {
    Task& task = tasks_[id];
    if (task.state != TaskState::parked) return;
    task.state = TaskState::runnable;
    task.cpu = choose_cpu(id);
    cpus_[task.cpu].run_queue.push_back(id);
    ++queued_tasks_;
    queue_.push(now_, {QueuedKind::reschedule, task.cpu, 0});
}

Kernel::Next Kernel::park(CpuId cpu) {
    tasks_[cpus_[cpu].current].state = TaskState::parked;
    schedule(cpu);
    return advance(cpu);
}

PageNumber Kernel::populate(MmId id, std::uint64_t pages) {
    Mm& mm = mms_[id];
    const PageNumber start = mm.mmap(pages);
    for (std::uint64_t i = 0; i < pages; ++i)
        mm.page_table.set(start + i, make_pte(pages_.alloc(0, start + i), kPtePresent | kPteWrite),
                          [this] { return pages_.alloc(0); });
    return start;
}

// With k busy siblings a thread runs at smt_percent once per doubling of the busy threads.
Cycles Kernel::scaled(CpuId cpu, Cycles cycles) const {
    const int core = topology_.core_of(cpu);
    unsigned busy = 0;
    for (int s = 0; s < topology_.threads_per_core; ++s) {
        const CpuId other = topology_.cpu_of(core, s);
        if (other != cpu && cpus_[other].current != 0) ++busy;
    }
    for (int doublings = std::bit_width(busy); doublings > 0; --doublings)
        cycles = cycles * 100 / processor_->costs.smt_percent;
    return cycles;
}

void Kernel::start(CpuId id, const Stretch& stretch) {
    Cpu& cpu = cpus_[id];
    cpu.now = stretch;
    cpu.begin = now_;
    const Cycles total = stretch.total();
    cpu.end = total >= kForever ? kForever : now_ + total;
    ++cpu.generation;
    if (cpu.end != kForever) queue_.push(cpu.end, {QueuedKind::stretch_end, id, cpu.generation});
}

void Kernel::start(CpuId id, Bucket bucket, Cycles cycles, Activity activity, bool irqs_on,
                   std::int64_t pages) {
    Stretch stretch;
    if (cycles < kForever) {
        stretch.parts[0] = {Bucket::page_walk, scaled(id, pending_kernel_walk_)};
        pending_kernel_walk_ = 0;
        stretch.parts[1] = {bucket, scaled(id, cycles)};
        stretch.parts[2] = {Bucket::cr3_load, scaled(id, pending_cr3_)};
        pending_cr3_ = 0;
    } else {
        stretch.parts[1] = {bucket, cycles};
    }
    stretch.activity = activity;
    stretch.irqs_on = irqs_on;
    stretch.pages = pages;
    if (pages) stretch.length = stretch.total();
    start(id, stretch);
}

void Kernel::charge(CpuId id) {
    Cpu& cpu = cpus_[id];
    Cycles elapsed = now_ - cpu.begin;
    if (cpu.waiting) request(tasks_[cpu.current].op.shootdown).wait_cycles += elapsed;
    for (Stretch::Part& part : cpu.now.parts) {
        const Cycles used = std::min(elapsed, part.cycles);
        cpu.buckets[static_cast<std::size_t>(part.bucket)] += used;
        if (part.cycles < kForever) part.cycles -= used;
        elapsed -= used;
    }
    cpu.begin = now_;
}

// The running stretch is over; whatever end event was queued for it is outdated.
void Kernel::end_now(CpuId id) {
    charge(id);
    ++cpus_[id].generation;
    cpus_[id].end = now_;
}

BucketCycles Kernel::buckets(CpuId id) const {
    const Cpu& cpu = cpus_[id];
    BucketCycles result = cpu.buckets;
    Cycles elapsed = now_ - cpu.begin;
    for (const Stretch::Part& part : cpu.now.parts) {
        const Cycles used = std::min(elapsed, part.cycles);
        result[static_cast<std::size_t>(part.bucket)] += used;
        elapsed -= used;
    }
    return result;
}

StallCycles Kernel::stalls(CpuId id) const {
    StallCycles stalls = mmu_.stalls(id);
    stalls.data = data_stalls_[id];
    return stalls;
}

WorkMark Kernel::mark(CpuId id, std::uint64_t laps, std::uint64_t work) const {
    const Entries& entries = entries_[id];
    return {laps,
            work,
            now_,
            buckets(id),
            stalls(id),
            mmu_.counters(id),
            entries.ticks,
            entries.interrupts,
            entries.cr3_loads};
}

void Kernel::run_user(CpuId id, Cycles walk, Cycles cache_miss, Cycles user) {
    Stretch stretch;
    stretch.parts[0] = {Bucket::page_walk, scaled(id, walk)};
    stretch.parts[1] = {Bucket::cache_miss, scaled(id, cache_miss)};
    stretch.parts[2] = {Bucket::user, scaled(id, user)};
    stretch.activity = Activity::user;
    start(id, stretch);
}

void Kernel::emit(EventKind kind, CpuId cpu, std::int64_t arg, std::uint8_t sub, std::uint32_t id,
                  std::uint32_t aux) {
    Event event;
    event.time = now_;
    event.arg = arg;
    event.id = id;
    event.aux = aux;
    event.task = tasks_[cpus_[cpu].current].pid;
    event.cpu = cpu;
    event.kind = kind;
    event.sub = sub;
    recorder_.emit(event);
}

Kernel::Next Kernel::dispatch(CpuId& cpu) {
    const auto item = queue_.pop();
    now_ = item.time;
    cpu = item.payload.cpu;
    Cpu& c = cpus_[cpu];
    switch (item.payload.kind) {
    case QueuedKind::stretch_end:
        if (item.payload.value != c.generation) return Next::nothing;
        charge(cpu);
        return advance(cpu);
    case QueuedKind::ipi:
        c.ipi_pending = true;
        deliver(cpu);
        return Next::nothing;
    case QueuedKind::reschedule:
        c.resched_pending = true;
        deliver(cpu);
        return Next::nothing;
    case QueuedKind::timer:
        if (is_idle(cpu) && c.run_queue.empty()) {
            c.ticking = false; // nohz
            return Next::nothing;
        }
        queue_.push(now_ + static_cast<Cycles>(processor_->hz / config_.hz), {QueuedKind::timer, cpu, 0});
        c.timer_pending = true;
        deliver(cpu);
        return Next::nothing;
    case QueuedKind::device:
        queue_.push(now_ + device_period(), {QueuedKind::device, cpu, 0});
        c.device_pending = true;
        deliver(cpu);
        return Next::nothing;
    case QueuedKind::acknowledge:
        return acknowledge(item.payload.value, cpu);
    }
    return Next::nothing;
}

Kernel::Next Kernel::advance(CpuId id) {
    while (true) {
        Cpu& cpu = cpus_[id];
        const std::uint32_t before = cpu.generation;
        if (cpu.irq != IrqStep::none) {
            advance_irq(id);
        } else if (cpu.ipi_pending || cpu.timer_pending || cpu.resched_pending || cpu.device_pending) {
            enter_irq(id); // also on the way out of another one: what it interrupted stays put aside
        } else if (cpu.returning) {
            leave_irq(id);
        } else if (cpu.current == 0) {
            if (!cpu.run_queue.empty() || queued_tasks_ > 0) schedule(id);
            if (cpu.current == 0 && cpu.generation == before) go_idle(id);
        } else {
            Task& task = tasks_[cpu.current];
            if (task.op.step == OpStep::none) {
                if (!cpu.need_resched) return Next::user;
                schedule(id);
            } else if (!step_op(id)) {
                schedule(id);
            }
        }
        if (cpus_[id].generation != before) return Next::nothing;
    }
}

const FlushRequest* Kernel::flush(std::uint32_t id) const {
    const FlushRequest& f = flushes_[id % flushes_.size()];
    return id != 0 && f.id == id ? &f : nullptr;
}

std::size_t Kernel::memory_bytes() const {
    std::size_t bytes = kernel_table_.memory_bytes();
    for (const Mm& mm : mms_)
        bytes += sizeof(Mm) + mm.page_table.memory_bytes();
    for (const FlushRequest& flush : flushes_)
        bytes += sizeof(FlushRequest) + flush.targets.size() * sizeof(FlushTarget);
    return bytes;
}

void Kernel::charge_refill(std::uint32_t flush_id, Cycles cycles) {
    if (request(flush_id).id == flush_id) request(flush_id).refill_cycles += cycles;
}

} // namespace tlbscope
