#include "engine/hardware/processor.h"
#include "engine/kernel/flush_policies.h"

#include <algorithm>

namespace tlbscope {

namespace {

std::int64_t entries(const FlushInput& in) {
    return in.vm_exec ? in.tlb_lli_4k : in.tlb_lld_4k;
}

// 3.14 to 3.16: only the entries are shifted, and the large-page walk is gone.
FlushDecision decide(const FlushInput& in) {
    if (in.pages == kTlbFlushAll || in.shift == -1 || in.hugetlb) return {true, -1, false};
    const std::int64_t threshold = std::min(static_cast<std::int64_t>(in.total_vm), entries(in) >> in.shift);
    const bool full = in.pages > threshold;
    return {full, threshold, full};
}

std::vector<std::string> explain(const FlushInput& in, const FlushDecision& d) {
    if (in.pages == kTlbFlushAll) return {"end == TLB_FLUSH_ALL", "whole address space"};
    if (in.shift == -1) return {"tlb_flushall_shift == \u22121", "never a range flush on this processor"};
    if (in.hugetlb) return {"vmflag & VM_HUGETLB", "huge pages are always flushed whole"};
    return {"pages > min(total_vm, entries >> shift)",
            spaced(in.pages) + " > min(" + spaced(static_cast<std::int64_t>(in.total_vm)) + ", " +
                spaced(entries(in)) + " >> " + std::to_string(in.shift) + ")",
            spaced(in.pages) + (d.full ? " > " : " \u2264 ") + spaced(d.threshold)};
}

} // namespace

const FlushPolicy kFlushPolicy314 = {"3.14-3.16",
                                     "Linux 3.14\u20133.16",
                                     "71b54f826386, b9a3b4c976c1; 15aa368255f2, ec65993443736",
                                     decide,
                                     explain,
                                     true,
                                     false,
                                     [](const ProcessorSpec& p) { return p.shift_3_14; },
                                     true};

} // namespace tlbscope
