// One TLB array as a reader would write it: a list of entries a set, searched from one end. Flushes
// clear entries at once. Slots are numbered set * ways + way.
#pragma once

#include "engine/hardware/processor.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tlbscope {

class ReferenceTlb {
public:
    struct Entry {
        bool valid = false;
        PageNumber page = 0; // of a huge entry: its first 4 KiB page
        bool huge = false;
        int owner = 0;          // sibling; kGlobal: no one's and everyone's
        std::uint32_t died = 0; // number of the owner's flush, or kInvlpg; 0: not by a flush

        // For whoever needs them: what was loaded, and the page table's change_count() then.
        std::uint32_t frame = 0, loaded = 0;
        bool writable = false;
    };
    static constexpr int kGlobal = -1;
    static constexpr std::uint32_t kInvlpg = 0xffffffff;

    ReferenceTlb(std::uint32_t entries, std::uint32_t ways, Replacement replacement, std::uint64_t seed)
        : ways_(ways), sets_(entries / ways), replacement_(replacement), random_(seed | 1), entries_(entries),
          order_(sets_), tree_(sets_, std::vector<bool>(ways)), fifo_(sets_) {
        for (auto& order : order_)
            for (std::uint32_t way = 0; way < ways; ++way)
                order.push_back(way);
    }

    // Slot of the entry, or -1.
    int find(PageNumber page, bool huge, int owner) const {
        const std::uint32_t set = set_of(page, huge);
        for (std::uint32_t way = 0; way < ways_; ++way) {
            const Entry& e = entries_[set * ways_ + way];
            if (e.valid && e.page == page && e.huge == huge && e.owner == owner)
                return static_cast<int>(set * ways_ + way);
        }
        return -1;
    }

    int lookup(PageNumber page, bool huge, int owner) {
        const int slot = find(page, huge, owner);
        if (slot >= 0) use(static_cast<std::uint32_t>(slot));
        return slot;
    }

    int fill(PageNumber page, bool huge, int owner) {
        const std::uint32_t set = set_of(page, huge);
        const std::uint32_t way = victim(set);
        Entry& entry = entries_[set * ways_ + way];
        entry = {};
        entry.valid = true;
        entry.page = page;
        entry.huge = huge;
        entry.owner = owner;
        if (replacement_ == Replacement::random) // a filled way is the newest, to find dead ones in order
            to_front(set, way);
        use(set * ways_ + way);
        if (replacement_ == Replacement::fifo && ways_ > 16) to_front(set, way);
        return static_cast<int>(set * ways_ + way);
    }

    bool invalidate(PageNumber page, bool huge, int owner) {
        const int slot = find(page, huge, owner);
        if (slot < 0) return false;
        entries_[static_cast<std::uint32_t>(slot)].valid = false;
        entries_[static_cast<std::uint32_t>(slot)].died = kInvlpg;
        const std::uint32_t set = static_cast<std::uint32_t>(slot) / ways_;
        auto& order = order_[set];
        order.erase(std::find(order.begin(), order.end(), static_cast<std::uint32_t>(slot) % ways_));
        order.push_back(static_cast<std::uint32_t>(slot) % ways_);
        return true;
    }

    void flush(int owner, std::uint32_t number = 0) {
        for (Entry& e : entries_)
            if (e.valid && e.owner == owner) {
                e.valid = false;
                e.died = number;
            }
    }
    // Back to the first moment.
    void clear() {
        for (std::uint32_t slot = 0; slot < size(); ++slot)
            entries_[slot] = {};
        for (auto& order : order_)
            std::sort(order.begin(), order.end());
        for (auto& tree : tree_)
            std::fill(tree.begin(), tree.end(), false);
        std::fill(fifo_.begin(), fifo_.end(), 0);
    }
    // Whether the set of the page still shows an entry of it that died so.
    bool shows_dead(PageNumber page, bool huge, int owner, std::uint32_t died) const {
        const std::uint32_t first = set_of(page, huge) * ways_;
        for (std::uint32_t slot = first; slot < first + ways_; ++slot) {
            const Entry& e = entries_[slot];
            if (!e.valid && e.died == died && e.page == page && e.huge == huge &&
                (died == kInvlpg || e.owner == owner))
                return true;
        }
        return false;
    }

    Entry& entry(int slot) { return entries_[static_cast<std::size_t>(slot)]; }
    std::uint32_t ways() const { return ways_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }

private:
    std::uint32_t set_of(PageNumber page, bool huge) const {
        return static_cast<std::uint32_t>((huge ? page / 512 : page) % sets_);
    }
    void to_front(std::uint32_t set, std::uint32_t way) {
        auto& order = order_[set];
        order.erase(std::find(order.begin(), order.end(), way));
        order.insert(order.begin(), way);
    }
    void use(std::uint32_t slot) {
        const std::uint32_t set = slot / ways_, way = slot % ways_;
        if (replacement_ == Replacement::lru || (replacement_ == Replacement::random && ways_ > 16))
            to_front(set, way);
        if (replacement_ == Replacement::plru) {
            // Every inner node of the tree over [first, first + count) points away from `way`.
            std::uint32_t first = 0, count = ways_, node = 1;
            while (count > 1) {
                count /= 2;
                const bool right = way >= first + count;
                tree_[set][node] = !right;
                if (right) first += count;
                node = 2 * node + right;
            }
        }
    }
    std::uint32_t victim(std::uint32_t set) {
        auto& order = order_[set];
        const bool by_order = replacement_ == Replacement::lru || ways_ > 16;
        if (by_order) {
            // Invalid entries go first: at a fill they move behind the valid ones, in the order they have.
            std::stable_partition(order.begin(), order.end(),
                                  [&](std::uint32_t way) { return entries_[set * ways_ + way].valid; });
            if (!entries_[set * ways_ + order.back()].valid) return order.back();
            return replacement_ == Replacement::random ? static_cast<std::uint32_t>(draw() % ways_)
                                                       : order.back();
        }
        for (std::uint32_t way = 0; way < ways_; ++way)
            if (!entries_[set * ways_ + way].valid) return way;
        if (replacement_ == Replacement::random) return static_cast<std::uint32_t>(draw() % ways_);
        if (replacement_ == Replacement::fifo) return fifo_[set]++ % ways_;
        std::uint32_t first = 0, count = ways_, node = 1;
        while (count > 1) {
            count /= 2;
            const bool right = tree_[set][node];
            if (right) first += count;
            node = 2 * node + right;
        }
        return first;
    }
    std::uint64_t draw() { // xorshift64
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return random_;
    }

    std::uint32_t ways_, sets_;
    Replacement replacement_;
    std::uint64_t random_;
    std::vector<Entry> entries_;
    std::vector<std::vector<std::uint32_t>> order_; // ways, most recently used first
    std::vector<std::vector<bool>> tree_;           // right half is the less recently used one
    std::vector<std::uint32_t> fifo_;
};

} // namespace tlbscope
