// The kernel's own entries beside the user's, against sets of pages; and the shortcut for streams.
#include "engine/core/random.h"
#include "engine/hardware/mmu.h"

#include <gtest/gtest.h>

#include <set>

using namespace tlbscope;

namespace {

// Room for everything, so that an entry is missed only when a flush has dropped it.
ProcessorSpec roomy() {
    ProcessorSpec spec;
    spec.dtlb = {64, 64, Replacement::lru, Sharing::shared, true};
    spec.itlb = {64, 64, Replacement::lru, Sharing::shared, false};
    spec.l1d = {4 << 10, 4, 1, 0};
    spec.l2 = {64 << 10, 8, 10, 0};
    spec.costs.memory = 100;
    return spec;
}

struct Halves {
    const char* name;
    KernelEntries kernel;
    TlbContext limit = kDeadContext;
};
std::ostream& operator<<(std::ostream& out, const Halves& halves) {
    return out << halves.name;
}

class KernelHalf : public testing::TestWithParam<Halves> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(, KernelHalf,
                         testing::Values(Halves{"global", {true, true, false}},
                                         Halves{"split", {false, false, false}},
                                         Halves{"global_text", {true, false, false}},
                                         Halves{"pcid", {false, false, true}},
                                         Halves{"pcid_global_text", {true, false, true}},
                                         Halves{"split_wraps", {false, false, false}, kFirstContext + 9},
                                         Halves{"pcid_wraps", {false, false, true}, kFirstContext + 6}),
                         [](const auto& given) { return std::string(given.param.name); });

TEST_P(KernelHalf, FlushesDropWhatTheyShould) {
    const Halves halves = GetParam();
    const bool wraps = halves.limit != kDeadContext;
    const ProcessorSpec spec = roomy();
    const Topology topology{1, 1, 1};
    Mmu mmu(spec, topology, nullptr, 3, halves.limit, halves.kernel);
    CacheHierarchy caches(spec, topology);
    PageTable user(1), kernel(2);
    std::uint32_t frame = 16;
    constexpr PageNumber kUser = 0x7ff000, kText = 0xffff81000, kData = 0x880000000;
    for (PageNumber page = kUser; page < kUser + 12; ++page)
        user.set(page, make_pte(++frame, kPtePresent | kPteWrite), [&] { return ++frame; });
    for (const PageNumber base : {kText, kData})
        for (PageNumber i = 0; i < 4; ++i)
            kernel.set_huge(base + i * 512, make_pte(0x2000, kPtePresent | kPteWrite),
                            [&] { return ++frame; });

    std::set<PageNumber> users, texts, datas; // present
    Random random(11);
    std::uint64_t hits = 0, misses = 0;
    for (int i = 0; i < 30000; ++i) {
        const auto expect = [&](std::set<PageNumber>& present, PageNumber page, AccessOutcome outcome) {
            const bool hit = outcome == AccessOutcome::l1_hit;
            ++(hit ? hits : misses);
            if (wraps)
                EXPECT_TRUE(!hit || present.count(page)) << i; // a wrap may have dropped more
            else
                EXPECT_EQ(hit, present.count(page) != 0) << i;
            present.insert(page);
        };
        switch (random.below(20)) {
        case 0:
            mmu.flush_all(0, 0, i);
            users.clear();
            if (!halves.kernel.pcid && !halves.kernel.global_text) texts.clear();
            if (!halves.kernel.pcid && !halves.kernel.global_data) datas.clear();
            break;
        case 1:
            if (random.below(4)) break;
            mmu.flush_global(0, 0, i);
            users.clear();
            texts.clear();
            datas.clear();
            break;
        case 2: {
            const PageNumber page = kUser + random.below(12);
            mmu.invlpg(0, page, 0, i);
            users.erase(page);
            break;
        }
        case 3:
        case 4:
        case 5: {
            const PageNumber page = kText + random.below(4) * 512;
            expect(texts, page, mmu.access_kernel(0, page, AccessKind::fetch, kernel, caches, i).outcome);
            break;
        }
        case 6:
        case 7:
        case 8: {
            const PageNumber page = kData + random.below(4) * 512;
            expect(datas, page, mmu.access_kernel(0, page, AccessKind::read, kernel, caches, i).outcome);
            break;
        }
        default: {
            const PageNumber page = kUser + random.below(12);
            expect(users, page, mmu.access(0, page, AccessKind::read, user, caches, i).outcome);
        }
        }
    }
    EXPECT_GT(hits, 5000u);
    EXPECT_GT(misses, 3000u);
    const MmuCounters& count = mmu.counters(0);
    EXPECT_EQ(count.l1_hits, hits);
    EXPECT_EQ(count.walks, misses);
    const StallCycles stalls = mmu.stalls(0);
    for (const auto& levels : {stalls.dtlb, stalls.itlb}) {
        EXPECT_GT(levels[0] + levels[1] + levels[3], 0);
        EXPECT_EQ(levels[2], 0) << "there is no L3";
    }
}

// The same translations, state and counters, whatever the hint says.
TEST(AccessStream, IsAccessOnly) {
    ProcessorSpec spec = roomy();
    spec.dtlb.entries = spec.dtlb.ways = 24;
    const Topology topology{1, 1, 1};
    Mmu plain(spec, topology, nullptr, 3), streams(spec, topology, nullptr, 3);
    CacheHierarchy caches[2] = {{spec, topology}, {spec, topology}};
    PageTable table(1);
    std::uint32_t frame = 16;
    const auto map = [&](PageNumber page, Pte flags) {
        table.set(page, make_pte(++frame, kPtePresent | flags), [&] { return ++frame; });
    };
    for (PageNumber page = 0; page < 40; ++page)
        map(page, page % 5 ? kPteWrite : 0);
    Random random(7);
    std::uint32_t hints[4] = {};
    PageNumber at[4] = {0, 10, 20, 30};
    for (int i = 0; i < 60000; ++i) {
        const std::uint64_t stream = random.below(4);
        if (!random.below(6)) at[stream] = random.below(40);
        if (!random.below(4)) hints[stream] = static_cast<std::uint32_t>(random.below(24));
        const AccessKind kind = random.below(3) ? AccessKind::read : AccessKind::write;
        const AccessResult a = plain.access(0, at[stream], kind, table, caches[0], i);
        const AccessResult b = streams.access_stream(0, at[stream], kind, table, caches[1], i, hints[stream]);
        ASSERT_EQ(a.frame, b.frame);
        ASSERT_EQ(a.cycles, b.cycles);
        ASSERT_EQ(a.outcome, b.outcome);
        ASSERT_EQ(a.stale_use, b.stale_use);
        if (!random.below(200)) map(random.below(40), kPteWrite);
        if (!random.below(300)) {
            plain.flush_all(0, 0, i);
            streams.flush_all(0, 0, i);
        }
        if (!random.below(100)) {
            plain.invlpg(0, at[stream], 0, i);
            streams.invlpg(0, at[stream], 0, i);
        }
    }
    EXPECT_EQ(plain.counters(0), streams.counters(0));
    EXPECT_EQ(plain.stalls(0), streams.stalls(0));
}
