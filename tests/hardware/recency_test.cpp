#include "engine/hardware/recency.h"

#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace tlbscope;

namespace {

std::vector<unsigned> ways_of(std::uint64_t order, unsigned ways) {
    std::vector<unsigned> list;
    for (unsigned p = 0; p < ways; ++p)
        list.push_back((order >> (4 * p)) & 15);
    return list;
}

TEST(Recency, WordAndListMoveAlike) {
    for (unsigned ways = 1; ways <= 16; ++ways) {
        std::uint64_t order = recency::kIdentity;
        std::vector<unsigned> list = ways_of(order, ways);
        Random random(ways);
        for (int step = 0; step < 5000; ++step) {
            const auto way = static_cast<unsigned>(random.below(ways));
            list.erase(std::find(list.begin(), list.end(), way));
            if (random.below(2)) {
                order = recency::promote(order, way);
                list.insert(list.begin(), way);
            } else {
                order = recency::demote(order, way, ways);
                list.push_back(way);
            }
            ASSERT_EQ(ways_of(order, ways), list) << ways << " ways, step " << step;
            ASSERT_EQ(recency::least(order, ways), list.back());
            for (unsigned p = 0; p < ways; ++p)
                ASSERT_EQ(recency::shift_of(order, list[p]), static_cast<int>(4 * p));
            // The ways that do not exist stay where they are.
            for (unsigned p = ways; p < 16; ++p)
                ASSERT_EQ((order >> (4 * p)) & 15, p);
        }
    }
}

} // namespace
