// What one logical CPU is doing, as stretches of time with an owner.
#pragma once

#include "engine/core/bucket.h"
#include "engine/core/types.h"

#include <array>
#include <limits>
#include <vector>

namespace tlbscope {

// What a CPU shows on its card. (The view's CpuState adds "unknown" for recordings.)
enum class Activity : std::uint8_t {
    idle,
    lazy,
    user,
    syscall,
    fault,
    blocked,
    flushing,
    waiting,
    servicing,
    interrupt,
    switching,
};

inline constexpr Cycles kForever = std::numeric_limits<Cycles>::max() / 4;

// A stretch of time with up to three owners, used up in order.
struct Stretch {
    struct Part {
        Bucket bucket = Bucket::idle;
        Cycles cycles = 0;
    };
    std::array<Part, 3> parts{};
    Activity activity = Activity::idle;
    bool irqs_on = true;
    std::int64_t pages = 0; // being flushed: for display
    Cycles length = 0;      // as begun, while the parts are used up; set where pages are

    Cycles total() const { return parts[0].cycles + parts[1].cycles + parts[2].cycles; }
};

// One interrupt handler's progress.
enum class IrqStep : std::uint8_t { none, entry, next_csd, flush, exit, finish };

struct Cpu {
    Stretch now;              // what runs
    Cycles begin = 0;         // when `now` began or was last charged
    Cycles end = kForever;    // when it ends, kForever for idle and waiting
    Stretch interrupted;      // what an interrupt put aside
    bool was_waiting = false; // the interrupted stretch was the wait for acknowledgements
    IrqStep irq = IrqStep::none;
    bool irq_timer = false, irq_ipi = false, irq_resched = false; // causes being served
    bool irq_device = false;
    bool ipi_pending = false, timer_pending = false, resched_pending = false, device_pending = false;
    bool need_resched = false;
    bool irq_mask = false;                // the IPI went to several CPUs: vector 252, else 251
    bool returning = false;               // `now` is the way out of an interrupt
    bool waiting = false;                 // `now` is the wait for acknowledgements
    std::uint32_t generation = 0;         // of `now`: outdated end events are ignored
    std::vector<std::uint32_t> csd_queue; // shootdowns queued for this CPU (call_single_queue)
    std::vector<std::uint32_t> serving;   // taken from the queue by the running interrupt
    std::size_t served = 0;

    TaskId current = 0;   // 0: idle task
    TaskId last_task = 0; // ran here last, for display of a blocked task
    MmId active_mm = 0;   // borrowed by the idle task when lazy
    bool lazy = false;    // TLBSTATE_LAZY
    bool ticking = false;
    bool flush_user_half = false;  // with PCID: the next exit to user mode flushes
    std::vector<TaskId> run_queue; // front runs next
    BucketCycles buckets{};
};

} // namespace tlbscope
