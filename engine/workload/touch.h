// What user code does to memory, with every cycle given an owner.
#pragma once

#include "engine/kernel/kernel.h"

namespace tlbscope {

// Cycles of one burst of user work; ends at the first page fault.
struct Burst {
    Cycles walk = 0, cache_miss = 0, user = 0;
    bool faulted = false;
    PageNumber fault_page = 0;
};

// Translates one access of `cpu`'s current task and adds what that costs.
// Returns the physical page, or sets burst.faulted.
inline std::uint32_t translate(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, AccessKind kind,
                               Burst& burst) {
    const AccessResult result =
        kernel.mmu().access(cpu, page, kind, mm.page_table, kernel.caches(), kernel.now());
    burst.walk += result.cycles;
    if (result.outcome == AccessOutcome::fault) {
        burst.faulted = true;
        burst.fault_page = page;
    } else if (result.refill_cause) {
        kernel.charge_refill(result.refill_cause, result.cycles);
    }
    return result.frame;
}

// A sequential pass over `lines` 64-byte lines of one page.
inline bool stream_page(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, AccessKind kind,
                        std::uint32_t lines, Burst& burst) {
    const std::uint32_t frame = translate(kernel, cpu, mm, page, kind, burst);
    if (burst.faulted) return false;
    burst.cache_miss +=
        kernel.caches().stream(kernel.topology().core_of(cpu), frame * (kPageBytes / 64), lines);
    return true;
}

// One dependent load from line `line` (0 … 63) of the page.
inline bool load_line(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, std::uint32_t line,
                      Burst& burst) {
    const std::uint32_t frame = translate(kernel, cpu, mm, page, AccessKind::read, burst);
    if (burst.faulted) return false;
    const Cycles cycles =
        kernel.caches().load(kernel.topology().core_of(cpu), frame * (kPageBytes / 64) + line);
    burst.user += kernel.caches().l1d_latency();
    burst.cache_miss += cycles - kernel.caches().l1d_latency();
    return true;
}

// Spends the burst, then takes the fault if there was one.
Kernel::Next spend(Kernel& kernel, CpuId cpu, const Burst& burst);

} // namespace tlbscope
