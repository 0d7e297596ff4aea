// Replacement, sectors, aliasing and prefetching, held against caches written plainly.
#include "engine/core/random.h"
#include "tests/hardware/reference_caches.h"

#include <gtest/gtest.h>

using namespace tlbscope;

namespace {

CacheSpec cache(std::uint64_t bytes, std::uint32_t ways, Replacement replacement = Replacement::lru,
                std::uint32_t sector_lines = 1, bool alias = false) {
    return {bytes, ways, 0, 0, replacement, sector_lines, alias};
}

ProcessorSpec machine(CacheSpec l1, CacheSpec l2, CacheSpec l3, std::uint32_t streams) {
    ProcessorSpec spec;
    spec.l1d = l1;
    spec.l2 = l2;
    spec.l3 = l3;
    spec.l1d.latency = 2;
    spec.l2.latency = 18;
    spec.l3.latency = 40;
    // Powers of a large base, so that a sum of costs tells how often each level served.
    spec.l1d.stream = 1;
    spec.l2.stream = 1000;
    spec.l3.stream = 1'000'000;
    spec.costs.memory = 300;
    spec.costs.memory_stream = 100;
    spec.prefetch_streams = streams;
    return spec;
}

constexpr auto kLru = Replacement::lru, kTree = Replacement::plru;

ProcessorSpec pentium_4(std::uint64_t l2_bytes = 512 << 10) {
    return machine(cache(8 << 10, 4, kTree, 1, true), cache(l2_bytes, 8, kTree, 2), {}, 8);
}

std::vector<ProcessorSpec> machines() {
    return {
        pentium_4(),
        pentium_4(128 << 10),
        machine(cache(1 << 10, 4, kTree, 1, true), cache(8 << 10, 8, kTree, 2), {}, 8),
        machine(cache(1 << 10, 4, kLru, 1, true), cache(8 << 10, 8, kLru, 2), {}, 3),
        machine(cache(2 << 10, 8, kTree, 1, true), cache(8 << 10, 16, kTree, 2), cache(32 << 10, 16), 1),
        machine(cache(1 << 10, 2, kTree), cache(4 << 10, 4, kTree, 2), cache(16 << 10, 8, kTree), 2),
        machine(cache(64 * 16, 16, kTree), cache(4 << 10, 1, kTree, 2), {}, 0),
        machine(cache(1 << 10, 8, kLru, 1, true), cache(8 << 10, 8, kLru), cache(32 << 10, 8), 4),
        machine(cache(3 << 10, 12, kLru, 1, true), cache(64 << 10, 8, kTree), {}, 64),
        machine(cache(1 << 10, 8), cache(8 << 10, 8, kLru, 2), cache(32 << 10, 16), 4),
        machine(cache(1 << 10, 8), cache(8 << 10, 8), {}, 4),
        machine(cache(1 << 10, 4, kTree), cache(8 << 10, 4, kTree), {}, 4),
        machine({}, cache(8 << 10, 8, kTree, 2), {}, 8),
        machine(cache(1 << 10, 4), {}, {}, 8),
    };
}

// Frames spread over physical memory; neighbouring linear pages, and some 64 KiB apart.
LineNumber frame_of_page(std::uint32_t page) {
    return (page * 2654435761u >> 7) & 0x3ffff;
}

class Traffic {
public:
    explicit Traffic(std::uint64_t seed) : random_(seed) {}

