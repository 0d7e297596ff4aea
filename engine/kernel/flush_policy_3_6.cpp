#include "engine/hardware/processor.h"
#include "engine/kernel/flush_policies.h"

#include <algorithm>

namespace tlbscope {

namespace {

std::int64_t entries(const FlushInput& in) {
    return in.vm_exec ? in.tlb_lli_4k : in.tlb_lld_4k;
}

// flush_tlb_mm_range() of 3.6 to 3.13. total_vm is shifted together with the entries.
FlushDecision decide(const FlushInput& in) {
    if (in.pages == kTlbFlushAll || in.shift == -1 || in.hugetlb) return {true, -1, false};
    const std::int64_t act_entries = std::min(static_cast<std::int64_t>(in.total_vm), entries(in));
    const std::int64_t threshold = act_entries >> in.shift;
    if (in.pages > threshold) return {true, threshold, true};
    if (in.large_page_in_range) return {true, threshold, false}; // has_large_page(), not counted
    return {false, threshold, false};
}

std::vector<std::string> explain(const FlushInput& in, const FlushDecision& d) {
    if (in.pages == kTlbFlushAll) return {"end == TLB_FLUSH_ALL", "whole address space"};
    if (in.shift == -1) return {"tlb_flushall_shift == \u22121", "never a range flush on this processor"};
    if (in.hugetlb) return {"vmflag & VM_HUGETLB", "huge pages are always flushed whole"};
    std::vector<std::string> lines = {
        "pages > min(total_vm, entries) >> shift",
        spaced(in.pages) + " > min(" + spaced(static_cast<std::int64_t>(in.total_vm)) + ", " +
            spaced(entries(in)) + ") >> " + std::to_string(in.shift),
        spaced(in.pages) + (in.pages > d.threshold ? " > " : " \u2264 ") + spaced(d.threshold)};
    if (in.pages <= d.threshold && in.large_page_in_range)
        lines.push_back("has_large_page(): a 2 MiB page is in range");
    return lines;
}

} // namespace

const FlushPolicy kFlushPolicy36 = {"3.6-3.13",
                                    "Linux 3.6\u20133.13",
                                    "e7b52ffd45a6, c4211f42d3e6, 611ae8e3f520, 597e1c3580b7, 3df3212f9722",
                                    decide,
                                    explain,
                                    true,
                                    false,
                                    [](const ProcessorSpec& p) { return p.shift_3_6; },
                                    true};

} // namespace tlbscope
