// The nr_tlb_* counters of /proc/vmstat and their neighbours.
#pragma once

#include <cstdint>

namespace tlbscope {

// Introduced in 3.12 (9824cf9753ec); kernels before it are counted with that meaning, except that
// the two local ones stay 0 where the policy says so.
struct VmStat {
    // +1 for every native_flush_tlb_others(), not for every target.
    std::uint64_t nr_tlb_remote_flush = 0;
    // +1 on each CPU that received the IPI and has the mm as active_mm, lazy or not.
    std::uint64_t nr_tlb_remote_flush_received = 0;
    // Up to 3.16 only the "too many pages" branch; from 3.17 every local full flush of an mm.
    std::uint64_t nr_tlb_local_flush_all = 0;
    // + pages of the local INVLPG loop.
    std::uint64_t nr_tlb_local_flush_one = 0;

    std::uint64_t page_faults = 0, context_switches = 0;
    std::uint64_t ipis_sent = 0; // call-function and reschedule
    // Same, by targets that were interrupted; also by the reschedule that starts a thread, which no
    // CPU of the machine sends.
    std::uint64_t ipis_received = 0;
    std::uint64_t csds_sent = 0, csds_received = 0; // one per shootdown and target
};

} // namespace tlbscope
