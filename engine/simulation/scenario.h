// Everything that fixes a run: same scenario, same run, bit for bit.
#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <string>

namespace tlbscope {

// SMT siblings and TLB capacity; `processor` takes what the processor file says.
enum class SiblingTlb : std::uint8_t { processor, private_each, split, shared };

struct Scenario {
    std::string processor = "ivybridge-i7-3770"; // file name in resources/processors without .json
    std::string policy = "3.6-3.13";             // FlushPolicy::id, see kernel/flush_policy.h
    std::string workload = "ebizzy";             // "ebizzy" or "mummap"
    // tlb_flushall_shift, -1 … 12; kDefault: the kernel's own for this processor and policy.
    int shift = kDefault;
    // tlb_single_page_flush_ceiling in pages, 0 … 4096; kDefault: 33.
    int ceiling = kDefault;
    int threads = 4;              // 1 … 4096; more than CPUs: they take turns
    int flush_pages = 129;        // pages of one munmap, 1 … 8192
    int working_set_pages = 1290; // pages the workload reads besides, 1 … 262144 (ebizzy: its chunks)
    int madvise = 0;              // ebizzy: 1 frees by madvise(MADV_DONTNEED), 0 by munmap
    int hz = 250;                 // timer ticks a second: 100, 200, 250, 300, 1000
    int interrupts = 0;           // device interrupts a second on CPU 0 besides, 0 … 100000
    // AddressSplit::id; "default": "shared" on a 64-bit processor, "3:1" on a 32-bit one.
    std::string split = "default";
    int pae = 0;                     // 1: a 32-bit kernel with PAE
    int invpcid = 1;                 // "kpti-pcid": INVPCID where the processor has it
    int global_text = 0;             // "kpti", "kpti-pcid": kernel text stays global
    std::string placement = "lists"; // PagePlacementInfo::id
    int l2_kib = 0;                  // L2 of that size instead of the processor's, same ways; 0 keeps it
    int subintervals = 6095;         // HINT: intervals of one lap, 2 … 2000000; 84 bytes each on its axis
    SiblingTlb sibling_tlb = SiblingTlb::processor;
    // Override of the processor's topology; 0 keeps it.
    int sockets = 0, cores_per_socket = 0, threads_per_core = 0;
    std::uint64_t seed = 7;

    static constexpr int kDefault = -1000;
    bool operator==(const Scenario&) const = default;
};

// Throws Error naming field and allowed range ("threads: 0 is outside 1 … 4096").
void validate(const Scenario&);

// Whether a running machine can take over `to` without a new run: only policy, shift, ceiling,
// threads, flush_pages, working_set_pages and madvise may differ.
bool is_live_change(const Scenario& from, const Scenario& to);

} // namespace tlbscope
