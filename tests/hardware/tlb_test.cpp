#include "engine/hardware/tlb.h"

#include "engine/core/random.h"
#include "tests/hardware/reference_tlb.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>

using namespace tlbscope;

namespace {

struct Shape {
    std::uint32_t entries, ways;
    Replacement replacement;
    std::uint32_t siblings;
};

std::ostream& operator<<(std::ostream& out, const Shape& s) {
    const char* names[] = {"lru", "plru", "fifo", "random"};
    return out << s.entries << " entries, " << s.ways << " ways, " << names[static_cast<int>(s.replacement)]
               << ", " << s.siblings << " siblings";
}

std::vector<Shape> shapes() {
    std::vector<Shape> all;
    const std::pair<std::uint32_t, std::uint32_t> sizes[] = {
        {1, 1},     {2, 1},       {2, 2},   {4, 4},   {7, 7},   {8, 2},   {12, 3},
        {16, 16},   {32, 4},      {64, 4},  {64, 64}, {17, 17}, {96, 12}, {128, 8},
        {1536, 12}, {1024, 1024}, {32, 32}, {64, 16}, {512, 4}, {64, 1}};
    for (const auto& [entries, ways] : sizes)
        for (const Replacement r :
             {Replacement::lru, Replacement::plru, Replacement::fifo, Replacement::random})
            for (const std::uint32_t siblings : {1u, 2u, 4u}) {
                if (r == Replacement::plru && (ways > 16 || !std::has_single_bit(ways))) continue;
                all.push_back({entries, ways, r, siblings});
            }
    return all;
}

class TlbArrayTest : public testing::TestWithParam<Shape> {};

// Accesses, INVLPG and flushes at random: same hits, same victims, same entries in the same slots.
TEST_P(TlbArrayTest, BehavesAsThePlainModel) {
    const Shape shape = GetParam();
    constexpr std::uint64_t seed = 42;
    Tlb tlb(shape.entries, shape.ways, shape.replacement, seed);
    ReferenceTlb reference(shape.entries, shape.ways, shape.replacement, seed);
    LiveContexts live;
    live.siblings = shape.siblings;
    TlbContext next = kFirstContext;
    for (std::uint32_t s = 0; s < shape.siblings; ++s)
        live.of_sibling[s] = next++;
    Random random(shape.entries * 131 + shape.ways * 17 + shape.siblings);

    const std::uint32_t steps = shape.entries > 500 ? 12000 : 6000;
    std::uint64_t hits = 0, misses = 0, invalidated = 0;
    for (std::uint32_t step = 0; step < steps; ++step) {
        const int owner =
            random.below(16) == 0 ? ReferenceTlb::kGlobal : static_cast<int>(random.below(shape.siblings));
        const bool huge = random.below(4) == 0;
        // Twice as many pages as entries, with page numbers up to the top of user space.
        PageNumber page = random.below(2 * shape.entries + 3) + (random.below(2) ? 0x7ffffff00 : 0);
        if (huge) page = page << 9 & 0x7ffffffff;
        const TlbContext context = owner == ReferenceTlb::kGlobal
                                       ? kGlobalContext
                                       : live.of_sibling[static_cast<std::size_t>(owner)];
        const TlbTag tag = huge ? tlb_tag_huge(page, context) : tlb_tag(page, context);
        const std::uint64_t what = random.below(400);
        if (what == 0) {
            const auto s = static_cast<std::uint32_t>(random.below(shape.siblings));
            live.of_sibling[s] = next++;
            ++live.epoch;
            reference.flush(static_cast<int>(s));
        } else if (what < 30) {
            const bool was = tlb.invalidate(tag, step);
            ASSERT_EQ(was, reference.invalidate(page, huge, owner)) << "step " << step;
            invalidated += was;
        } else {
            const int expected = reference.lookup(page, huge, owner);
            ASSERT_EQ(tlb.probe(tag), expected) << "step " << step;
            ASSERT_EQ(tlb.lookup(tag), expected) << "step " << step;
            if (expected >= 0) {
                ++hits;
                ASSERT_EQ(page_of(tlb.tag(static_cast<std::uint32_t>(expected))), page);
            } else {
                ++misses;
                TlbPayload payload;
                payload.frame = static_cast<std::uint32_t>(page) & 0xffffff;
                payload.filled = step;
                const std::uint32_t slot = tlb.fill(tag, payload, live);
                ASSERT_EQ(static_cast<int>(slot), reference.fill(page, huge, owner)) << "step " << step;
                ASSERT_EQ(tlb.tag(slot), tag);
                ASSERT_EQ(tlb.payload(slot).frame, payload.frame);
                ASSERT_EQ(tlb.payload(slot).filled, payload.filled);
            }
        }
        if (step % 97 == 0 || what == 0)
            for (std::uint32_t slot = 0; slot < shape.entries; ++slot) {
                const ReferenceTlb::Entry& e = reference.entry(static_cast<int>(slot));
                const TlbTag held = tlb.tag(slot);
                ASSERT_EQ(live.is_live(context_of(held)), e.valid) << "step " << step << " slot " << slot;
                if (!e.valid) continue;
                ASSERT_EQ(page_of(held), e.page) << "step " << step << " slot " << slot;
                ASSERT_EQ((held & kHugeBit) != 0, e.huge);
                ASSERT_EQ(context_of(held), e.owner == ReferenceTlb::kGlobal
                                                ? kGlobalContext
                                                : live.of_sibling[static_cast<std::size_t>(e.owner)]);
            }
    }
    EXPECT_GT(misses, 100u);
    if (shape.entries > 2) {
        EXPECT_GT(hits, 20u);
        EXPECT_GT(invalidated, 3u);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryArray, TlbArrayTest, testing::ValuesIn(shapes()));

TEST(Tlb, RecencyIsAPermutationOfEverySet) {
    for (const auto& [entries, ways] : {std::pair{64u, 4u}, {64u, 64u}, {96u, 12u}, {16u, 16u}}) {
        Tlb tlb(entries, ways, Replacement::lru, 1);
        LiveContexts live;
        live.of_sibling[0] = kFirstContext;
        Random random(3);
        std::uint32_t last = 0;
        for (int step = 0; step < 3000; ++step) {
            const TlbTag tag = tlb_tag(random.below(3 * entries), kFirstContext);
            const std::int32_t slot = tlb.lookup(tag);
            last = slot >= 0 ? static_cast<std::uint32_t>(slot) : tlb.fill(tag, {}, live);
            ASSERT_EQ(tlb.recency(last), 0u);
            std::set<std::uint32_t> seen;
            const std::uint32_t first = last / ways * ways;
            for (std::uint32_t slot_in_set = first; slot_in_set < first + ways; ++slot_in_set)
                seen.insert(tlb.recency(slot_in_set));
            ASSERT_EQ(seen.size(), ways);
            ASSERT_EQ(*seen.rbegin(), ways - 1);
        }
    }
}

TEST(Tlb, PlruAgesNameTheVictimOldest) {
    for (const std::uint32_t ways : {2u, 4u, 8u, 16u}) {
        Tlb tlb(ways, ways, Replacement::plru, 1);
        LiveContexts live;
        live.of_sibling[0] = kFirstContext;
        Random random(ways);
        for (PageNumber page = 0; page < ways; ++page)
            tlb.fill(tlb_tag(page, kFirstContext), {}, live);
        for (PageNumber page = ways; page < 500; ++page) {
            for (int i = 0; i < 5; ++i) {
                const auto slot = static_cast<std::uint32_t>(random.below(ways));
                tlb.lookup(tlb.tag(slot));
                ASSERT_EQ(tlb.recency(slot), 0u);
            }
            std::uint32_t oldest = 0;
            std::set<std::uint32_t> ages;
            for (std::uint32_t slot = 0; slot < ways; ++slot) {
                ages.insert(tlb.recency(slot));
                if (tlb.recency(slot) > tlb.recency(oldest)) oldest = slot;
            }
            ASSERT_EQ(ages.size(), ways);
            ASSERT_EQ(tlb.fill(tlb_tag(page, kFirstContext), {}, live), oldest);
        }
    }
}

// What INVLPG dropped stays to be shown: its page, when it went, and no longer matching.
TEST(Tlb, DroppedEntriesStayVisible) {
    for (const std::uint32_t ways : {4u, 64u}) {
        Tlb tlb(64, ways, Replacement::lru, 1);
        LiveContexts live;
        live.of_sibling[0] = kFirstContext;
        const std::uint32_t slot = tlb.fill(tlb_tag(0x1234, kFirstContext), {}, live);
        ASSERT_TRUE(tlb.invalidate(tlb_tag(0x1234, kFirstContext), 77));
        EXPECT_EQ(context_of(tlb.tag(slot)), kDeadContext);
        EXPECT_EQ(page_of(tlb.tag(slot)), 0x1234u);
        EXPECT_EQ(tlb.payload(slot).filled, 77);
        EXPECT_FALSE(tlb.invalidate(tlb_tag(0x1234, kFirstContext), 78));
        EXPECT_EQ(tlb.lookup(tlb_tag(0x1234, kFirstContext)), Tlb::kMiss);
    }
}

TEST(Tlb, ACopyRunsOnAlike) {
    for (const Replacement r : {Replacement::lru, Replacement::random}) {
        Tlb tlb(64, 64, r, 9);
        LiveContexts live;
        live.of_sibling[0] = kFirstContext;
        Random random(1);
        const auto step = [&](Tlb& array, PageNumber page) {
            const TlbTag tag = tlb_tag(page, kFirstContext);
            const std::int32_t slot = array.lookup(tag);
            return slot >= 0 ? slot : static_cast<std::int32_t>(array.fill(tag, {}, live)) + 1000;
        };
        for (int i = 0; i < 500; ++i)
            step(tlb, random.below(100));
        Tlb copy = tlb;
        std::vector<PageNumber> pages;
        std::vector<std::int32_t> slots;
        for (int i = 0; i < 500; ++i) {
            pages.push_back(random.below(100));
            slots.push_back(step(tlb, pages.back()));
        }
        for (std::size_t i = 0; i < pages.size(); ++i)
            ASSERT_EQ(step(copy, pages[i]), slots[i]);
    }
}

} // namespace