    struct Access {
        int core = 0;
        LineNumber line = 0;
        std::uint32_t linear = 0;
        bool write = false;
    };
    // Steps of several streams, hot lines, pages 64 KiB apart, and any.
    Access next() {
        Access access;
        access.core = static_cast<int>(random_.below(4));
        access.write = random_.below(3) == 0;
        std::uint32_t linear = 0;
        switch (random_.below(6)) {
        case 0:
        case 1: {
            auto& at = streams_[random_.below(6)];
            at += static_cast<std::uint32_t>(random_.below(8) ? 1 + random_.below(2) : random_.below(400));
            linear = at;
            break;
        }
        case 2:
            linear = static_cast<std::uint32_t>(random_.below(24)) * 3;
            break;
        case 3:
            linear = static_cast<std::uint32_t>(random_.below(12)) * 1024 +
                     static_cast<std::uint32_t>(random_.below(6));
            break;
        default:
            linear = static_cast<std::uint32_t>(random_.below(random_.below(2) ? 2000 : 40000));
        }
        access.linear = linear;
        access.line = frame_of_page(linear / 64) * 64 + linear % 64;
        return access;
    }
    Random& random() { return random_; }

private:
    Random random_;
    std::uint32_t streams_[6] = {0, 5000, 70000, 131072, 131072 + 2048, 300000};
};

TEST(CacheRules, EveryAccessServesAsInThePlainModel) {
    std::uint64_t number = 0;
    for (const ProcessorSpec& spec : machines()) {
        SCOPED_TRACE("machine " + std::to_string(number));
        const Topology topology{2, 2, 1};
        CacheHierarchy caches(spec, topology);
        PlainHierarchy plain(spec, topology);
        Traffic traffic(++number);
        std::uint64_t served[kMemoryLevels] = {}, prefetched = 0;
        for (int step = 0; step < 60000; ++step) {
            const Traffic::Access a = traffic.next();
            switch (traffic.random().below(12)) {
            case 0: { // a piece of a page mostly, seldom more
                const auto lines = static_cast<std::uint32_t>(
                    traffic.random().below(8) ? traffic.random().below(20) : 64 + traffic.random().below(80));
                ASSERT_EQ(caches.stream(a.core, a.line, lines), plain.stream(a.core, a.line, lines));
                break;
            }
            case 1: {
                const auto found = caches.find(a.core, a.line);
                const auto expected = plain.touch(a.core, a.line, a.line, false);
                ASSERT_EQ(found.level, expected.level) << "step " << step;
                ASSERT_EQ(found.cycles, expected.cycles) << "step " << step;
                break;
            }
            default: {
                const auto found = caches.touch(a.core, a.line, a.linear, a.write);
                const auto expected = plain.touch(a.core, a.line, a.linear, a.write);
                ASSERT_EQ(found.level, expected.level) << "step " << step;
                ASSERT_EQ(found.cycles, expected.cycles) << "step " << step;
                ++served[static_cast<std::size_t>(found.level)];
                prefetched += found.cycles == 100;
            }
            }
        }
        for (std::size_t level = 0; level < kMemoryLevels; ++level)
            if (level == 3 || (level == 0 && spec.l1d.bytes) || (level == 1 && spec.l2.bytes) ||
                (level == 2 && spec.l3.bytes)) {
                EXPECT_GT(served[level], 100u) << "level " << level << " was hardly tried";
            }
        EXPECT_EQ(prefetched > 50, spec.prefetch_streams > 1) << prefetched;
    }
}

// A copy of the caches goes its own way from where it was made.
TEST(CacheRules, ACopyRunsOnAlone) {
    CacheHierarchy caches(pentium_4(), {1, 4, 1});
    Traffic traffic(5);
    for (int step = 0; step < 5000; ++step) {
        const Traffic::Access a = traffic.next();
        caches.touch(a.core, a.line, a.linear, a.write);
    }
    CacheHierarchy copy = caches, other = caches;
    Traffic disturbance(6), again(7), same(7);
    for (int step = 0; step < 5000; ++step) {
        const Traffic::Access d = disturbance.next();
        other.touch(d.core, d.line, d.linear, d.write);
        const Traffic::Access a = again.next(), b = same.next();
        const auto found = caches.touch(a.core, a.line, a.linear, a.write);
        const auto in_copy = copy.touch(b.core, b.line, b.linear, b.write);
        ASSERT_EQ(found.level, in_copy.level);
        ASSERT_EQ(found.cycles, in_copy.cycles);
    }
}

// Laps over contiguous pages that fit never leave the L2 once they are in it, of every size a scenario
// may choose, with and without sectors.
TEST(CacheRules, ContiguousPagesThatFitStay) {
    for (std::uint64_t bytes = 128 << 10; bytes <= 4 << 20; bytes *= 2)
        for (const std::uint32_t sector : {1u, 2u}) {
            CacheHierarchy caches(
                machine(cache(8 << 10, 4, kTree, 1, true), cache(bytes, 8, kLru, sector), {}, 8), {1, 1, 1});
            const LineNumber first = 77777 * 64;
            for (int lap = 0; lap < 2; ++lap)
                for (std::uint32_t i = 0; i < bytes / 64; ++i)
                    ASSERT_TRUE(caches.touch(0, first + i, i, false).level != MemoryLevel::memory || lap == 0)
                        << bytes << " bytes, line " << i;
            // One page more, and its colour is lost in every lap: under LRU all nine pages of it.
            std::uint32_t missed = 0;
            for (int lap = 0; lap < 3; ++lap) {
                missed = 0;
                for (std::uint32_t i = 0; i < bytes / 64 + 64; ++i)
                    missed += caches.touch(0, first + i, i, false).level == MemoryLevel::memory;
            }
            EXPECT_EQ(missed, 9 * 64 / sector);
        }
}

TEST(CacheRules, LinesSixtyFourKiBApartDriveEachOtherOut) {
    for (const Replacement replacement : {kLru, kTree})
        for (const bool alias : {false, true}) {
            CacheHierarchy caches(
                machine(cache(8 << 10, 4, replacement, 1, alias), cache(512 << 10, 8), {}, 0), {1, 1, 1});
            int l1_hits = 0;
            for (int i = 0; i < 100; ++i)
                l1_hits +=
                    caches.touch(0, i % 2 ? 64 * 100 : 64 * 357, i % 2 ? 1024 * 3 : 1024 * 9, false).level ==
                    MemoryLevel::l1d;
            EXPECT_EQ(l1_hits, alias ? 0 : 98);
            // A page's distance is no alias, though the set is the same.
            l1_hits = 0;
            for (int i = 0; i < 100; ++i)
                l1_hits += caches.touch(0, i % 2 ? 64 * 100 : 64 * 357, i % 2 ? 64 : 128, false).level ==
                           MemoryLevel::l1d;
            EXPECT_GE(l1_hits, 98);
        }
}

TEST(CacheRules, AReadFetchesASectorAWriteALine) {
    for (const LineNumber line : {640u, 641u}) {
        CacheHierarchy caches(pentium_4(), {1, 1, 1});
        EXPECT_EQ(caches.touch(0, line, line, false).level, MemoryLevel::memory);
        EXPECT_EQ(caches.touch(0, line ^ 1, line ^ 1, false).level, MemoryLevel::l2);
        EXPECT_EQ(caches.touch(0, line + 2, line + 2, true).level, MemoryLevel::memory);
        EXPECT_EQ(caches.touch(0, (line ^ 1) + 2, (line ^ 1) + 2, true).level, MemoryLevel::memory);
    }
}

TEST(CacheRules, TheThirdMissOfAStreamIsOnItsWay) {
    const auto cycles = [](std::uint32_t step, std::initializer_list<LineNumber> lines) {
        CacheHierarchy caches(machine(cache(8 << 10, 4), cache(512 << 10, 8, kTree, step), {}, 2), {1, 1, 1});
        std::vector<std::uint32_t> result;
        for (const LineNumber line : lines)
            result.push_back(caches.touch(0, line, line, false).cycles);
        return result;
    };
    using Costs = std::vector<std::uint32_t>;
    EXPECT_EQ(cycles(1, {5, 6, 7, 8}), (Costs{300, 300, 100, 100}));
    EXPECT_EQ(cycles(2, {4, 6, 8, 9, 10}), (Costs{300, 300, 100, 18, 100})) << "sector by sector";
    EXPECT_EQ(cycles(1, {4, 6, 8, 10}), (Costs{300, 300, 300, 300})) << "no such step without sectors";
    EXPECT_EQ(cycles(1, {8, 7, 6, 5}), (Costs{300, 300, 300, 300})) << "descending";
    EXPECT_EQ(cycles(1, {61, 62, 63, 64, 65, 66}), (Costs{300, 300, 100, 300, 300, 100}))
        << "ends with its page";
    EXPECT_EQ(cycles(1, {5, 100, 6, 101, 7, 102}), (Costs{300, 300, 300, 300, 100, 100})) << "two at a time";
    EXPECT_EQ(cycles(1, {5, 100, 200, 6, 101, 201, 7}), (Costs{300, 300, 300, 300, 300, 300, 300}))
        << "one too many";
}

} // namespace
