// The kernel: scheduling, system calls, faults, interrupts and the shootdown protocol in time.
// A value: copying it copies everything that will happen.
#pragma once

#include "engine/core/event_queue.h"
#include "engine/core/recorder.h"
#include "engine/hardware/cache.h"
#include "engine/hardware/mmu.h"
#include "engine/kernel/address_split.h"
#include "engine/kernel/cpu.h"
#include "engine/kernel/flush_request.h"
#include "engine/kernel/mm.h"
#include "engine/kernel/page_allocator.h"
#include "engine/kernel/page_placement.h"
#include "engine/kernel/task.h"
#include "engine/kernel/vmstat.h"
#include "engine/kernel/work_mark.h"

#include <memory>
#include <vector>

namespace tlbscope {

struct KernelConfig {
    const FlushPolicy* policy = nullptr;
    int shift = -1;
    int ceiling = kDefaultCeiling;
    int hz = 250;
    // The rest holds for a whole run.
    int interrupts = 0;                  // device interrupts a second on CPU 0, evenly spaced
    const AddressSplit* split = nullptr; // null: address_splits()' "shared"
    bool pae = false;                    // of a 32-bit kernel
    bool invpcid = false;                // use it where split->pcid and the processor has it
    bool global_text = false;            // kernel text stays global though split->switches_cr3
    PagePlacement placement = PagePlacement::lists;
};

class Kernel {
public:
    Kernel(std::shared_ptr<const ProcessorSpec> processor, const Topology& topology,
           const KernelConfig& config, const Sharing* sharing, std::uint64_t seed);

    // -- building a run --
    MmId create_mm();
    // A new thread of `mm`, runnable from time 0 (or from now) on `cpu`, or where another CPU is idle.
    TaskId create_task(MmId mm, CpuId cpu);
    // A fresh private mapping whose pages are all present, without taking time: what the program had
    // done before the run begins.
    PageNumber populate(MmId mm, std::uint64_t pages);
    void set_config(const KernelConfig& config) { config_ = config; }
    const KernelConfig& config() const { return config_; }

    // -- running --
    // What the caller has to do after a step.
    enum class Next : std::uint8_t {
        nothing, // the CPU is busy or idle until a later event
        user,    // its current task is in user mode and wants work: run_user(), begin_*()
    };
    bool has_event() const { return !queue_.empty(); }
    Cycles next_time() const { return queue_.top().time; }
    // Takes the earliest event. `cpu` becomes the CPU that wants work when the answer is `user`.
    Next dispatch(CpuId& cpu);

    // The current task of `cpu` runs in user mode for this long.
    void run_user(CpuId cpu, Cycles walk, Cycles cache_miss, Cycles user);
    // It enters the kernel. The result of mmap is task(id).result once it is back in user mode.
    void begin_syscall(CpuId cpu, OpKind kind, PageNumber start, std::uint64_t pages, bool writable = true);
    // The fault is taken after a run_user() that follows, or at advance().
    void begin_fault(CpuId cpu, PageNumber page);
    // The current task leaves for good (until unpark()).
    Next park(CpuId cpu);
    void unpark(TaskId task);
    // User data that missed L1D during the run_user() that follows.
    void add_data_stalls(CpuId cpu, const std::array<Cycles, kMemoryLevels>& cycles) {
        for (std::size_t level = 0; level < kMemoryLevels; ++level)
            data_stalls_[cpu][level] += cycles[level];
    }
    // Anything zero-time the kernel can do next for `cpu`; after begin_* and run_user.
    Next advance(CpuId cpu);

    // -- state --
    Cycles now() const { return now_; }
    void set_now(Cycles t) { now_ = t; }
    const ProcessorSpec& processor() const { return *processor_; }
    const Topology& topology() const { return topology_; }
    Mmu& mmu() { return mmu_; }
    const Mmu& mmu() const { return mmu_; }
    CacheHierarchy& caches() { return caches_; }
    // For what a program had done with memory before the run begins.
    PageAllocator& pages() { return pages_; }
    const Mm& mm(MmId id) const { return mms_[id]; }
    const Task& task(TaskId id) const { return tasks_[id]; }
    std::size_t tasks() const { return tasks_.size(); }
    const Cpu& cpu(CpuId id) const { return cpus_[id]; }
    const VmStat& vmstat() const { return vmstat_; }
    Recorder& recorder() { return recorder_; }
    const Recorder& recorder() const { return recorder_; }
    // Cycles of `cpu` by owner up to now(); they sum to now() exactly.
    BucketCycles buckets(CpuId cpu) const;
    // The same by where loads hit, see there.
    StallCycles stalls(CpuId cpu) const;
    // As the CPU stands; exact between two stretches of user work.
    WorkMark mark(CpuId cpu, std::uint64_t laps, std::uint64_t work) const;
    Paging paging() const { return paging_; }
    // One of the last flushes, at least 256 of them; null when gone or not yet made.
    const FlushRequest* flush(std::uint32_t id) const;
    std::uint32_t last_flush() const { return next_flush_ - 1; }
    // All slots of the ring of flushes, in no order; those in flight are not complete.
    const std::vector<FlushRequest>& flushes() const { return flushes_; }
    // Of page tables and flushes, which grow with the run; the rest is fixed.
    std::size_t memory_bytes() const;
    // Adds cycles of a page walk to the flush that made it necessary.
    void charge_refill(std::uint32_t flush_id, Cycles cycles);
    // Emits an event of the CPU's current task at now().
    void emit(EventKind kind, CpuId cpu, std::int64_t arg = 0, std::uint8_t sub = 0, std::uint32_t id = 0,
              std::uint32_t aux = 0);

