#include "engine/hardware/tlb.h"

#include <algorithm>

namespace tlbscope {

Tlb::Tlb(std::uint32_t entries, std::uint32_t ways, Replacement replacement, std::uint64_t seed)
    : ways_(ways), sets_(ways ? entries / ways : 0), set_mask_(sets_ ? sets_ - 1 : 0),
      replacement_(replacement), tags_(entries, 0), payloads_(entries), random_(seed | 1) {
    if (ways_ > 16) {
        const std::uint32_t buckets = std::bit_ceil(entries * 8);
        index_mask_ = buckets - 1;
        index_shift_ = 64 - std::countr_zero(buckets);
        swept_.assign(1, 0);
        newer_.assign(entries, kNone);
        older_.assign(entries, kNone);
    } else {
        swept_.assign(sets_, 0);
    }
    clear();
}

void Tlb::clear() {
    std::fill(tags_.begin(), tags_.end(), 0);
    if (ways_ > 16) {
        index_.assign(index_mask_ + 1, kNone);
        newest_ = oldest_ = kNone;
        for (std::uint32_t slot = 0; slot < entries(); ++slot)
            push_back(static_cast<std::uint16_t>(slot));
        return;
    }
    order_.assign(sets_, replacement_ == Replacement::lru ? recency::kIdentity : 0);
}

std::int32_t Tlb::probe(TlbTag tag) const {
    if (ways_ <= 16) {
        const std::uint32_t set = set_of(tag);
        const std::int32_t way = match(&tags_[set * ways_], tag);
        return way < 0 ? kMiss : static_cast<std::int32_t>(set * ways_) + way;
    }
    for (std::uint32_t bucket = hash(tag); index_[bucket] != kNone; bucket = (bucket + 1) & index_mask_)
        if (tags_[index_[bucket]] == tag) return index_[bucket];
    return kMiss;
}

bool Tlb::invalidate(TlbTag tag, Cycles now) {
    const std::int32_t found = probe(tag);
    if (found < 0) return false;
    const auto slot = static_cast<std::uint32_t>(found);
    if (ways_ > 16) erase_index(static_cast<std::uint16_t>(slot));
    tags_[slot] = (tag & ~TlbTag{kContextMask}) | kDeadContext;
    payloads_[slot].filled = now;
    if (ways_ > 16) {
        unlink(static_cast<std::uint16_t>(slot));
        push_back(static_cast<std::uint16_t>(slot));
    } else if (replacement_ == Replacement::lru) {
        std::uint64_t& order = order_[slot / ways_];
        order = recency::demote(order, slot % ways_, ways_);
    }
    return true;
}

std::int32_t Tlb::find_dead(PageNumber page, bool huge, TlbContext old_context) const {
    const TlbTag tag = huge ? tlb_tag_huge(page, old_context) : tlb_tag(page, old_context);
    return probe(tag);
}

// Invalid ways are filled before anything live is replaced, as hardware does: move them to the end.
void Tlb::sweep(std::uint32_t set, const LiveContexts& live) {
    swept_[set] = live.epoch;
    if (replacement_ != Replacement::lru) return; // victim() looks at validity itself
    const std::uint64_t before = order_[set];
    std::uint64_t order = before;
    // From most to least recent, so that dead entries keep their order among themselves.
    for (std::uint32_t p = 0; p < ways_; ++p) {
        const unsigned way = (before >> (4 * p)) & 15;
        if (!live.is_live(context_of(tags_[set * ways_ + way]))) order = recency::demote(order, way, ways_);
    }
    order_[set] = order;
}

void Tlb::touch_plru(std::uint32_t set, unsigned way) {
    // Heap-shaped tree in the low bits: node 1 is the root; a bit points to the less recent half.
    std::uint64_t bits = order_[set];
    unsigned node = 1;
    for (unsigned half = ways_ / 2; half; half /= 2) {
        const bool right = (way & half) != 0;
        bits = right ? bits & ~(std::uint64_t{1} << node) : bits | (std::uint64_t{1} << node);
        node = 2 * node + (right ? 1 : 0);
    }
    order_[set] = bits;
}

unsigned Tlb::victim(std::uint32_t set, const LiveContexts& live) {
    const TlbTag* tags = &tags_[set * ways_];
    for (unsigned way = 0; way < ways_; ++way)
        if (!live.is_live(context_of(tags[way]))) return way;
    switch (replacement_) {
    case Replacement::plru: {
        unsigned node = 1, way = 0;
        for (unsigned half = ways_ / 2; half; half /= 2) {
            const bool right = (order_[set] >> node) & 1;
            way += right ? half : 0;
            node = 2 * node + (right ? 1 : 0);
        }
        return way;
    }
    case Replacement::fifo: {
        const auto way = static_cast<unsigned>(order_[set]);
        order_[set] = (way + 1) % ways_;
        return way;
    }
    case Replacement::random:
        return static_cast<unsigned>(next_random() % ways_);
    case Replacement::lru:
        break;
    }
    return recency::least(order_[set], ways_);
}

std::uint32_t Tlb::recency(std::uint32_t slot) const {
    if (ways_ <= 16) {
        const std::uint64_t order = order_[slot / ways_];
        if (replacement_ == Replacement::lru)
            return static_cast<std::uint32_t>(recency::shift_of(order, slot % ways_)) / 4;
        if (replacement_ != Replacement::plru) return 0;
        // Every node on the way down that points towards this way makes it older by half of what is left.
        std::uint32_t age = 0;
        unsigned node = 1;
        for (unsigned half = ways_ / 2; half; half /= 2) {
            const bool right = (slot % ways_ & half) != 0;
            const bool points_right = (order >> node) & 1;
            if (right == points_right) age += half;
            node = 2 * node + (right ? 1 : 0);
        }
        return age;
    }
    std::uint32_t position = 0;
    for (std::uint16_t at = newest_; at != slot && at != kNone; at = older_[at])
        ++position;
    return position;
}

void Tlb::unlink(std::uint16_t slot) {
    const std::uint16_t n = newer_[slot], o = older_[slot];
    (n == kNone ? newest_ : older_[n]) = o;
    (o == kNone ? oldest_ : newer_[o]) = n;
}

void Tlb::push_front(std::uint16_t slot) {
    newer_[slot] = kNone;
    older_[slot] = newest_;
    (newest_ == kNone ? oldest_ : newer_[newest_]) = slot;
    newest_ = slot;
}

void Tlb::push_back(std::uint16_t slot) {
    older_[slot] = kNone;
    newer_[slot] = oldest_;
    (oldest_ == kNone ? newest_ : older_[oldest_]) = slot;
    oldest_ = slot;
}

void Tlb::insert_index(std::uint16_t slot) {
    std::uint32_t bucket = hash(tags_[slot]);
    while (index_[bucket] != kNone)
        bucket = (bucket + 1) & index_mask_;
    index_[bucket] = slot;
}

// Backward-shift deletion keeps probe sequences unbroken without tombstones.
void Tlb::erase_index(std::uint16_t slot) {
    std::uint32_t hole = hash(tags_[slot]);
    while (index_[hole] != slot) {
        if (index_[hole] == kNone) return; // never indexed
        hole = (hole + 1) & index_mask_;
    }
    for (std::uint32_t at = (hole + 1) & index_mask_; index_[at] != kNone; at = (at + 1) & index_mask_) {
        const std::uint32_t home = hash(tags_[index_[at]]);
        if (((at - home) & index_mask_) >= ((at - hole) & index_mask_)) {
            index_[hole] = index_[at];
            hole = at;
        }
    }
    index_[hole] = kNone;
}

std::uint32_t Tlb::fill_full(TlbTag tag, const TlbPayload& payload, const LiveContexts& live) {
    if (swept_[0] != live.epoch) {
        swept_[0] = live.epoch;
        std::uint16_t at = newest_;
        for (std::uint32_t n = 0; n < entries(); ++n) {
            const std::uint16_t next = older_[at];
            if (!live.is_live(context_of(tags_[at]))) {
                unlink(at);
                push_back(at);
            }
            at = next;
        }
    }
    const std::uint16_t slot = replacement_ == Replacement::random &&
                                       context_of(tags_[oldest_]) != kInvalidContext &&
                                       live.is_live(context_of(tags_[oldest_]))
                                   ? static_cast<std::uint16_t>(next_random() % entries())
                                   : oldest_;
    if (context_of(tags_[slot]) != kInvalidContext && context_of(tags_[slot]) != kDeadContext)
        erase_index(slot);
    tags_[slot] = tag;
    payloads_[slot] = payload;
    insert_index(slot);
    to_front(slot);
    return slot;
}

std::uint64_t Tlb::next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
}

} // namespace tlbscope
