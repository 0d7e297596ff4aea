#include "engine/core/event.h"

#include <array>

namespace tlbscope {

const char* to_string(EventKind kind) {
    static constexpr std::array names = {
        "none",
        "tlb_flush",
        "csd_queue_cpu",
        "csd_function_entry",
        "csd_function_exit",
        "ipi_send_cpu",
        "ipi_send_cpumask",
        "ipi_raise",
        "ipi_entry",
        "ipi_exit",
        "call_function_single_entry",
        "call_function_single_exit",
        "call_function_entry",
        "call_function_exit",
        "reschedule_entry",
        "reschedule_exit",
        "local_timer_entry",
        "local_timer_exit",
        "irq_vector_entry",
        "irq_vector_exit",
        "sched_switch",
        "sys_enter",
        "sys_exit",
        "page_fault_user",
        "page_fault_kernel",
        "page_fault_exit",
        "flush_decision",
        "shootdown_wait",
        "shootdown_done",
        "ipi_ack",
        "leave_mm",
        "mmap_sem_blocked",
        "mmap_sem_acquired",
        "irq_disable",
        "irq_enable",
        "workload_record",
        "marker",
        "lost",
        "pv_flush",
        "other",
        "cr3_load",
    };
    static_assert(names.size() == static_cast<std::size_t>(EventKind::count_));
    const auto i = static_cast<std::size_t>(kind);
    return i < names.size() ? names[i] : "invalid";
}

const char* to_string(FlushReason reason) {
    switch (reason) {
    case FlushReason::task_switch:
        return "flush on task switch";
    case FlushReason::remote_shootdown:
        return "remote shootdown";
    case FlushReason::local_shootdown:
        return "local shootdown";
    case FlushReason::local_mm_shootdown:
        return "local mm shootdown";
    case FlushReason::remote_send_ipi:
        return "remote ipi send";
    case FlushReason::remote_wrong_cpu:
        return "remote wrong CPU";
    case FlushReason::unknown:
        break;
    }
    return "unknown reason";
}

const char* to_string(Syscall call) {
    switch (call) {
    case Syscall::munmap:
        return "munmap";
    case Syscall::madvise:
        return "madvise";
    case Syscall::mprotect:
        return "mprotect";
    case Syscall::mremap:
        return "mremap";
    case Syscall::mmap:
        return "mmap";
    case Syscall::unknown:
    case Syscall::other:
        break;
    }
    return "other";
}

} // namespace tlbscope
