// What user code does to memory, with every cycle given an owner.
#pragma once

#include "engine/kernel/kernel.h"

#include <array>

namespace tlbscope {

// Cycles of one burst of user work; ends at the first page fault.
struct Burst {
    Cycles walk = 0, cache_miss = 0, user = 0;
    std::array<Cycles, kMemoryLevels> data{}; // cache_miss by where the data was
    bool faulted = false;
    PageNumber fault_page = 0;

    Cycles cycles() const { return walk + cache_miss + user; }
    // `cycles` beyond an L1D hit.
    void miss(MemoryLevel level, Cycles cycles) {
        cache_miss += cycles;
        data[static_cast<std::size_t>(level)] += cycles;
    }
};

// Adds what a translation cost, or sets burst.faulted.
inline void account(Kernel& kernel, const AccessResult& result, PageNumber page, Burst& burst) {
    burst.walk += result.cycles;
    if (result.outcome == AccessOutcome::fault) {
        burst.faulted = true;
        burst.fault_page = page;
    } else if (result.refill_cause) {
        kernel.charge_refill(result.refill_cause, result.cycles);
    }
}

// Translates one access of `cpu`'s current task and adds what that costs.
// Returns the physical page, or sets burst.faulted.
inline std::uint32_t translate(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, AccessKind kind,
                               Burst& burst) {
    const AccessResult result =
        kernel.mmu().access(cpu, page, kind, mm.page_table, kernel.caches(), kernel.now());
    account(kernel, result, page, burst);
    return result.frame;
}

// A sequential pass over `lines` 64-byte lines of one page.
inline bool stream_page(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, AccessKind kind,
                        std::uint32_t lines, Burst& burst) {
    const std::uint32_t frame = translate(kernel, cpu, mm, page, kind, burst);
    if (burst.faulted) return false;
    burst.cache_miss +=
        kernel.caches().stream(kernel.topology().core_of(cpu), frame * (kPageBytes / 64), lines, burst.data);
    return true;
}

// One dependent access to line `line` (0 … 63) of the page.
inline bool touch_line(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, std::uint32_t line,
                       AccessKind kind, Burst& burst) {
    constexpr std::uint32_t lines = kPageBytes / 64;
    const std::uint32_t frame = translate(kernel, cpu, mm, page, kind, burst);
    if (burst.faulted) return false;
    CacheHierarchy& caches = kernel.caches();
    const CacheHierarchy::Result found =
        caches.touch(kernel.topology().core_of(cpu), frame * lines + line,
                     static_cast<std::uint32_t>(page) * lines + line, kind == AccessKind::write);
    burst.user += caches.l1d_latency();
    if (found.level != MemoryLevel::l1d) burst.miss(found.level, found.cycles - caches.l1d_latency());
    return true;
}
inline bool load_line(Kernel& kernel, CpuId cpu, const Mm& mm, PageNumber page, std::uint32_t line,
                      Burst& burst) {
    return touch_line(kernel, cpu, mm, page, line, AccessKind::read, burst);
}

// Spends the burst, then takes the fault if there was one.
Kernel::Next spend(Kernel& kernel, CpuId cpu, const Burst& burst);

} // namespace tlbscope
