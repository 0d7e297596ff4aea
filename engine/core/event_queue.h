// The discrete-event queue: earliest time first, ties in the order of insertion. Copyable.
#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <vector>

namespace tlbscope {

// `Payload` is trivially copyable and small. A four-ary heap: shallower than a binary one, and the
// four children lie in one or two cache lines.
template <class Payload>
class EventQueue {
public:
    struct Item {
        Cycles time = 0;
        std::uint64_t sequence = 0;
        Payload payload{};

        bool before(const Item& other) const {
            return time != other.time ? time < other.time : sequence < other.sequence;
        }
    };

    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    const Item& top() const { return heap_.front(); }

    void push(Cycles time, const Payload& payload) {
        const Item item{time, next_sequence_++, payload};
        heap_.push_back(item);
        std::size_t at = heap_.size() - 1;
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            if (!item.before(heap_[parent])) break;
            heap_[at] = heap_[parent];
            at = parent;
        }
        heap_[at] = item;
    }

    Item pop() {
        const Item first = heap_.front();
        const Item last = heap_.back();
        heap_.pop_back();
        const std::size_t size = heap_.size();
        if (size == 0) return first;
        std::size_t at = 0;
        while (true) {
            const std::size_t child = 4 * at + 1;
            if (child >= size) break;
            std::size_t best = child;
            const std::size_t end = child + 4 < size ? child + 4 : size;
            for (std::size_t c = child + 1; c < end; ++c)
                if (heap_[c].before(heap_[best])) best = c;
            if (!heap_[best].before(last)) break;
            heap_[at] = heap_[best];
            at = best;
        }
        heap_[at] = last;
        return first;
    }

private:
    std::vector<Item> heap_;
    std::uint64_t next_sequence_ = 0;
};

} // namespace tlbscope
