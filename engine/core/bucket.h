// Where a CPU's cycles go.
#pragma once

#include "engine/core/types.h"

#include <array>
#include <cstddef>

namespace tlbscope {

// Owners of a CPU's cycles. Their sum is the elapsed time of that CPU, always.
enum class Bucket : std::uint8_t {
    user,        // user instructions
    cache_miss,  // user data that missed L1
    page_walk,   // page-table walks after a TLB miss
    fault,       // page-fault handling including zeroing the page
    syscall,     // system calls apart from flushing and waiting
    local_flush, // invlpg or CR3 write on the initiator
    wait_acks,   // initiator waits for acknowledgements
    ipi_service, // target: interrupt entry, flush, acknowledgement, exit
    interrupt,   // timer tick and reschedule interrupts
    switch_mm,   // context switch and address-space switch
    cr3_load,    // CR3 loads of an address-space split, at entry to and exit from the kernel
    idle,
    count_
};
inline constexpr std::size_t kBuckets = static_cast<std::size_t>(Bucket::count_);
using BucketCycles = std::array<Cycles, kBuckets>;
const char* to_string(Bucket); // "user work", "waiting for acknowledgements", …

// Where a load found its line.
enum class MemoryLevel : std::uint8_t { l1d, l2, l3, memory };
inline constexpr std::size_t kMemoryLevels = 4;
const char* to_string(MemoryLevel); // "L1D", "L2", "L3", "memory"

// Buckets page_walk and cache_miss of one CPU by where their loads hit: dtlb, itlb and stlb sum to
// page_walk, data (whose l1d is always 0) to cache_miss, whenever no user work is under way on the CPU
// and while its SMT siblings are idle, which would stretch the buckets.
struct StallCycles {
    std::array<Cycles, kMemoryLevels> dtlb{}, itlb{}, data{};
    Cycles stlb = 0; // L1 TLB misses that hit the STLB

    bool operator==(const StallCycles&) const = default;
};

} // namespace tlbscope
