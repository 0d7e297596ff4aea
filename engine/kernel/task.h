// Threads and what they are doing in the kernel.
#pragma once

#include "engine/core/event.h"
#include "engine/core/types.h"

#include <vector>

namespace tlbscope {

enum class TaskState : std::uint8_t { running, runnable, blocked, parked };

// Where a system call or fault has got to; each step ends in at most one stretch of time.
enum class OpStep : std::uint8_t {
    none, // in user mode
    trap, // fault: user work before the faulting access
    enter,
    lock,
    retry_lock, // woken writer
    work,       // find the VMA and change it; allocate
    zap,        // clear or change page-table entries
    zero,       // fault: clear the new page
    flush,      // decide and flush locally
    send,       // IPIs
    wait,       // acknowledgements
    free_pages,
    unlock,
    leave,
    finish,
};

// null_call: a system call that only enters and leaves (getppid, lseek, gettimeofday).
enum class OpKind : std::uint8_t { none, mmap, munmap, madvise_dontneed, mprotect, fault, null_call };

struct KernelOp {
    OpKind kind = OpKind::none;
    OpStep step = OpStep::none;
    PageNumber start = 0;
    std::uint64_t pages = 0;
    bool writable = true;        // mprotect: new protection
    bool exclusive = false;      // holds mmap_sem for writing
    std::uint32_t frame = 0;     // fault: the new page
    std::uint32_t shootdown = 0; // current flush
    std::uint64_t unmapped = 0;  // munmap: pages still to be taken from total_vm
};

struct Task {
    TaskState state = TaskState::parked;
    MmId mm = 0;
    CpuId cpu = 0; // runs there, or ran there last
    KernelOp op;
    std::vector<std::uint32_t> gather; // mmu_gather: frames to free after the flush
    PageNumber result = 0;             // of the last system call: address for mmap
    std::uint32_t pid = 0;             // shown in events; the task's index
};

} // namespace tlbscope
