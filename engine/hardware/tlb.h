// One TLB array: tags, payloads and replacement state. The inner loop of the program.
#pragma once

#include "engine/hardware/full_order.h"
#include "engine/hardware/processor.h"
#include "engine/hardware/recency.h"
#include "engine/hardware/set_order.h"
#include "engine/hardware/tlb_tag.h"

#include <cstdint>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef __GNUC__
#define TLBSCOPE_INLINE [[gnu::always_inline]] inline
#else
#define TLBSCOPE_INLINE inline
#endif

namespace tlbscope {

class alignas(64) Tlb {
public:
    static constexpr std::int32_t kMiss = -1;

    Tlb() = default;
    // entries and ways as in TlbSpec; `seed` for random replacement.
    Tlb(std::uint32_t entries, std::uint32_t ways, Replacement replacement, std::uint64_t seed);

    // Slot of `tag` and marks it used; kMiss if absent.
    std::int32_t lookup(TlbTag tag);

    // Arrays of 4 or 8 ways, or more than 16, with LRU or PLRU have lookup_quick<quick()> and
    // fill_quick<quick()>: lookup and fill without a call, so that the hot path needs no stack frame.
    enum class Quick : std::uint8_t { no, four, eight, full };
    Quick quick() const { return quick_; }
    template <Quick Q>
    TLBSCOPE_INLINE std::int32_t lookup_quick(TlbTag tag) {
        if constexpr (Q == Quick::full)
            return lookup_full(tag);
        else
            return lookup_ways < Q == Quick::four ? 4 : 8 > (tag);
    }
    // Marks `slot`, which is valid, used; the array is fully associative (Quick::full).
    TLBSCOPE_INLINE void use_full(std::uint32_t slot) {
        if (replacement_ != Replacement::fifo) full_.to_front(static_cast<FullOrder::Slot>(slot));
    }
    // Marks `slot`, which is valid, used.
    template <Quick Q>
    TLBSCOPE_INLINE void use_quick(std::uint32_t slot) {
        if constexpr (Q == Quick::full) {
            use_full(slot);
        } else {
            constexpr std::uint32_t ways = Q == Quick::four ? 4 : 8;
            std::uint64_t& order = states_[slot / ways].order;
            order = set_order::use(order, uses_[slot % ways]);
        }
    }
    // Whether fill_quick may be called: nothing has been flushed since the set was last filled.
    bool swept(TlbTag tag, const LiveContexts& live) const {
        return states_[set_of(tag)].swept == live.epoch;
    }
    template <Quick Q>
    TLBSCOPE_INLINE std::uint32_t fill_quick(TlbTag tag, const TlbPayload& payload) {
        if constexpr (Q == Quick::full) return put_full(full_.oldest(), tag, payload);
        constexpr std::uint32_t ways = Q == Quick::four ? 4 : 8;
        const std::uint32_t set = set_of(tag);
        SetState& state = states_[set];
        unsigned way;
        if (replacement_ == Replacement::lru) {
            way = set_order::lru_victim(state.order);
        } else if (state.dead) {
            way = static_cast<unsigned>(std::countr_zero(state.dead));
            state.dead &= state.dead - 1;
        } else {
            way = set_order::plru_victim(state.order, Q == Quick::four ? 2 : 3);
        }
        const std::uint32_t slot = set * ways + way;
        tags_[slot] = tag;
        payloads_[slot] = payload;
        state.order = set_order::use(state.order, uses_[way]);
        return slot;
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
    // caused by a flush from a first use. Fully associative arrays of more than 16 ways find nothing
    // under kDeadContext.
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
    struct SetState {
        std::uint64_t order = 0; // see set_order.h; of FIFO the next way
        std::uint32_t swept = 0; // LiveContexts::epoch at which dead entries were last looked for
        std::uint32_t dead = 0;  // ways with nothing valid, one bit each; not kept for LRU, whose
                                 // order has them last
    };

    std::uint32_t set_of(TlbTag tag) const {
        return static_cast<std::uint32_t>(tag >> kContextBits) & set_mask_;
    }

    template <unsigned Ways>
    TLBSCOPE_INLINE std::int32_t lookup_ways(TlbTag tag) {
        const std::uint32_t set = set_of(tag);
        const unsigned hits = match<Ways>(tags_.data() + std::size_t{set} * Ways, tag);
        if (!hits) return kMiss;
        const auto way = static_cast<unsigned>(std::countr_zero(hits));
        std::uint64_t& order = states_[set].order;
        order = set_order::use(order, uses_[way]);
        return static_cast<std::int32_t>(set * Ways + way);
    }
    TLBSCOPE_INLINE std::int32_t lookup_full(TlbTag tag) {
        const FullOrder::Slot slot = full_.find(tags_.data(), tag);
        if (slot == FullOrder::kNone) return kMiss;
        if (replacement_ != Replacement::fifo) full_.to_front(slot);
        return slot;
    }
    TLBSCOPE_INLINE std::uint32_t put_full(FullOrder::Slot slot, TlbTag tag, const TlbPayload& payload) {
        full_.erase(slot);
        tags_[slot] = tag;
        payloads_[slot] = payload;
        full_.insert(slot, tag);
        full_.to_front(slot);
        return slot;
    }

    // Ways with `tag`, one bit each, without a branch.
    template <unsigned Ways>
    static unsigned match(const TlbTag* tags, TlbTag tag) {
        unsigned hits = 0;
#ifdef __SSE2__
        // Halves compare equal in pairs; four tags' halves fit one register of halves.
        const __m128i wanted = _mm_set1_epi64x(static_cast<long long>(tag));
        for (unsigned w = 0; w < Ways; w += 4) {
            const auto* const at = reinterpret_cast<const __m128i*>(tags + w);
            const __m128i a = _mm_cmpeq_epi32(_mm_loadu_si128(at), wanted);
            const __m128i b = _mm_cmpeq_epi32(_mm_loadu_si128(at + 1), wanted);
            const __m128 low = _mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88);
            const __m128 high = _mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xdd);
            hits |= static_cast<unsigned>(_mm_movemask_ps(_mm_and_ps(low, high))) << w;
        }
#else
        for (unsigned w = 0; w < Ways; ++w)
            hits |= static_cast<unsigned>(tags[w] == tag) << w;
#endif
        return hits;
    }

    // Whether recency.h keeps the order, not set_order.h.
    bool in_word() const {
        return ways_ > 8 && replacement_ == Replacement::lru;
    }
    // The way to fill; takes it out of the dead ones.
    unsigned choose(SetState& state);
    // LRU: the order with `way` least recent; 0 most recent … ways - 1.
    std::uint64_t demoted(std::uint64_t order, unsigned way) const;
    unsigned lru_age(std::uint64_t order, unsigned way) const;
    // Finds what full flushes have killed in the set of `tag` since it was last swept.
    void sweep(TlbTag tag, const LiveContexts& live);
    void sweep_full(const LiveContexts& live);

    std::uint64_t next_random();

    Quick quick_ = Quick::no;
    Replacement replacement_ = Replacement::lru;
    std::uint32_t ways_ = 0, sets_ = 0, set_mask_ = 0, levels_ = 0;
    std::vector<TlbTag> tags_;
    std::vector<TlbPayload> payloads_;
    std::vector<SetState> states_;         // by set
    const set_order::Use* uses_ = nullptr; // by way; static, or null where there is no such table
    FullOrder full_;                       // for more than 16 ways
    std::uint64_t random_ = 1;
};

} // namespace tlbscope
