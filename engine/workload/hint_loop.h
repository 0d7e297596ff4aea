// HINT's inner loop: the thirty accesses of an iteration, through the TLB and the caches.
#pragma once

#include "engine/workload/hint_layout.h"
#include "engine/workload/touch.h"

#include <span>

namespace tlbscope {

// Lives as long as a burst. What it leaves behind in TLBs, caches and counters is exactly what all
// thirty accesses one after the other leave; those that can change nothing are only counted.
class HintLoop {
public:
    // TLB slots in which pages were found last, by their low bits; kept from burst to burst.
    using Hints = std::array<std::uint32_t, 512>;

    HintLoop(Kernel& kernel, CpuId cpu, const Mm& mm, const HintLayout& layout, Hints& hints, Burst& burst);

    // Iteration k. False: an access faulted; the iteration has to be done again.
    bool iterate(HintStep step, std::uint32_t k, std::uint32_t last);
    // What precedes iteration 0.
    bool begin_lap();

private:
    // Accesses in turn; of neighbours on one line all but the first only count.
    bool touch_all(std::span<const HintAccess> accesses);
    template <HintType Type>
    bool iterate_as(HintStep step, std::uint32_t k, std::uint32_t last);
    // All of an iteration, access by access.
    bool touch_iteration(HintStep step, std::uint32_t k, std::uint32_t last);
    // What the accesses to both records before the queue's do to the caches.
    template <HintType Type>
    void touch_records(std::uint64_t p, std::uint64_t q, std::uint32_t p_frame, std::uint32_t q_frame);

    std::uint32_t translate(std::uint64_t address, bool write) {
        const PageNumber page = address >> kPageShift;
        const AccessResult result = mmu_.access_stream(
            cpu_, page, write ? AccessKind::write : AccessKind::read, table_, caches_, now_, hint_of(page));
        if (result.outcome != AccessOutcome::l1_hit) account(kernel_, result, page, burst_);
        return result.frame;
    }
    TLBSCOPE_INLINE void touch(std::uint64_t line, std::uint32_t frame, bool write) {
        constexpr std::uint32_t lines = kPageBytes / 64;
        const auto linear = static_cast<std::uint32_t>(line);
        const CacheHierarchy::Result found =
            caches_.touch(core_, frame * lines + linear % lines, linear, write);
        if (found.level != MemoryLevel::l1d) burst_.miss(found.level, found.cycles - l1d_latency_);
    }
    std::uint32_t& hint_of(PageNumber page) { return hints_[page % std::tuple_size_v<Hints>]; }
    // Whether an L1D set may hold both lines: then the order of all accesses to them counts.
    bool collide(std::uint64_t a, std::uint64_t b) const { return ((a ^ b) & set_mask_) == 0; }

    Kernel& kernel_;
    Mmu& mmu_;
    CacheHierarchy& caches_;
    const PageTable& table_;
    const HintLayout& layout_;
    Hints& hints_;
    Burst& burst_;
    Cycles now_, l1d_latency_;
    std::uint64_t set_mask_;
    int core_;
    CpuId cpu_;
};

} // namespace tlbscope
