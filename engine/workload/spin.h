// A loop in registers: how many cycles the kernel leaves to a program.
#pragma once

#include "engine/workload/processes.h"
#include "engine/workload/touch.h"
#include "engine/workload/workload_config.h"

#include <vector>

namespace tlbscope {

// Records are thousands of cycles of user work. Every thread is a process of its own.
class Spin {
public:
    Spin(const WorkloadConfig& config, Kernel& kernel);

    Kernel::Next run(Kernel& kernel, CpuId cpu);
    void configure(const WorkloadConfig& config, Kernel& kernel);
    std::uint64_t records() const { return records_; }
    // Of the first thread; laps are bursts, work is its records.
    const WorkMark& mark() const { return mark_; }

private:
    struct Thread {
        MmId mm = 0;
        PageNumber code = 0;
        std::uint64_t laps = 0;
        bool under_way = false;
    };
    static constexpr std::uint64_t kRecordsABurst = 10;
    static constexpr Cycles kRecord = 1000;

    Processes processes_;
    std::vector<Thread> threads_;
    std::uint64_t records_ = 0;
    WorkMark mark_;
};

} // namespace tlbscope
