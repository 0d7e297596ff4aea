#include "engine/kernel/flush_policies.h"

namespace tlbscope {

namespace {

FlushDecision decide(const FlushInput&) {
    return {true, -1, false};
}

std::vector<std::string> explain(const FlushInput& in, const FlushDecision&) {
    return {"flush_tlb_range() = flush_tlb_mm()",
            in.pages == kTlbFlushAll ? "whole address space"
                                     : spaced(in.pages) + " pages: no range flush exists yet"};
}

} // namespace

const FlushPolicy kFlushPolicyUpTo35 = {
    "<=3.5",
    "Linux up to 3.5",
    "arch/x86/mm/tlb.c before e7b52ffd45a6: any range or mm flush reloads CR3 everywhere",
    decide,
    explain,
    false,
    false,
    [](const ProcessorSpec&) { return -1; },
    false};

} // namespace tlbscope
