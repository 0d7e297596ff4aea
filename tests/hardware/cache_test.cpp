#include "engine/hardware/cache.h"

#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <vector>

using namespace tlbscope;

namespace {

class ReferenceCache {
public:
    explicit ReferenceCache(const CacheSpec& spec)
        : ways_(spec.ways), sets_(spec.ways ? spec.bytes / 64 / spec.ways : 0) {}
    bool access(LineNumber line) {
        if (sets_.empty()) return false;
        auto& set = sets_[line % sets_.size()];
        const auto at = std::find(set.begin(), set.end(), line);
        const bool found = at != set.end();
        if (found) set.erase(at);
        set.push_front(line);
        if (set.size() > ways_) set.pop_back();
        return found;
    }

private:
    std::size_t ways_;
    std::vector<std::list<LineNumber>> sets_;
};

struct ReferenceHierarchy {
    ReferenceHierarchy(const ProcessorSpec& spec, const Topology& topology)
        : l1(static_cast<std::size_t>(topology.cores()), ReferenceCache(spec.l1d)),
          l2(static_cast<std::size_t>(topology.cores()), ReferenceCache(spec.l2)),
          l3(static_cast<std::size_t>(topology.sockets), ReferenceCache(spec.l3)), t(topology) {}
    int access(int core, LineNumber line) {
        const auto c = static_cast<std::size_t>(core);
        if (l1[c].access(line)) return 0;
        if (l2[c].access(line)) return 1;
        return l3[c / static_cast<std::size_t>(t.cores_per_socket)].access(line) ? 2 : 3;
    }
    std::vector<ReferenceCache> l1, l2, l3;
    Topology t;
};

ProcessorSpec spec_of(CacheSpec l1, CacheSpec l2, CacheSpec l3) {
    ProcessorSpec spec;
    spec.l1d = l1;
    spec.l2 = l2;
    spec.l3 = l3;
    // Powers of a large base, so that a sum of costs tells how often each level served.
    spec.l1d.latency = spec.l1d.stream = 1;
    spec.l2.latency = spec.l2.stream = 1000;
    spec.l3.latency = spec.l3.stream = 1000000;
    spec.costs.memory = spec.costs.memory_stream = 1000000000;
    return spec;
}

std::vector<ProcessorSpec> specs() {
    return {
        spec_of({32 << 10, 8, 0, 0}, {256 << 10, 8, 0, 0}, {8 << 20, 16, 0, 0}),
        spec_of({4 << 10, 4, 0, 0}, {16 << 10, 8, 0, 0}, {64 << 10, 16, 0, 0}),
        spec_of({48 << 10, 12, 0, 0}, {320 << 10, 10, 0, 0}, {0, 0, 0, 0}),
        spec_of({64, 1, 0, 0}, {128, 2, 0, 0}, {1 << 10, 16, 0, 0}), // fewer sets than a page has lines
        spec_of({4 << 10, 1, 0, 0}, {12 << 10, 3, 0, 0}, {44 << 10, 11, 0, 0}),
        spec_of({32 << 10, 8, 0, 0}, {256 << 10, 4, 0, 0}, {2 << 20, 16, 0, 0}),
        spec_of({0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}),
    };
}

// Every way of moving a tag to the front, also those this processor would not choose.
template <class Move>
void moves_as_a_list(std::uint32_t ways, Move&& move) {
    Random random(ways);
    std::vector<std::uint32_t> tags(ways, 0), list(ways, 0);
    for (int step = 0; step < 5000; ++step) {
        const auto tag = static_cast<std::uint32_t>(1 + random.below(ways + ways / 2)) * 0x10001u;
        auto at = std::find(list.begin(), list.end(), tag);
        const bool found = at != list.end();
        list.erase(found ? at : list.end() - 1);
        list.insert(list.begin(), tag);
        ASSERT_EQ(move(tags.data(), tag), found) << ways << " ways, step " << step;
        ASSERT_EQ(tags, list) << ways << " ways, step " << step;
    }
}

TEST(MoveToFront, EveryVariantMovesAlike) {
    for (std::uint32_t ways = 1; ways <= 16; ++ways)
        moves_as_a_list(ways,
                        [&](std::uint32_t* t, std::uint32_t tag) { return move_to_front(t, ways, tag); });
    moves_as_a_list(4, [](std::uint32_t* t, std::uint32_t tag) { return move_to_front<4>(t, tag); });
    moves_as_a_list(8, [](std::uint32_t* t, std::uint32_t tag) { return move_to_front<8>(t, tag); });
    moves_as_a_list(12, [](std::uint32_t* t, std::uint32_t tag) { return move_to_front<12>(t, tag); });
    moves_as_a_list(16, [](std::uint32_t* t, std::uint32_t tag) { return move_to_front<16>(t, tag); });
    if (!avx2::available) GTEST_SKIP() << "no AVX2 here";
    moves_as_a_list(8, [](std::uint32_t* t, std::uint32_t tag) { return avx2::move_to_front_8(t, tag); });
    moves_as_a_list(16, [](std::uint32_t* t, std::uint32_t tag) { return avx2::move_to_front_16(t, tag); });
}

TEST(Caches, SingleLoadsAndStreamsServeAsThePlainModel) {
    const Cycles cost[4] = {1, 1000, 1000000, 1000000000};
    for (const ProcessorSpec& spec : specs()) {
        const Topology topology{2, 2, 1};
        CacheHierarchy caches(spec, topology);
        ReferenceHierarchy reference(spec, topology);
        Random random(spec.l2.bytes + 1);
        std::uint64_t served[4] = {};
        for (int step = 0; step < 20000; ++step) {
            const int core = static_cast<int>(random.below(4));
            // Pages near 0 and at the top of the range of line numbers; hot ones and cold ones.
            const auto page = static_cast<LineNumber>(random.below(random.below(3) ? 12 : 3000));
            const LineNumber first = (random.below(8) ? page : 0x3fffff0 - page) * 64;
            if (random.below(4)) {
                const LineNumber line = first + static_cast<LineNumber>(random.below(64));
                const int level = reference.access(core, line);
                ++served[level];
                if (step % 2)
                    ASSERT_EQ(static_cast<int>(caches.access(core, line)), level) << "step " << step;
                else
                    ASSERT_EQ(caches.load(core, line), cost[level]) << "step " << step;
            } else {
                // A whole page mostly; else any piece, also across the end of a page.
                const auto lines = static_cast<std::uint32_t>(random.below(2) ? 64 : random.below(150));
                const LineNumber from =
                    lines == 64 ? first : first + static_cast<LineNumber>(random.below(64));
                Cycles expected = 0;
                for (std::uint32_t i = 0; i < lines; ++i) {
                    const int level = reference.access(core, from + i);
                    ++served[level];
                    expected += cost[level];
                }
                ASSERT_EQ(caches.stream(core, from, lines), expected) << "step " << step;
            }
        }
        for (int level = 0; level < 4; ++level)
            if (level == 3 || (level == 0 && spec.l1d.bytes) || (level == 1 && spec.l2.bytes) ||
                (level == 2 && spec.l3.bytes)) {
                EXPECT_GT(served[level], 5u) << "level " << level << " was hardly tried";
            }
    }
}

TEST(Caches, OneLevelThreeForASocketAlone) {
    ProcessorSpec spec = spec_of({4 << 10, 4, 0, 0}, {16 << 10, 8, 0, 0}, {64 << 10, 16, 0, 0});
    CacheHierarchy caches(spec, {2, 2, 1});
    EXPECT_EQ(caches.access(0, 5), CacheHierarchy::Level::memory);
    EXPECT_EQ(caches.access(1, 5), CacheHierarchy::Level::l3);
    EXPECT_EQ(caches.access(2, 5), CacheHierarchy::Level::memory);
    EXPECT_EQ(caches.access(0, 5), CacheHierarchy::Level::l1d);
}

} // namespace
