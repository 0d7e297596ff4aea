#include "engine/workload/hint_layout.h"

#include "engine/core/types.h"

namespace tlbscope {

std::array<HintAccess, kHintAccesses> hint_accesses(const HintLayout& layout, HintStep step, std::uint32_t k,
                                                    std::uint32_t last) {
    using enum HintField;
    const std::uint64_t p = step.parent(), q = std::uint64_t{k} + 1;
    // The left child, which is the parent's record, is put on the queue first, wherever its place is.
    const std::uint64_t left = std::uint64_t{last} + (step.right_first() ? 2 : 1);
    const std::uint64_t right = std::uint64_t{last} + (step.right_first() ? 1 : 2);
    const auto parent = [&](HintField field, bool write) {
        return HintAccess{layout.field(p, field), HintStream::parent, write};
    };
    const auto child = [&](HintField field) {
        return HintAccess{layout.field(q, field), HintStream::child, true};
    };
    const auto error = [&](std::uint64_t slot, bool write) {
        return HintAccess{layout.error(slot), HintStream::error_queue, write};
    };
    const auto index = [&](std::uint64_t slot) {
        return HintAccess{layout.index(slot), HintStream::index_queue, true};
    };
    return {{
        {layout.index(k), HintStream::index_read, false},
        // Half the width, the new point between both, the function's bounds at the right end.
        parent(dx, false),
        parent(dx, true),
        child(dx),
        parent(xr, false),
        child(xr),
        parent(xl, false),
        parent(xr, true),
        child(xl),
        parent(frl, false),
        child(frl),
        parent(frh, false),
        child(frh),
        // The function at the new point.
        parent(frl, true),
        parent(frh, true),
        child(fll),
        child(flh),
        // The errors of both.
        parent(fll, false),
        parent(flh, false),
        error(left, true),
        index(left),
        error(right, true),
        index(right),
        error(std::uint64_t{last} + 2, false),
        // Their areas.
        parent(alo, false),
        parent(alo, true),
        child(alo),
        parent(ahi, false),
        parent(ahi, true),
        child(ahi),
    }};
}

std::array<HintAccess, 11> hint_lap_accesses(const HintLayout& layout) {
    using enum HintField;
    const auto parent = [&](HintField field) {
        return HintAccess{layout.field(0, field), HintStream::parent, true};
    };
    return {{parent(xl), parent(xr), parent(dx), parent(fll), parent(flh), parent(frl), parent(frh),
             parent(ahi), parent(alo), HintAccess{layout.error(0), HintStream::error_queue, true},
             HintAccess{layout.index(0), HintStream::index_queue, true}}};
}

HintAllocation hint_allocation(HintType type, std::uint64_t n, bool long_mode) {
    const std::uint64_t word = long_mode ? 8 : 4, header = 2 * word;
    constexpr std::uint64_t mmap_threshold = 128 << 10;
    HintAllocation result;
    std::uint64_t heap = 0;
    const auto allocate = [&](std::uint64_t bytes) {
        const std::uint64_t chunk = (bytes + word + header - 1) / header * header;
        if (chunk >= mmap_threshold)
            return HintAllocation::Array{true, header, (chunk + word + kPageBytes - 1) / kPageBytes};
        const HintAllocation::Array array{false, heap + header, 0};
        heap += chunk;
        return array;
    };
    result.rect = allocate(hint_record_bytes(type) * n);
    result.errs = allocate(hint_element_bytes(type) * 2 * n);
    result.ixes = allocate(4 * 2 * n);
    result.heap_pages = (heap + header + kPageBytes - 1) / kPageBytes;
    return result;
}

} // namespace tlbscope
