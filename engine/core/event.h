// The one event record: what the simulation emits and what recordings of real kernels decode to.
// Kinds are named after the kernel's tracepoints; the few without one say "simulation".
#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <type_traits>

namespace tlbscope {

// Values are stable: they are written to files. Append only.
enum class EventKind : std::uint8_t {
    none = 0,

    // tlb:tlb_flush. sub = FlushReason, arg = pages (-1: full flush, 0: nothing was left to do).
    // Sender counts 4 KiB pages, receiver and local side count strides.
    tlb_flush,

    // csd:csd_queue_cpu. aux = target CPU, arg = csd pointer, id = name of func.
    csd_queue_cpu,
    // csd:csd_function_entry / exit. arg = csd pointer (0: local call), id = name of func.
    csd_function_entry,
    csd_function_exit,

    // ipi:ipi_send_cpu. aux = target CPU, id = name of callback (0: none).
    ipi_send_cpu,
    // ipi:ipi_send_cpumask / ipi_raise. arg = index into Names::masks, id = name of callback/reason.
    ipi_send_cpumask,
    ipi_raise,
    // ipi:ipi_entry / ipi_exit (arm64). id = name of reason.
    ipi_entry,
    ipi_exit,

    // irq_vectors. arg = vector number.
    call_function_single_entry, // 251
    call_function_single_exit,
    call_function_entry, // 252
    call_function_exit,
    reschedule_entry, // 253
    reschedule_exit,
    local_timer_entry, // 236
    local_timer_exit,
    irq_vector_entry, // any other irq_vectors event; arg = vector
    irq_vector_exit,

    // sched:sched_switch. task = prev, aux = next task, sub = prev_state letter, id = name of next comm.
    sched_switch,

    // syscalls. sub = Syscall, arg = addr (enter) or return value (exit), aux = len in bytes, saturated.
    sys_enter,
    sys_exit,

    // exceptions:page_fault_user. arg = address, aux = error_code.
    page_fault_user,
    page_fault_kernel,
    page_fault_exit, // simulation

    // simulation: flush_tlb_mm_range chose. arg = pages asked, sub = 1 full, 0 range, id = shootdown,
    // aux = targets.
    flush_decision,
    // simulation: the initiator starts and ends waiting for acknowledgements. id = shootdown, aux = targets.
    shootdown_wait,
    shootdown_done,
    // simulation: target acknowledged (csd unlocked). id = shootdown, aux = initiator CPU.
    ipi_ack,
    // simulation: a lazy CPU left the mm on its first IPI (leave_mm) instead of flushing pages.
    leave_mm,
    // simulation: mmap_sem. sub = 1 for write. arg = mm. blocked .. acquired.
    mmap_sem_blocked,
    mmap_sem_acquired,
    // simulation: interrupts off and on. Delivery waits in between.
    irq_disable,
    irq_enable,
    // simulation: one loop of the workload finished (ebizzy record). arg = count so far.
    workload_record,

    // tracing_mark_write / print. arg = index into Names::texts.
    marker,
    // Events were lost on this CPU before this time. arg = count, -1 unknown.
    lost,
    // xen / hyperv / kvm paravirtual flushes. arg = address, aux = ncpus.
    pv_flush,
    // Known to be an event, kind not understood. id = name of the event.
    other,

    // simulation: CR3 was written for the address-space split. sub = 1 at an entry from user mode, 0 at
    // the exit to it, 2 for the control's flush in an interrupt handler; arg = -1: it flushes, 0: not.
    cr3_load,

    count_
};

// Numbers as in include/trace/events/tlb.h; code 5 since 2815a56e4b72 (6.14).
enum class FlushReason : std::uint8_t {
    task_switch = 0,
    remote_shootdown = 1,
    local_shootdown = 2,
    local_mm_shootdown = 3,
    remote_send_ipi = 4,
    remote_wrong_cpu = 5,
    unknown = 255,
};

enum class Syscall : std::uint8_t { unknown = 0, munmap, madvise, mprotect, mremap, mmap, other };

// 32 bytes. `time` is cycles in a simulation and nanoseconds in a recording (EventLog says which).
struct Event {
    std::int64_t time = 0;
    std::int64_t arg = 0;
    std::uint32_t id = 0;   // shootdown number, or index into Names::strings
    std::uint32_t aux = 0;  // see the kind
    std::uint32_t task = 0; // pid in a recording, TaskId in a simulation: the task running on `cpu`
    CpuId cpu = 0;
    EventKind kind = EventKind::none;
    std::uint8_t sub = 0;

    bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) == 32 && std::is_trivially_copyable_v<Event>);

// "tlb_flush", "call_function_single_entry", …: the tracepoint's name. Never null.
const char* to_string(EventKind);
// The kernel's text for the reason, "remote shootdown" and so on.
const char* to_string(FlushReason);
const char* to_string(Syscall);

} // namespace tlbscope
