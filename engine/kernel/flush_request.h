// One flush_tlb_mm_range() in flight: struct flush_tlb_info, who must answer, and what it cost.
#pragma once

#include "engine/kernel/cpu.h"
#include "engine/kernel/flush_policy.h"
#include "engine/kernel/task.h"

#include <algorithm>

namespace tlbscope {

// One target of a shootdown between send and acknowledgement.
struct FlushTarget {
    enum class Phase : std::uint8_t {
        travelling,    // the IPI is on its way
        pending,       // it has arrived, interrupts are off
        servicing,     // from the interrupt entry (leaving idle included) to csd_unlock()
        acknowledging, // csd unlocked, the initiator has not seen it yet
        done,
    };
    CpuId cpu = 0;
    Phase phase = Phase::travelling;
    Cycles begin = 0, end = 0; // of the phase; kForever where its end is not known
};

struct FlushRequest {
    std::uint32_t id = 0; // grows from 1
    CpuId initiator = 0;
    TaskId task = 0;
    MmId mm = 0;
    OpKind caller = OpKind::none;
    PageNumber start = 0;
    std::uint64_t pages = 0;
    std::uint32_t changes = 0; // the page table's change count when it began
    FlushInput input;
    FlushDecision decision;
    bool remote_full = false;         // what the targets are told
    std::vector<FlushTarget> targets; // ascending by cpu
    std::uint32_t acks_left = 0;
    bool complete = true;
    const FlushPolicy* policy = nullptr;
    Cycles begin = 0, sent = 0, end = 0;

    // Cycles over all CPUs.
    Cycles flush_cycles = 0, wait_cycles = 0, service_cycles = 0, refill_cycles = 0;

    // Null when `target` is none of this flush.
    FlushTarget* find(CpuId target) {
        const auto at = std::lower_bound(targets.begin(), targets.end(), target,
                                         [](const FlushTarget& t, CpuId c) { return t.cpu < c; });
        return at != targets.end() && at->cpu == target ? &*at : nullptr;
    }
};

} // namespace tlbscope
