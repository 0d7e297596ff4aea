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
    // TLB slots that the streams used last, kept from burst to burst.
    using Hints = std::array<std::uint32_t, kHintStreams>;

    HintLoop(Kernel& kernel, CpuId cpu, const Mm& mm, const HintLayout& layout, Hints& hints, Burst& burst);

    // Iteration k. False: an access faulted; the iteration has to be done again.
    bool iterate(HintStep step, std::uint32_t k, std::uint32_t last);
    // What precedes iteration 0.
    bool begin_lap();

private:
    // Accesses in turn; of neighbours on one line all but the first only count. `before`: what preceded.
    bool touch_all(std::span<const HintAccess> accesses, const HintAccess* before = nullptr);
    template <HintType Type>
    bool iterate_as(HintStep step, std::uint32_t k, std::uint32_t last);
    // The rest of an iteration from its access `from` on.
    bool finish(HintStep step, std::uint32_t k, std::uint32_t last, std::size_t from);

    // True for a hit in the L1 dTLB; a fault is seen in burst_.
    TLBSCOPE_INLINE bool translate(std::uint64_t address, HintStream stream, bool write,
                                   std::uint32_t& frame) {
        ++accesses_;
        const PageNumber page = address >> kPageShift;
        const AccessResult result =
            mmu_.access_stream(cpu_, page, write ? AccessKind::write : AccessKind::read, table_, caches_,
                               now_, hints_[static_cast<std::size_t>(stream)]);
        frame = result.frame;
        if (result.outcome == AccessOutcome::l1_hit) [[likely]]
            return true;
        account(kernel_, result, page, burst_);
        return false;
    }
    TLBSCOPE_INLINE void touch(std::uint64_t line, std::uint32_t frame, bool write) {
        constexpr std::uint32_t lines = kPageBytes / 64;
        const auto linear = static_cast<std::uint32_t>(line);
        const CacheHierarchy::Result found =
            caches_.touch(core_, frame * lines + linear % lines, linear, write);
        if (found.level != MemoryLevel::l1d) burst_.miss(found.level, found.cycles - l1d_latency_);
    }
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
    std::uint32_t accesses_ = 0; // made in this iteration
    int core_;
    CpuId cpu_;
};

} // namespace tlbscope
