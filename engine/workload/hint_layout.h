// Where HINT's arrays lie, and the accesses of one iteration in the benchmark's order.
#pragma once

#include "engine/workload/hint_integrator.h"

#include <array>
#include <cstdint>

namespace tlbscope {

// Streams of accesses that move through the arrays on their own.
enum class HintStream : std::uint8_t { index_read, index_queue, error_queue, parent, child };
inline constexpr std::size_t kHintStreams = 5;

struct HintAccess {
    std::uint64_t address = 0; // linear, of the first byte
    HintStream stream = HintStream::index_read;
    bool write = false;
};
inline constexpr std::size_t kHintAccesses = 30;

// Fields of a record, in the order in which it holds them.
enum class HintField : std::uint8_t { ahi, alo, dx, flh, fll, frh, frl, xl, xr, count_ };

// Bytes of an element; an index of the queue has 4 in both.
constexpr std::uint32_t hint_element_bytes(HintType type) {
    return type == HintType::float64 ? 8 : 4;
}
constexpr std::uint32_t hint_record_bytes(HintType type) {
    return hint_element_bytes(type) * static_cast<std::uint32_t>(HintField::count_);
}
// What the benchmark reports as its memory, and what it touches: the queue has two slots an interval.
constexpr std::uint64_t hint_axis_bytes(HintType type, std::uint64_t n) {
    return (hint_record_bytes(type) + hint_element_bytes(type) + 4) * n;
}
constexpr std::uint64_t hint_touched_bytes(HintType type, std::uint64_t n) {
    return (hint_record_bytes(type) + 2 * hint_element_bytes(type) + 8) * n;
}

// Linear addresses of the first elements: rect[n], errs[2 n], ixes[2 n].
struct HintLayout {
    HintType type = HintType::float64;
    std::uint64_t rect = 0, errs = 0, ixes = 0;

    std::uint64_t field(std::uint64_t record, HintField field) const {
        return rect + hint_record_bytes(type) * record +
               hint_element_bytes(type) * static_cast<std::uint64_t>(field);
    }
    std::uint64_t error(std::uint64_t slot) const { return errs + hint_element_bytes(type) * slot; }
    std::uint64_t index(std::uint64_t slot) const { return ixes + 4 * slot; }
};

// Iteration k with the queue's last element in slot `last`: 9 reads and 6 writes of the parent's record,
// 9 writes of the new child's, 2 reads and 4 writes of the queue. Order from the benchmark's source.
std::array<HintAccess, kHintAccesses> hint_accesses(const HintLayout& layout, HintStep step, std::uint32_t k,
                                                    std::uint32_t last);

// What precedes iteration 0 of each lap: the first record and its place in the queue.
std::array<HintAccess, 11> hint_lap_accesses(const HintLayout& layout);

// How glibc's malloc places the arrays: 128 KiB and more get a mapping of their own, the rest follows one
// another on the heap. Chunks have a header of two words.
struct HintAllocation {
    struct Array {
        bool mapped = false;      // a mapping of its own, not the heap
        std::uint64_t offset = 0; // bytes from the start of that mapping, or of the heap
        std::uint64_t pages = 0;  // of its mapping
    };
    Array rect, errs, ixes;
    std::uint64_t heap_pages = 0;
};
HintAllocation hint_allocation(HintType type, std::uint64_t n, bool long_mode);

} // namespace tlbscope
