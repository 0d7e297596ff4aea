// One TLB array: tags, payloads and replacement state. The inner loop of the program.
#pragma once

#include "engine/hardware/full_order.h"
#include "engine/hardware/plru.h"
#include "engine/hardware/processor.h"
#include "engine/hardware/recency.h"
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

class Tlb {
public:
    static constexpr std::int32_t kMiss = -1;

    Tlb() = default;
    // entries and ways as in TlbSpec; `seed` for random replacement.
    Tlb(std::uint32_t entries, std::uint32_t ways, Replacement replacement, std::uint64_t seed);

    // Slot of `tag` and marks it used; kMiss if absent.
    TLBSCOPE_INLINE std::int32_t lookup(TlbTag tag) {
        if (ways_ == 4) return lookup_ways<4>(tag);
        if (ways_ == 8) return lookup_ways<8>(tag);
        if (ways_ > 16) return lookup_full(tag);
        return lookup_any(tag);
    }

    // Slot of `tag` without marking it used.
    std::int32_t probe(TlbTag tag) const;

    // Loads an absent tag; dead entries are replaced first, then the replacement policy decides.
    // Returns the slot.
    TLBSCOPE_INLINE std::uint32_t fill(TlbTag tag, const TlbPayload& payload, const LiveContexts& live) {
        if (swept_epoch(tag) != live.epoch) [[unlikely]]
            sweep(tag, live);
        if (ways_ > 16) return fill_full(tag, payload, live);
        const std::uint32_t set = set_of(tag);
        SetState& state = states_[set];
        const unsigned way = choose(state);
        const std::uint32_t slot = set * ways_ + way;
        tags_[slot] = tag;
        payloads_[slot] = payload;
        touch(state, way);
        return slot;
    }

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
        std::uint64_t order = 0; // recency word, PLRU bits, or FIFO position
        std::uint32_t swept = 0; // LiveContexts::epoch at which dead entries were last looked for
        std::uint32_t dead = 0;  // ways with nothing valid, one bit each; not kept for LRU, whose
                                 // order has them last
    };

    std::uint32_t set_of(TlbTag tag) const {
        return static_cast<std::uint32_t>(tag >> kContextBits) & set_mask_;
    }
    std::uint32_t& swept_epoch(TlbTag tag) { return states_[set_of(tag)].swept; }

    template <unsigned Ways>
    TLBSCOPE_INLINE std::int32_t lookup_ways(TlbTag tag) {
        const std::uint32_t set = set_of(tag);
        const unsigned hits = match<Ways>(tags_.data() + std::size_t{set} * Ways, tag);
        if (!hits) return kMiss;
        const auto way = static_cast<unsigned>(std::countr_zero(hits));
        touch(states_[set], way);
        return static_cast<std::int32_t>(set * Ways + way);
    }
    std::int32_t lookup_any(TlbTag tag);
    TLBSCOPE_INLINE std::int32_t lookup_full(TlbTag tag) {
        const FullOrder::Slot slot = full_.find(tags_.data(), tag);
        if (slot == FullOrder::kNone) return kMiss;
        if (replacement_ != Replacement::fifo) full_.to_front(slot);
        return slot;
    }
    TLBSCOPE_INLINE std::uint32_t fill_full(TlbTag tag, const TlbPayload& payload, const LiveContexts& live) {
        FullOrder::Slot slot = full_.oldest();
        if (replacement_ == Replacement::random) slot = random_slot(slot, live);
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

    TLBSCOPE_INLINE void touch(SetState& state, unsigned way) {
        if (replacement_ == Replacement::plru)
            state.order = plru::touch(static_cast<std::uint32_t>(state.order), way, levels_);
        else if (replacement_ == Replacement::lru)
            state.order = recency::promote(state.order, way);
    }
    // The way to fill; takes it out of the dead ones.
    TLBSCOPE_INLINE unsigned choose(SetState& state) {
        if (replacement_ == Replacement::lru) return recency::least(state.order, ways_);
        if (state.dead) {
            const auto way = static_cast<unsigned>(std::countr_zero(state.dead));
            state.dead &= state.dead - 1;
            return way;
        }
        if (replacement_ == Replacement::plru)
            return plru::victim(static_cast<std::uint32_t>(state.order), levels_);
        return choose_other(state);
    }
    unsigned choose_other(SetState& state);
    FullOrder::Slot random_slot(FullOrder::Slot oldest, const LiveContexts& live);
    // Finds what full flushes have killed in the set of `tag` since it was last swept.
    void sweep(TlbTag tag, const LiveContexts& live);
    void sweep_full(const LiveContexts& live);

    std::uint64_t next_random();

    std::uint32_t ways_ = 0, sets_ = 0, set_mask_ = 0, levels_ = 0;
    Replacement replacement_ = Replacement::lru;
    std::vector<TlbTag> tags_;
    std::vector<TlbPayload> payloads_;
    std::vector<SetState> states_; // by set
    FullOrder full_;               // for more than 16 ways
    std::uint64_t random_ = 1;
};

} // namespace tlbscope
