// Tree pseudo-LRU of 1, 2, 4, 8 or 16 ways in one word: a heap-shaped tree, node 1 the root, node n's
// children 2n and 2n + 1; a set bit says that the right half is the less recently used one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tlbscope::plru {

struct Touch {
    std::uint16_t keep = 0xffff, set = 0;
};

// Every node on the way down to a way points away from it.
inline constexpr auto kTouch = [] {
    std::array<std::array<Touch, 16>, 5> all{};
    for (unsigned levels = 0; levels <= 4; ++levels)
        for (unsigned way = 0; way < 1u << levels; ++way)
            for (unsigned level = 0, node = 1; level < levels; ++level) {
                const unsigned right = (way >> (levels - 1 - level)) & 1;
                Touch& touch = all[levels][way];
                touch.keep = static_cast<std::uint16_t>(touch.keep & ~(1u << node));
                touch.set = static_cast<std::uint16_t>(touch.set | (right ? 0u : 1u << node));
                node = 2 * node + right;
            }
    return all;
}();

inline std::uint32_t touch(std::uint32_t bits, unsigned way, unsigned levels) {
    const Touch t = kTouch[levels][way];
    return (bits & t.keep) | t.set;
}

inline unsigned victim(std::uint32_t bits, unsigned levels) {
    unsigned node = 1;
    for (unsigned level = 0; level < levels; ++level)
        node = 2 * node + ((bits >> node) & 1);
    return node - (1u << levels);
}

// 0 … ways - 1, the victim oldest: every node that points towards the way makes it older by half of
// what is left.
inline unsigned age(std::uint32_t bits, unsigned way, unsigned levels) {
    unsigned result = 0, node = 1;
    for (unsigned half = (1u << levels) / 2; half; half /= 2) {
        const unsigned right = (way & half) != 0;
        if (right == ((bits >> node) & 1)) result += half;
        node = 2 * node + right;
    }
    return result;
}

} // namespace tlbscope::plru
