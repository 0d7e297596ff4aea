// Recency order of up to 16 ways in one word: nibble 0 is the most recently used way.
#pragma once

#include <bit>
#include <cstdint>

namespace tlbscope::recency {

inline constexpr std::uint64_t kIdentity = 0xfedcba9876543210u;
inline constexpr std::uint64_t kOnes = 0x1111111111111111u;

// Position of `way` in the order, times 4.
inline int shift_of(std::uint64_t order, unsigned way) {
    const std::uint64_t x = order ^ (way * kOnes);
    return std::countr_zero((x - kOnes) & ~x & (kOnes << 3)) & ~3;
}

// `way` becomes the most recent.
inline std::uint64_t promote(std::uint64_t order, unsigned way) {
    const std::uint64_t mask = (std::uint64_t{16} << shift_of(order, way)) - 1;
    return (order & ~mask) | ((order << 4) & mask) | way;
}

// `way` becomes the least recent of `ways`.
inline std::uint64_t demote(std::uint64_t order, unsigned way, unsigned ways) {
    const int shift = shift_of(order, way);
    const int last = 4 * static_cast<int>(ways - 1);
    const std::uint64_t below = order & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t upto_last = last == 60 ? ~std::uint64_t{0} : (std::uint64_t{1} << (last + 4)) - 1;
    const std::uint64_t between = ((order & upto_last) >> 4) & ~((std::uint64_t{1} << shift) - 1);
    return (order & ~upto_last) | (static_cast<std::uint64_t>(way) << last) | between | below;
}

inline unsigned least(std::uint64_t order, unsigned ways) {
    return (order >> (4 * (ways - 1))) & 15;
}

} // namespace tlbscope::recency
