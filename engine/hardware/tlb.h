// One TLB array: tags, payloads and replacement state. The inner loop of the program.
#pragma once

#include "engine/core/types.h"
#include "engine/hardware/processor.h"
#include "engine/hardware/recency.h"

#include <array>
#include <cstdint>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tlbscope {

// A tag is page << 24 | context. A context stands for one logical CPU between two full flushes, so
// a flush is a new number and old entries simply never match again. 2 MiB entries set kHugeBit and
// hold the page number shifted right by 9.
using TlbTag = std::uint64_t;
using TlbContext = std::uint32_t;
inline constexpr int kContextBits = 24;
inline constexpr TlbContext kContextMask = (1u << kContextBits) - 1;
inline constexpr TlbContext kInvalidContext = 0; // never filled
inline constexpr TlbContext kGlobalContext = 1;  // matches on every sibling, survives CR3 writes
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
    std::array<TlbContext, 8> of_sibling{};
    std::uint32_t siblings = 1;
    std::uint32_t epoch = 0;

    bool is_live(TlbContext context) const {
        if (context == kGlobalContext) return true;
        for (std::uint32_t s = 0; s < siblings; ++s)
            if (of_sibling[s] == context) return true;
        return false;
    }
};

class Tlb {
public:
    static constexpr std::int32_t kMiss = -1;

    Tlb() = default;
    // entries and ways as in TlbSpec; `seed` for random replacement.
    Tlb(std::uint32_t entries, std::uint32_t ways, Replacement replacement, std::uint64_t seed);

    // Slot of `tag` and marks it used; kMiss if absent.
    std::int32_t lookup(TlbTag tag) {
        if (ways_ > 16) return lookup_full(tag);
        const std::uint32_t set = set_of(tag);
        const std::int32_t way = match(&tags_[set * ways_], tag);
        if (way < 0) return kMiss;
        touch(set, static_cast<unsigned>(way));
        return static_cast<std::int32_t>(set * ways_) + way;
    }

    // Slot of `tag` without marking it used.
    std::int32_t probe(TlbTag tag) const;

    // Loads an absent tag; dead entries are replaced first, then the replacement policy decides.
    // Returns the slot.
    std::uint32_t fill(TlbTag tag, const TlbPayload& payload, const LiveContexts& live);

    // INVLPG: the entry stays visible as dead since `now`. Returns whether it was there.
    bool invalidate(TlbTag tag, Cycles now);

    // Really clears everything; only for the wrap-around of context numbers.
    void clear();

    // Slot whose tag has this page and context but is no longer live, or kMiss: tells a refill
    // caused by a flush from a first use.
    std::int32_t find_dead(PageNumber page, bool huge, TlbContext old_context) const;

    std::uint32_t entries() const { return ways_ * sets_; }
    std::uint32_t ways() const { return ways_; }
    std::uint32_t sets() const { return sets_; }
    TlbTag tag(std::uint32_t slot) const { return tags_[slot]; }
    TlbPayload& payload(std::uint32_t slot) { return payloads_[slot]; }
    const TlbPayload& payload(std::uint32_t slot) const { return payloads_[slot]; }
    // 0 most recently used … ways-1; the order of a display, not of the replacement, where that is not LRU.
    std::uint32_t recency(std::uint32_t slot) const;

private:
    std::uint32_t set_of(TlbTag tag) const {
        return static_cast<std::uint32_t>(tag >> kContextBits) & set_mask_;
    }

