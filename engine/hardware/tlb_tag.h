// What a TLB entry is: its tag, its payload, and when a tag still counts.
#pragma once

#include "engine/core/types.h"

#include <array>
#include <cstdint>

namespace tlbscope {

// A tag is page << 24 | context. A context stands for one logical CPU between two full flushes, so
// a flush is a new number and old entries simply never match again. 2 MiB entries set kHugeBit and
// hold the page number shifted right by 9.
using TlbTag = std::uint64_t;
using TlbContext = std::uint32_t;
inline constexpr int kContextBits = 24;
inline constexpr TlbContext kContextMask = (1u << kContextBits) - 1;
inline constexpr TlbContext kInvalidContext = 0; // never filled
inline constexpr TlbContext kGlobalContext = 1;  // global entries, until the first global flush
inline constexpr TlbContext kFirstContext = 2;
inline constexpr TlbContext kDeadContext = kContextMask; // invalidated, kept for display only
inline constexpr TlbTag kHugeBit = TlbTag{1} << 63;

inline TlbTag tlb_tag(PageNumber page, TlbContext context) {
    return (page << kContextBits) | context;
}
inline TlbTag tlb_tag_huge(PageNumber page, TlbContext context) {
    return kHugeBit | ((page >> 9) << kContextBits) | context;
}
inline TlbContext context_of(TlbTag tag) {
    return static_cast<TlbContext>(tag & kContextMask);
}
inline PageNumber page_of(TlbTag tag) {
    return tag & kHugeBit ? ((tag & ~kHugeBit) >> kContextBits) << 9 : tag >> kContextBits;
}

struct TlbPayload {
    Cycles filled = 0;         // when loaded, or when invalidated for kDeadContext
    std::uint32_t frame = 0;   // physical page | kWritable
    std::uint32_t version = 0; // PageTable::change_count() at which it was last known to be right

    static constexpr std::uint32_t kWritable = 1u << 31;
};

// The contexts of one core's siblings that still match; epoch grows with every full flush.
struct LiveContexts {
    std::array<TlbContext, 8> of_sibling{};        // user half
    std::array<TlbContext, 8> kernel_of_sibling{}; // kernel half, where `halves`
    TlbContext global = kGlobalContext;            // matches on every sibling, survives CR3 writes
    std::uint32_t siblings = 1;
    std::uint32_t epoch = 0;
    bool halves = false; // the kernel has entries that are not global

    bool is_live(TlbContext context) const {
        if (context == global) return true;
        for (std::uint32_t s = 0; s < siblings; ++s)
            if (of_sibling[s] == context || (halves && kernel_of_sibling[s] == context)) return true;
        return false;
    }
};

} // namespace tlbscope
