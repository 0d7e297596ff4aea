// What a CPU had done when its workload last finished a unit of work.
#pragma once

#include "engine/core/bucket.h"
#include "engine/hardware/mmu.h"

#include <cstdint>

namespace tlbscope {

// Taken between two stretches of user work, so that the cycles add up exactly: buckets sum to `time`
// and stalls to their buckets. The difference of two marks is what the work between them cost.
struct WorkMark {
    std::uint64_t laps = 0; // units finished: HINT laps, passes of a walk
    std::uint64_t work = 0; // HINT iterations, accesses of a walk, loops
    Cycles time = 0;
    BucketCycles buckets{};
    StallCycles stalls;
    MmuCounters mmu;
    std::uint64_t ticks = 0, interrupts = 0, cr3_loads = 0;
};

} // namespace tlbscope