    // Kernel virtual pages of the 2 MiB mappings.
    PageNumber text_page() const { return paging_ == Paging::four_level ? 0xffff81000 : 0xc0000; }
    PageNumber direct_map() const { return paging_ == Paging::four_level ? 0x880000000 : 0xc0000; }

private:
    enum class QueuedKind : std::uint8_t { stretch_end, ipi, acknowledge, timer, reschedule, device };
    struct Queued {
        QueuedKind kind = QueuedKind::stretch_end;
        CpuId cpu = 0;
        std::uint32_t value = 0; // generation, or flush id
    };

    // kernel.cpp: time and events
    void start(CpuId cpu, const Stretch& stretch);
    void start(CpuId cpu, Bucket bucket, Cycles cycles, Activity activity, bool irqs_on = true,
               std::int64_t pages = 0);
    void charge(CpuId cpu);
    void end_now(CpuId cpu);
    Cycles scaled(CpuId cpu, Cycles cycles) const;

    // kernel_irq.cpp: interrupts and acknowledgements
    void deliver(CpuId cpu);
    void enter_irq(CpuId cpu);
    void advance_irq(CpuId cpu);
    void serve_csd(CpuId cpu);
    void leave_irq(CpuId cpu);
    Next acknowledge(std::uint32_t flush_id, CpuId& cpu); // in: target; out: initiator
    void set_phase(std::uint32_t flush_id, CpuId target, FlushTarget::Phase phase, Cycles end);

    // kernel_sched.cpp
    void schedule(CpuId cpu);
    void go_idle(CpuId cpu);
    void switch_to(CpuId cpu, TaskId task);
    void wake(CpuId waker, TaskId task);
    CpuId choose_cpu(TaskId task) const;
    void start_tick(CpuId cpu);
    bool is_idle(CpuId cpu) const { return cpus_[cpu].current == 0; }

    // kernel_syscall.cpp, kernel_fault.cpp
    bool step_op(CpuId cpu); // false: blocked, the CPU must schedule
    bool step_syscall(CpuId cpu, Task& task);
    bool step_fault(CpuId cpu, Task& task);
    bool lock(CpuId cpu, Task& task, bool write);
    void unlock(CpuId cpu, Task& task);
    Cycles rwsem_cost(CpuId cpu, Mm& mm);
    void zap(CpuId cpu, Task& task);

    // kernel_entry.cpp: what entering and leaving the kernel costs besides its instructions
    enum class Entry : std::uint8_t { timer, interrupt, syscall };
    // Touches the kernel's text, data and cache lines; the walks are charged with the next stretch, the
    // cache misses are returned.
    Cycles touch_kernel(CpuId cpu, Entry entry);
    PageNumber kernel_page(PageNumber page, CpuId cpu);
    // Returns the cycles of the CR3 load, if the split wants one.
    Cycles enter_from_user(CpuId cpu);
    Cycles leave_to_user(CpuId cpu);
    // The control experiment's flushes around an interrupt handler.
    Cycles flush_in_irq(CpuId cpu);
    Cycles write_cr3(CpuId cpu, bool entry);
    Cycles cr3_cost() const;
    bool interrupts_user(CpuId cpu) const;
    Cycles device_period() const { return static_cast<Cycles>(processor_->hz / config_.interrupts); }
    // What flushing costs the CPU that does it: a full flush or so many INVLPG.
    Cycles flush_cost(std::uint64_t pages, bool full) const;

    // kernel_flush.cpp
    void flush_tlb_mm_range(CpuId cpu, Task& task);
    void send_ipis(CpuId cpu, Task& task);
    void begin_wait(CpuId cpu, Task& task);
    void finish_flush(CpuId cpu, Task& task);
    FlushRequest& request(std::uint32_t id) { return flushes_[id % flushes_.size()]; }
    FlushRequest& new_request();
    void leave_mm(CpuId cpu);
    void local_flush(CpuId cpu, const FlushRequest& flush, bool full);

    std::shared_ptr<const ProcessorSpec> processor_;
    Topology topology_;
    KernelConfig config_;
    Paging paging_ = Paging::four_level;
    Mmu mmu_;
    CacheHierarchy caches_;
    PageTable kernel_table_;
    PageAllocator pages_;
    std::vector<Mm> mms_;     // [0] is init_mm
    std::vector<Task> tasks_; // [0] is the idle task
    std::vector<Cpu> cpus_;
    std::vector<FlushRequest> flushes_;
    std::vector<TaskId> wake_list_; // scratch
    EventQueue<Queued> queue_;
    Recorder recorder_;
    VmStat vmstat_;
    Cycles now_ = 0;
    Cycles pending_kernel_walk_ = 0; // walk cycles of kernel accesses, charged with the next stretch
    Cycles pending_cr3_ = 0;         // the same of a CR3 load
    Cycles pending_irq_misses_ = 0;  // the kernel's cache misses, charged with the way out of the interrupt
    std::vector<std::array<Cycles, kMemoryLevels>> data_stalls_; // per CPU
    struct Entries {
        std::uint64_t ticks = 0, interrupts = 0, cr3_loads = 0;
    };
    std::vector<Entries> entries_; // per CPU
    std::uint32_t next_flush_ = 1;
    std::uint32_t queued_tasks_ = 0; // over all run queues
};

} // namespace tlbscope
