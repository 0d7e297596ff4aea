// The discrete-event queue: earliest time first, ties in the order of insertion. Copyable.
#pragma once

#include "engine/core/types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tlbscope {

// `Payload` is trivially copyable and small. A calendar: the near future is cut into days, each a short
// sorted list, and a bitmap finds the next day with anything in it; what lies beyond a year waits in a
// heap. Any time may be pushed at any moment, also one before the last item taken.
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

    EventQueue() : days_(kDays) {}

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    // The queue must not be empty.
    const Item& top() const { return first_ == kNone ? far_.front() : nodes_[first_].item; }

    void push(Cycles time, const Payload& payload) {
        const Item item{time, next_sequence_++, payload};
        ++size_;
        const Cycles day = std::max(time >> kDayShift, today_);
        if (day - today_ >= kDays) { // later than everything in the calendar
            far_.push_back(item);
            std::push_heap(far_.begin(), far_.end(), later);
            return;
        }
        const bool is_first = size_ == 1 || item.before(top());
        const std::uint32_t node = insert(static_cast<std::uint32_t>(day) & (kDays - 1), item);
        if (is_first) first_ = node;
    }

    // The queue must not be empty.
    Item pop() {
        --size_;
        Item item;
        if (first_ == kNone) {
            std::pop_heap(far_.begin(), far_.end(), later);
            item = far_.back();
            far_.pop_back();
        } else {
            item = nodes_[first_].item;
            // The first of all is the first of its day, and its day is the first with anything in it.
            const std::uint32_t slot = next_slot();
            Day& day = days_[slot];
            day.head = nodes_[first_].next;
            if (day.head == kNone) {
                day.tail = kNone;
                words_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
                if (words_[slot / 64] == 0) full_words_ &= ~(std::uint64_t{1} << slot / 64);
            } else {
                nodes_[day.head].previous = kNone;
            }
            nodes_[first_].next = free_;
            free_ = first_;
        }
        today_ = std::max(today_, item.time >> kDayShift);
        find_first();
        return item;
    }

private:
    // A day of 128 cycles and a year of 2048 days: some 75 µs at 3.4 GHz, which IPIs, acknowledgements and
    // what a thread does between them stay within, and timer ticks do not.
    static constexpr int kDayShift = 7;
    static constexpr std::uint32_t kDays = 2048;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static_assert(kDays / 64 <= 64);

    struct Node {
        Item item;
        std::uint32_t previous = kNone, next = kNone;
    };
    struct Day {
        std::uint32_t head = kNone, tail = kNone;
    };

    static bool later(const Item& a, const Item& b) { return b.before(a); }

    // Days of the year from today on follow one another around the end of the array.
    std::uint32_t next_slot() const {
        const auto today = static_cast<std::uint32_t>(today_) & (kDays - 1);
        const std::uint32_t word = today / 64;
        if (const std::uint64_t rest = words_[word] >> today % 64; rest)
            return today + static_cast<std::uint32_t>(std::countr_zero(rest));
        // Words behind this one, else from the start; this one's lower bits come last.
        const std::uint64_t behind = word == 63 ? 0 : full_words_ >> (word + 1) << (word + 1);
        const auto next = static_cast<std::uint32_t>(std::countr_zero(behind ? behind : full_words_));
        return next * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[next]));
    }

    void find_first() {
        first_ = kNone;
        if (size_ == far_.size()) return;
        const std::uint32_t head = days_[next_slot()].head;
        if (far_.empty() || nodes_[head].item.before(far_.front())) first_ = head;
    }

    std::uint32_t insert(std::uint32_t slot, const Item& item) {
        std::uint32_t node = free_;
        if (node != kNone) {
            free_ = nodes_[node].next;
        } else {
            node = static_cast<std::uint32_t>(nodes_.size());
            nodes_.emplace_back();
        }
        Day& day = days_[slot];
        // From the end: what is pushed last mostly comes last.
        std::uint32_t before = day.tail;
        while (before != kNone && item.before(nodes_[before].item))
            before = nodes_[before].previous;
        const std::uint32_t after = before == kNone ? day.head : nodes_[before].next;
        nodes_[node] = {item, before, after};
        (before == kNone ? day.head : nodes_[before].next) = node;
        (after == kNone ? day.tail : nodes_[after].previous) = node;
        words_[slot / 64] |= std::uint64_t{1} << slot % 64;
        full_words_ |= std::uint64_t{1} << slot / 64;
        return node;
    }

    std::vector<Node> nodes_;
    std::vector<Day> days_;
    std::vector<Item> far_;                         // a heap, earliest first
    std::array<std::uint64_t, kDays / 64> words_{}; // days with something in them, one bit each
    std::uint64_t full_words_ = 0;                  // words that are not zero
    std::uint32_t free_ = kNone;                    // unused nodes, by next
    std::uint32_t first_ = kNone;                   // the earliest item's node; kNone: it is in far_
    Cycles today_ = 0;                              // day of the latest item taken
    std::size_t size_ = 0;
    std::uint64_t next_sequence_ = 0;
};

} // namespace tlbscope
