// The slots of a large fully associative array: found by a hash of their tag, kept in the order of
// their last use.
#pragma once

#include "engine/hardware/tlb_tag.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace tlbscope {

// The tags themselves belong to the array and are passed in.
class FullOrder {
public:
    using Slot = std::uint16_t;
    static constexpr Slot kNone = 0xffff;

    FullOrder() = default;
    explicit FullOrder(std::uint32_t slots) : slots_(static_cast<Slot>(slots)) {
        const std::uint32_t buckets = std::bit_ceil(slots * 8);
        shift_ = 64 - std::countr_zero(buckets);
        first_.resize(buckets);
        links_.resize(slots + 1);
        clear();
    }

    void clear() {
        first_.assign(first_.size(), kNone);
        for (std::uint32_t i = 0; i < links_.size(); ++i) {
            const auto next = static_cast<Slot>(i == slots_ ? 0 : i + 1);
            const auto before = static_cast<Slot>(i == 0 ? slots_ : i - 1);
            links_[i] = {before, next, kNone, kNone};
        }
    }

    // Slot of `tag`, kNone if absent.
    Slot find(const TlbTag* tags, TlbTag tag) const {
        Slot slot = first_[hash(tag)];
        while (slot != kNone && tags[slot] != tag)
            slot = links_[slot].chain;
        return slot;
    }

    Slot newest() const { return links_[slots_].older; }
    Slot oldest() const { return links_[slots_].newer; }
    // Next older one; slot count of the array behind the oldest.
    Slot older(Slot slot) const { return links_[slot].older; }

    void to_front(Slot slot) {
        if (newest() == slot) return;
        unlink(slot);
        Link& end = links_[slots_];
        links_[slot].newer = slots_;
        links_[slot].older = end.older;
        links_[end.older].newer = slot;
        end.older = slot;
    }
    void to_back(Slot slot) {
        unlink(slot);
        Link& end = links_[slots_];
        links_[slot].older = slots_;
        links_[slot].newer = end.newer;
        links_[end.newer].older = slot;
        end.newer = slot;
    }

    // `slot` now holds `tag`, which no other slot holds; it must not be indexed.
    void insert(Slot slot, TlbTag tag) {
        const std::uint32_t bucket = hash(tag);
        links_[slot].bucket = static_cast<Slot>(bucket);
        links_[slot].chain = first_[bucket];
        first_[bucket] = slot;
    }
    // Nothing happens where it is not indexed.
    void erase(Slot slot) {
        const Slot bucket = links_[slot].bucket;
        if (bucket == kNone) return;
        Slot* at = &first_[bucket];
        while (*at != slot)
            at = &links_[*at].chain;
        *at = links_[slot].chain;
        links_[slot].bucket = kNone;
    }

private:
    struct Link {
        Slot newer, older; // a ring through the link behind the last slot, which stands for both ends
        Slot chain;        // next slot in the same bucket
        Slot bucket;       // kNone: not indexed
    };
    std::uint32_t hash(TlbTag tag) const {
        return static_cast<std::uint32_t>((tag * 0x9e3779b97f4a7c15u) >> shift_);
    }
    void unlink(Slot slot) {
        const Link link = links_[slot];
        links_[link.newer].older = link.older;
        links_[link.older].newer = link.newer;
    }

    Slot slots_ = 0;
    int shift_ = 0;
    std::vector<Slot> first_; // by bucket
    std::vector<Link> links_;
};

} // namespace tlbscope
