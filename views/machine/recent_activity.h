// What happened on each CPU just before the cursor, from a bounded stretch of the log: for recordings,
// whose machine has no TLB arrays to show.
#pragma once

#include "engine/recording/spans.h"
#include "engine/session/snapshot.h"

namespace tlbscope {

struct CpuActivity {
    std::uint64_t lastFlush = ~std::uint64_t{0}; // index of the last tlb_flush, none: all ones
    int flushes = 0, fullFlushes = 0, sent = 0, received = 0;
};

struct RecentActivity {
    std::int64_t begin = 0, end = 0; // ticks of the stretch
    std::vector<CpuActivity> cpus;
    std::vector<Lane> lanes;

    // The last `most` events up to and including the cursor; 0: 64 a CPU, at most 4096.
    static RecentActivity of(const Snapshot& snapshot, std::uint64_t most = 0);
};

} // namespace tlbscope
