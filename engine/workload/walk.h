// Loads over a working set, and nothing else: at random, in order, or one a page as far as the dTLB goes.
#pragma once

#include "engine/core/random.h"
#include "engine/workload/processes.h"
#include "engine/workload/touch.h"
#include "engine/workload/workload_config.h"

#include <vector>

namespace tlbscope {

enum class WalkKind : std::uint8_t {
    random,     // any line of working_set_pages, all equally likely; a lap is a load for each page
    sequential, // every line of working_set_pages in order; a lap is a pass
    dtlb,       // one byte in each of as many pages as the dTLB has entries, on lines that fit the L1D
};

// Every thread is a process with pages of its own. Each load waits for the one before.
class Walk {
public:
    Walk(WalkKind kind, const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed);

    Kernel::Next run(Kernel& kernel, CpuId cpu);
    // Another working set begins with each thread's next lap.
    void configure(const WorkloadConfig& config, Kernel& kernel);
    std::uint64_t records() const { return records_; } // laps of all threads
    // Of the first thread, at the end of its last lap; work is loads.
    const WorkMark& mark() const { return mark_; }

private:
    struct Thread {
        MmId mm = 0;
        PageNumber code = 0, region = 0;
        std::uint32_t capacity = 0; // pages of the region
        std::uint32_t pages = 0;    // of the lap under way
        std::uint32_t position = 0; // loads of the lap that are done
        std::uint64_t laps = 0, work = 0;
        Random random;
    };
    static constexpr Cycles kBurst = 2000;
    static constexpr std::uint32_t kLines = kPageBytes / 64;

    std::uint32_t pages(const Kernel& kernel) const;
    std::uint32_t lap_loads(const Thread& thread) const {
        return kind_ == WalkKind::sequential ? thread.pages * kLines : thread.pages;
    }
    void begin_lap(Kernel& kernel, Thread& thread) const;
    void load(Kernel& kernel, CpuId cpu, Thread& thread, Burst& burst) const;
    void load_rest_of_page(Kernel& kernel, CpuId cpu, Thread& thread, Burst& burst) const;

    WalkKind kind_;
    WorkloadConfig config_;
    Processes processes_;
    std::vector<Thread> threads_;
    std::uint64_t seed_;
    std::uint64_t records_ = 0;
    WorkMark mark_;
};

} // namespace tlbscope
