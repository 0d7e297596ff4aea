// "Range flush or full flush?", as each kernel decided it.
#pragma once

#include "engine/core/types.h"

#include <span>
#include <string>
#include <vector>

namespace tlbscope {

struct ProcessorSpec;

// What flush_tlb_mm_range() looks at.
struct FlushInput {
    std::int64_t pages = 0;           // (end - start) >> 12; -1: TLB_FLUSH_ALL
    std::uint64_t total_vm = 0;       // mm->total_vm, pages
    std::uint32_t tlb_lld_4k = 0;     // entries the kernel believes the dTLB has
    std::uint32_t tlb_lli_4k = 0;     // same for code
    int shift = -1;                   // tlb_flushall_shift, -1 … 12
    int ceiling = 33;                 // tlb_single_page_flush_ceiling, pages
    bool vm_exec = false;             // only flush_tlb_range(vma) passes VM_EXEC; munmap passes 0
    bool hugetlb = false;             // VM_HUGETLB was passed
    bool large_page_in_range = false; // has_large_page() would find one
};

struct FlushDecision {
    bool full = false;
    std::int64_t threshold = -1; // pages up to which the rule flushes singly; -1: rule has none
    bool counted_full = false;   // this branch counts NR_TLB_LOCAL_FLUSH_ALL in that kernel
};

// One kernel era. A row in the registry; adding one is a file like flush_policy_3_6.cpp and a row.
struct FlushPolicy {
    const char* id;     // "3.6-3.13"
    const char* name;   // "Linux 3.6–3.13"
    const char* source; // commits of the rule
    FlushDecision (*decide)(const FlushInput&);
    // The arithmetic with its numbers filled in, two to four lines.
    std::vector<std::string> (*explain)(const FlushInput&, const FlushDecision&);
    bool uses_shift;   // the kernel has tlb_flushall_shift
    bool uses_ceiling; // the kernel has tlb_single_page_flush_ceiling
    // The shift this kernel sets for that processor; ignored unless uses_shift.
    int (*default_shift)(const ProcessorSpec&);
    bool has_vmstat; // nr_tlb_* counters exist (3.12 and later in this era)
};

inline constexpr int kDefaultCeiling = 33; // a5102476a24b

std::span<const FlushPolicy> flush_policies();
// Throws Error listing the known ids.
const FlushPolicy& find_flush_policy(const std::string& id);

} // namespace tlbscope
