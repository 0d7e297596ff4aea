// One short system call after the other: lseek(), gettimeofday().
#pragma once

#include "engine/workload/processes.h"
#include "engine/workload/touch.h"
#include "engine/workload/workload_config.h"

#include <vector>

namespace tlbscope {

// The call enters the kernel, finds little to do and leaves. Around it the loop runs from one page of text
// and stores to one page of stack. Every thread is a process of its own.
class NullCalls {
public:
    NullCalls(const WorkloadConfig& config, Kernel& kernel);

    Kernel::Next run(Kernel& kernel, CpuId cpu);
    void configure(const WorkloadConfig& config, Kernel& kernel);
    std::uint64_t records() const { return records_; } // calls
    // Of the first thread; laps and work are calls.
    const WorkMark& mark() const { return mark_; }

private:
    enum class Phase : std::uint8_t { call, returned, loop };
    struct Thread {
        MmId mm = 0;
        PageNumber code = 0, stack = 0;
        std::uint64_t calls = 0;
        Phase phase = Phase::loop;
    };
    // Of the loop and the library's wrapper around the call; an estimate.
    static constexpr Cycles kLoop = 10;

    Processes processes_;
    std::vector<Thread> threads_;
    std::uint64_t records_ = 0;
    WorkMark mark_;
};

} // namespace tlbscope
