// Replacement state of one set of a TLB in a 64-bit word, moved by tables: using a way is one and and
// one or, whatever the policy.
//
// LRU of up to 8 ways is a matrix, row w in byte w: bit v of row w says that w was used after v, so the
// least recently used way has an empty row. PLRU is a heap-shaped tree, node 1 the root, node n's
// children 2n and 2n + 1; a set bit says that the right half is the less recently used one. LRU of 9
// to 16 ways has no such table, see recency.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tlbscope::set_order {

struct Use {
    std::uint64_t keep = ~std::uint64_t{0}, set = 0;
};
using Uses = std::array<Use, 16>; // by way

inline std::uint64_t use(std::uint64_t order, const Use& way) {
    return (order & way.keep) | way.set;
}

inline constexpr std::uint64_t kColumn = 0x0101010101010101u;

// For FIFO and random, which do not care about use.
inline constexpr Uses kNoUses{};
// By number of ways, 0 … 8.
inline constexpr auto kLruUses = [] {
    std::array<Uses, 9> all{};
    for (unsigned ways = 1; ways <= 8; ++ways)
        for (unsigned way = 0; way < ways; ++way) {
            const std::uint64_t row = ((std::uint64_t{1} << ways) - 1) << (8 * way);
            const std::uint64_t column = kColumn << way;
            all[ways][way] = {~(row | column), row & ~column};
        }
    return all;
}();
// By levels of the tree, 0 … 4: 1, 2, 4, 8 and 16 ways.
inline constexpr auto kPlruUses = [] {
    std::array<Uses, 5> all{};
    for (unsigned levels = 0; levels <= 4; ++levels)
        for (unsigned way = 0; way < 1u << levels; ++way)
            for (unsigned level = 0, node = 1; level < levels; ++level) {
                const unsigned right = (way >> (levels - 1 - level)) & 1;
                Use& use = all[levels][way];
                use.keep &= ~(std::uint64_t{1} << node);
                use.set |= std::uint64_t{1 - right} << node;
                node = 2 * node + right;
            }
    return all;
}();

// LRU: way 0 most recent, the last one least. Rows of ways that do not exist are never empty.
constexpr std::uint64_t lru_start(unsigned ways) {
    std::uint64_t order = 0;
    for (unsigned way = 0; way < 8; ++way)
        for (unsigned other = way + 1; other < 8; ++other)
            order |= std::uint64_t{way >= ways || other < ways} << (8 * way + other);
    return ways < 8 ? order | std::uint64_t{0x80} << 56 : order;
}
inline unsigned lru_victim(std::uint64_t order) {
    return static_cast<unsigned>(std::countr_zero((order - kColumn) & ~order & (kColumn << 7))) / 8;
}
// `way` becomes the least recent.
inline std::uint64_t lru_demote(std::uint64_t order, unsigned way, unsigned ways) {
    for (unsigned other = 0; other < ways; ++other)
        order |= std::uint64_t{1} << (8 * other + way);
    return order & ~(std::uint64_t{0xff} << (8 * way));
}
// 0 most recent … ways - 1.
inline unsigned lru_age(std::uint64_t order, unsigned way, unsigned ways) {
    return ways - 1 - static_cast<unsigned>(std::popcount((order >> (8 * way)) & 0xff));
}

constexpr unsigned plru_victim(std::uint64_t order, unsigned levels) {
    unsigned node = 1;
    for (unsigned level = 0; level < levels; ++level)
        node = 2 * node + static_cast<unsigned>((order >> node) & 1);
    return node - (1u << levels);
}
// 0 … ways - 1, the victim oldest: every node that points towards the way makes it older by half of
// what is left.
inline unsigned plru_age(std::uint64_t order, unsigned way, unsigned levels) {
    unsigned result = 0, node = 1;
    for (unsigned half = (1u << levels) / 2; half; half /= 2) {
        const unsigned right = (way & half) != 0;
        if (right == ((order >> node) & 1)) result += half;
        node = 2 * node + right;
    }
    return result;
}

} // namespace tlbscope::set_order