    std::int32_t match(const TlbTag* tags, TlbTag tag) const {
        switch (ways_) {
        case 4:
            return match_n<4>(tags, tag);
        case 8:
            return match_n<8>(tags, tag);
        case 12:
            return match_n<12>(tags, tag);
        default: {
            for (std::uint32_t w = 0; w < ways_; ++w)
                if (tags[w] == tag) return static_cast<std::int32_t>(w);
            return kMiss;
        }
        }
    }
    // Way of `tag`, branchless: one bit a way.
    template <int N>
    static std::int32_t match_n(const TlbTag* tags, TlbTag tag) {
        unsigned hits = 0;
#ifdef __SSE2__
        const __m128i wanted = _mm_set1_epi64x(static_cast<long long>(tag));
        for (int w = 0; w < N; w += 2) {
            const __m128i two = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags + w));
            const __m128i halves = _mm_cmpeq_epi32(two, wanted);
            const __m128i both = _mm_and_si128(halves, _mm_shuffle_epi32(halves, 0xb1));
            hits |= static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(both))) << w;
        }
#else
        for (int w = 0; w < N; ++w)
            hits |= static_cast<unsigned>(tags[w] == tag) << w;
#endif
        return hits ? std::countr_zero(hits) : kMiss;
    }

    void touch(std::uint32_t set, unsigned way) {
        if (replacement_ == Replacement::lru) {
            order_[set] = recency::promote(order_[set], way); // no branch: nobody could predict it
        } else if (replacement_ == Replacement::plru) {
            touch_plru(set, way);
        }
    }
    void touch_plru(std::uint32_t set, unsigned way);
    unsigned victim(std::uint32_t set, const LiveContexts& live);
    void sweep(std::uint32_t set, const LiveContexts& live);

    // Fully associative arrays of more than 16 ways: hash index and recency list.
    std::int32_t lookup_full(TlbTag tag) {
        std::uint32_t bucket = hash(tag);
        while (true) {
            const std::uint16_t slot = index_[bucket];
            if (slot == kNone) return kMiss;
            if (tags_[slot] == tag) {
                if (replacement_ != Replacement::fifo && newest_ != slot) to_front(slot);
                return slot;
            }
            bucket = (bucket + 1) & index_mask_;
        }
    }
    std::uint32_t hash(TlbTag tag) const {
        return static_cast<std::uint32_t>((tag * 0x9e3779b97f4a7c15u) >> index_shift_);
    }
    void to_front(std::uint16_t slot) {
        unlink(slot);
        push_front(slot);
    }
    void unlink(std::uint16_t slot);
    void push_front(std::uint16_t slot);
    void push_back(std::uint16_t slot);
    void erase_index(std::uint16_t slot);
    void insert_index(std::uint16_t slot);
    std::uint32_t fill_full(TlbTag tag, const TlbPayload& payload, const LiveContexts& live);

    std::uint64_t next_random();

    static constexpr std::uint16_t kNone = 0xffff;

    std::uint32_t ways_ = 0, sets_ = 0, set_mask_ = 0;
    Replacement replacement_ = Replacement::lru;
    std::vector<TlbTag> tags_;
    std::vector<TlbPayload> payloads_;
    std::vector<std::uint64_t> order_; // per set: recency word, PLRU bits, or FIFO position
    std::vector<std::uint32_t> swept_; // per set: epoch at which dead entries were last moved to the end
    std::vector<std::uint16_t> index_, newer_, older_;
    std::uint16_t newest_ = kNone, oldest_ = kNone;
    std::uint32_t index_mask_ = 0;
    int index_shift_ = 0;
    std::uint64_t random_ = 1;
};

inline std::uint32_t Tlb::fill(TlbTag tag, const TlbPayload& payload, const LiveContexts& live) {
    if (ways_ > 16) return fill_full(tag, payload, live);
    const std::uint32_t set = set_of(tag);
    if (swept_[set] != live.epoch) sweep(set, live);
    const unsigned way =
        replacement_ == Replacement::lru ? recency::least(order_[set], ways_) : victim(set, live);
    const std::uint32_t slot = set * ways_ + way;
    tags_[slot] = tag;
    payloads_[slot] = payload;
    if (replacement_ == Replacement::lru)
        order_[set] = recency::promote(order_[set], way);
    else if (replacement_ == Replacement::plru)
        touch_plru(set, way);
    return slot;
}

} // namespace tlbscope
