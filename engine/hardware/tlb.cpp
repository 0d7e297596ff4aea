#include "engine/hardware/tlb.h"

#include <algorithm>

namespace tlbscope {

Tlb::Tlb(std::uint32_t entries, std::uint32_t ways, Replacement replacement, std::uint64_t seed)
    : replacement_(replacement), ways_(ways), sets_(ways ? entries / ways : 0),
      set_mask_(sets_ ? sets_ - 1 : 0),
      levels_(ways ? static_cast<std::uint32_t>(std::bit_width(ways) - 1) : 0), tags_(entries, 0),
      payloads_(entries), states_(sets_), random_(seed | 1) {
    if (ways_ > 16)
        full_ = FullOrder(entries);
    else if (replacement_ == Replacement::plru)
        uses_ = set_order::kPlruUses[levels_].data();
    else if (replacement_ != Replacement::lru)
        uses_ = set_order::kNoUses.data();
    else if (ways_ <= 8)
        uses_ = set_order::kLruUses[ways_].data();
    if (replacement_ == Replacement::lru || replacement_ == Replacement::plru)
        quick_ = ways_ == 4 ? Quick::four : ways_ == 8 ? Quick::eight : ways_ > 16 ? Quick::full : Quick::no;
    clear();
}

void Tlb::clear() {
    std::fill(tags_.begin(), tags_.end(), 0);
    for (SetState& state : states_) {
        state.order = replacement_ != Replacement::lru ? 0
                      : in_word()                      ? recency::kIdentity
                                                       : set_order::lru_start(ways_);
        state.dead = (1u << std::min(ways_, 16u)) - 1;
    }
    if (ways_ > 16) full_.clear();
}

std::int32_t Tlb::lookup(TlbTag tag) {
    const std::int32_t slot = probe(tag);
    if (slot < 0) return kMiss;
    if (ways_ > 16) {
        if (replacement_ != Replacement::fifo) full_.to_front(static_cast<FullOrder::Slot>(slot));
        return slot;
    }
    std::uint64_t& order = states_[set_of(tag)].order;
    const unsigned way = static_cast<unsigned>(slot) % ways_;
    order = in_word() ? recency::promote(order, way) : set_order::use(order, uses_[way]);
    return slot;
}

std::int32_t Tlb::probe(TlbTag tag) const {
    if (ways_ > 16) {
        const FullOrder::Slot slot = full_.find(tags_.data(), tag);
        return slot == FullOrder::kNone ? kMiss : slot;
    }
    const std::uint32_t set = set_of(tag);
    const TlbTag* const tags = tags_.data() + std::size_t{set} * ways_;
    unsigned hits = 0;
    switch (ways_) {
    case 4:
        hits = match<4>(tags, tag);
        break;
    case 8:
        hits = match<8>(tags, tag);
        break;
    case 12:
        hits = match<12>(tags, tag);
        break;
    case 16:
        hits = match<16>(tags, tag);
        break;
    default:
        for (std::uint32_t w = 0; w < ways_; ++w)
            hits |= static_cast<unsigned>(tags[w] == tag) << w;
    }
    return hits ? static_cast<std::int32_t>(set * ways_) + std::countr_zero(hits) : kMiss;
}

bool Tlb::invalidate(TlbTag tag, Cycles now) {
    const std::int32_t found = probe(tag);
    if (found < 0) return false;
    const auto slot = static_cast<std::uint32_t>(found);
    tags_[slot] = (tag & ~TlbTag{kContextMask}) | kDeadContext;
    payloads_[slot].filled = now;
    if (ways_ > 16) {
        full_.erase(static_cast<FullOrder::Slot>(slot));
        full_.to_back(static_cast<FullOrder::Slot>(slot));
        return true;
    }
    SetState& state = states_[slot / ways_];
    if (replacement_ == Replacement::lru)
        state.order = demoted(state.order, slot % ways_);
    else
        state.dead |= 1u << slot % ways_;
    return true;
}

std::int32_t Tlb::find_dead(PageNumber page, bool huge, TlbContext old_context) const {
    const TlbTag tag = huge ? tlb_tag_huge(page, old_context) : tlb_tag(page, old_context);
    return probe(tag);
}

std::uint64_t Tlb::demoted(std::uint64_t order, unsigned way) const {
    return in_word() ? recency::demote(order, way, ways_) : set_order::lru_demote(order, way, ways_);
}

unsigned Tlb::lru_age(std::uint64_t order, unsigned way) const {
    return in_word() ? static_cast<unsigned>(recency::shift_of(order, way)) / 4
                     : set_order::lru_age(order, way, ways_);
}

// Invalid ways are filled before anything live is replaced, as hardware does.
void Tlb::sweep(TlbTag tag, const LiveContexts& live) {
    states_[set_of(tag)].swept = live.epoch;
    if (ways_ > 16) return sweep_full(live);
    SetState& state = states_[set_of(tag)];
    const TlbTag* const tags = tags_.data() + std::size_t{set_of(tag)} * ways_;
    unsigned dead = 0;
    for (std::uint32_t way = 0; way < ways_; ++way)
        dead |= static_cast<unsigned>(!live.is_live(context_of(tags[way]))) << way;
    state.dead = dead;
    if (replacement_ != Replacement::lru) return;
    // From most to least recent, so that dead entries keep their order among themselves.
    std::array<std::uint8_t, 16> by_age{};
    for (unsigned way = 0; way < ways_; ++way)
        by_age[lru_age(state.order, way)] = static_cast<std::uint8_t>(way);
    for (unsigned age = 0; age < ways_; ++age)
        if (dead >> by_age[age] & 1) state.order = demoted(state.order, by_age[age]);
}

void Tlb::sweep_full(const LiveContexts& live) {
    FullOrder::Slot at = full_.newest();
    for (std::uint32_t n = 0; n < entries(); ++n) {
        const FullOrder::Slot next = full_.older(at);
        if (!live.is_live(context_of(tags_[at]))) full_.to_back(at);
        at = next;
    }
}

unsigned Tlb::choose(SetState& state) {
    if (replacement_ == Replacement::lru)
        return in_word() ? recency::least(state.order, ways_) : set_order::lru_victim(state.order);
    if (state.dead) {
        const auto way = static_cast<unsigned>(std::countr_zero(state.dead));
        state.dead &= state.dead - 1;
        return way;
    }
    if (replacement_ == Replacement::plru) return set_order::plru_victim(state.order, levels_);
    if (replacement_ == Replacement::random) return static_cast<unsigned>(next_random() % ways_);
    const auto way = static_cast<unsigned>(state.order);
    state.order = (way + 1) % ways_;
    return way;
}

std::uint32_t Tlb::fill(TlbTag tag, const TlbPayload& payload, const LiveContexts& live) {
    if (!swept(tag, live)) sweep(tag, live);
    if (ways_ > 16) {
        // Dead entries are at the end of the order; the oldest is one of them where there are any.
        FullOrder::Slot slot = full_.oldest();
        if (replacement_ == Replacement::random && live.is_live(context_of(tags_[slot])))
            slot = static_cast<FullOrder::Slot>(next_random() % entries());
        return put_full(slot, tag, payload);
    }
    const std::uint32_t set = set_of(tag);
    SetState& state = states_[set];
    const unsigned way = choose(state);
    const std::uint32_t slot = set * ways_ + way;
    tags_[slot] = tag;
    payloads_[slot] = payload;
    state.order = in_word() ? recency::promote(state.order, way) : set_order::use(state.order, uses_[way]);
    return slot;
}

std::uint32_t Tlb::recency(std::uint32_t slot) const {
    if (ways_ <= 16) {
        const std::uint64_t order = states_[slot / ways_].order;
        if (replacement_ == Replacement::lru) return lru_age(order, slot % ways_);
        if (replacement_ != Replacement::plru) return 0;
        return set_order::plru_age(order, slot % ways_, levels_);
    }
    std::uint32_t position = 0;
    for (FullOrder::Slot at = full_.newest(); at != slot && at != entries(); at = full_.older(at))
        ++position;
    return position;
}

std::uint64_t Tlb::next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
}

} // namespace tlbscope
