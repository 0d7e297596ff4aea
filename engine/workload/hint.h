// HINT, "hierarchical integration": the benchmark of the 2004 dispute about 4G/4G kernels.
#pragma once

#include "engine/workload/hint_loop.h"
#include "engine/workload/hint_sequence.h"
#include "engine/workload/processes.h"
#include "engine/workload/workload_config.h"

#include <memory>
#include <vector>

namespace tlbscope {

// Cycles of user instructions besides what misses the L1D. Estimates for a Pentium 4: about 45
// floating-point (INT: integer) operations with one divide of 38 to 66 cycles and L1D hits of 2 (integer)
// or 9 cycles (IA-32 optimization manual, table C). The dependent path of that is some 110.
struct HintCosts {
    Cycles iteration = 110;
    Cycles lap = 40; // entry, the first record, return
};

// Every thread is a process of its own, as the benchmark is serial. It integrates the same function over
// and over with `subintervals` records, in arrays that have been written before the run begins.
class Hint {
public:
    // Throws Error for a number of subintervals that the type has not.
    Hint(HintType type, const WorkloadConfig& config, Kernel& kernel);

    Kernel::Next run(Kernel& kernel, CpuId cpu);
    // Threads are added or leave at the end of a lap; another number of subintervals gets new arrays then.
    void configure(const WorkloadConfig& config, Kernel& kernel);
    // Laps of all threads.
    std::uint64_t records() const { return records_; }
    // Iterations of the first thread, those of a stretch that is under way included.
    std::uint64_t work() const { return threads_.empty() ? 0 : threads_.front().work; }
    // Of the first thread, at the end of its last lap; work is iterations.
    const WorkMark& mark() const { return mark_; }

private:
    struct Thread {
        MmId mm = 0;
        PageNumber code = 0; // one page of text, for the iTLB
        HintLayout layout;
        std::uint32_t subintervals = 0; // of the lap under way
        std::uint32_t k = 0, last = 0;  // next iteration, last element of the queue
        bool begun = false;             // the lap's first record is written
        std::uint64_t laps = 0, work = 0;
        HintLoop::Hints hints{};
    };
    // About a burst between two looks at the clock.
    static constexpr Cycles kBurst = 2000;

    HintLayout place(Kernel& kernel, MmId mm) const;
    // What the benchmark's smaller points leave behind in the page allocator.
    void run_smaller_points(Kernel& kernel) const;
    void end_lap(Kernel& kernel, CpuId cpu, std::size_t index);

    HintType type_;
    HintCosts costs_;
    WorkloadConfig config_;
    std::shared_ptr<const HintSequence> sequence_;
    Processes processes_;
    std::vector<Thread> threads_;
    std::vector<HintLayout> next_; // arrays of each thread's next lap
    std::uint64_t records_ = 0;
    WorkMark mark_;
};

} // namespace tlbscope
