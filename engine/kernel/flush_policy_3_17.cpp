#include "engine/kernel/flush_policies.h"

namespace tlbscope {

namespace {

// 3.17: base_pages_to_flush > tlb_single_page_flush_ceiling. Every local full flush is counted.
FlushDecision decide(const FlushInput& in) {
    const bool all = in.pages == kTlbFlushAll || in.hugetlb;
    const bool full = all || in.pages > in.ceiling;
    return {full, in.ceiling, full};
}

std::vector<std::string> explain(const FlushInput& in, const FlushDecision& d) {
    if (in.pages == kTlbFlushAll) return {"end == TLB_FLUSH_ALL", "whole address space"};
    if (in.hugetlb) return {"vmflag & VM_HUGETLB", "huge pages are always flushed whole"};
    return {"pages > tlb_single_page_flush_ceiling",
            spaced(in.pages) + (d.full ? " > " : " \u2264 ") + spaced(in.ceiling)};
}

} // namespace

const FlushPolicy kFlushPolicy317 = {"3.17+",
                                     "Linux 3.17 and later",
                                     "a5102476a24b",
                                     decide,
                                     explain,
                                     false,
                                     true,
                                     [](const ProcessorSpec&) { return -1; },
                                     true};

} // namespace tlbscope
