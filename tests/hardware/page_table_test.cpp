#include "engine/hardware/page_table.h"

#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace tlbscope;

namespace {

struct Expected {
    bool huge = false;
    Pte pte = 0;
    std::uint32_t version = 0, flushed = 0;
};

// 2 MiB areas of which every third holds huge pages, at both ends of the address space.
PageNumber some_page(Random& random, bool& huge) {
    const PageNumber area = random.below(30);
    huge = area % 3 == 2;
    const PageNumber base[] = {0, 0x40000, 0x7fffe0000, 0xfffffc000};
    return base[area % 4] + area * 512 + random.below(512);
}

TEST(PageTable, HoldsWhatAMapHolds) {
    PageTable table(1);
    std::map<PageNumber, Expected> expected; // huge: by first page
    std::uint32_t frames = 2, changes = 0;
    Random random(11);
    const auto key = [](PageNumber page, bool huge) { return huge ? page & ~PageNumber{511} : page; };
    for (int step = 0; step < 40000; ++step) {
        bool huge = false;
        const PageNumber page = some_page(random, huge);
        const auto new_frame = [&] { return frames++; };
        switch (random.below(6)) {
        case 0:
        case 1: {
            const Pte pte = make_pte(static_cast<std::uint32_t>(random.below(1 << 20)) << (huge ? 9 : 0),
                                     kPtePresent | (random.below(2) ? kPteWrite : 0));
            if (huge)
                table.set_huge(page & ~PageNumber{511}, pte, new_frame);
            else
                table.set(page, pte, new_frame);
            Expected& e = expected[key(page, huge)];
            e.huge = huge;
            e.pte = pte | (huge ? kPteHuge : 0);
            e.version = ++changes;
            break;
        }
        case 2: {
            Expected& e = expected[key(page, huge)];
            ASSERT_EQ(table.clear(page), e.pte);
            if (e.pte) {
                e.pte = 0;
                e.version = ++changes;
            }
            break;
        }
        case 3: {
            const std::uint64_t pages = random.below(1200);
            table.mark_flushed(page, pages);
            for (auto& [at, e] : expected) {
                const PageNumber last = e.huge ? at + 511 : at;
                if (pages && last >= page && at < page + pages) e.flushed = e.version;
            }
            break;
        }
        default: {
            const auto at = expected.find(key(page, huge));
            const Expected e = at == expected.end() ? Expected{} : at->second;
            const PageTable::Leaf leaf = table.leaf(page);
            ASSERT_EQ(leaf.pte, e.pte) << "page " << page;
            ASSERT_EQ(table.walk(page).leaf.pte, e.pte);
            if (e.pte) {
                ASSERT_EQ(leaf.huge, huge);
            }
            ASSERT_EQ(leaf.version, e.version);
            ASSERT_EQ(leaf.flushed, e.flushed);
            ASSERT_EQ(table.walk(page).leaf.version, e.version);
        }
        }
        ASSERT_EQ(table.change_count(), changes);
    }
}

// Every address lies in the table the entry above points to, at eight times the index of that level.
TEST(PageTable, WalksThroughTheTablesItMade) {
    PageTable table(100);
    std::set<std::uint64_t> frames{100};
    Random random(5);
    std::uint32_t next = 200;
    std::map<PageNumber, std::array<std::uint64_t, 4>> table_of; // by level and prefix
    for (int step = 0; step < 2000; ++step) {
        bool huge = false;
        const PageNumber page = some_page(random, huge);
        const auto new_frame = [&] {
            frames.insert(next);
            return next++;
        };
        if (huge)
            table.set_huge(page & ~PageNumber{511}, make_pte(512, kPtePresent), new_frame);
        else
            table.set(page, make_pte(1, kPtePresent), new_frame);
        const PageTable::Walk walk = table.walk(page);
        ASSERT_EQ(walk.levels, huge ? 3 : 4);
        ASSERT_EQ(walk.entry_address[0] >> 12, 100u);
        std::set<std::uint64_t> on_the_way;
        for (int i = 0; i < walk.levels; ++i) {
            const std::uint64_t address = walk.entry_address[static_cast<std::size_t>(i)];
            ASSERT_EQ(address % 4096, ((page >> (9 * (3 - i))) & 511) * 8) << "level " << 4 - i;
            ASSERT_TRUE(frames.count(address >> 12));
            ASSERT_TRUE(on_the_way.insert(address >> 12).second);
            // Two pages share the table of a level exactly when they agree above it.
            auto& known = table_of[(page >> (9 * (4 - i))) * 4 + static_cast<PageNumber>(i)];
            if (known[0]) {
                ASSERT_EQ(known[0], address >> 12);
            }
            known[0] = address >> 12;
        }
        if (!huge) {
            const PageTable::LastStep last = table.last_step(walk.table, page);
            ASSERT_EQ(last.entry_address, walk.entry_address[3]);
            ASSERT_EQ(last.pte, walk.leaf.pte);
        }
    }
    std::set<std::uint64_t> distinct;
    for (const auto& [where, frame] : table_of)
        ASSERT_TRUE(distinct.insert(frame[0]).second) << "two tables in one frame";
}

// A 2 MiB page gives way to 4 KiB pages: whoever still holds it holds something stale.
TEST(PageTable, PagesBelowAFormerHugePageKeepItsHistory) {
    PageTable table(1);
    std::uint32_t next = 2;
    const auto new_frame = [&] { return next++; };
    table.set_huge(512, make_pte(512, kPtePresent), new_frame);
    const std::uint32_t loaded = table.change_count();
    EXPECT_NE(table.clear(700), 0u);
    EXPECT_GT(table.leaf(700).version, loaded);
    EXPECT_LE(table.leaf(700).flushed, loaded);
    table.mark_flushed(512, 512);
    EXPECT_GT(table.leaf(700).flushed, loaded);
    table.set(600, make_pte(9, kPtePresent), new_frame);
    EXPECT_EQ(table.leaf(700).pte, 0u);
    EXPECT_GT(table.leaf(700).version, loaded);
    EXPECT_GT(table.leaf(700).flushed, loaded);
    EXPECT_GT(table.leaf(600).version, table.leaf(700).version);
}

TEST(PageTable, AWalkEndsWhereNothingIsMapped) {
    PageTable table(1);
    EXPECT_EQ(table.walk(12345).levels, 1);
    EXPECT_EQ(table.walk(12345).leaf.pte, 0u);
    EXPECT_EQ(table.clear(12345), 0u);
    std::uint32_t next = 2;
    table.set(12345, make_pte(7, kPtePresent), [&] { return next++; });
    EXPECT_EQ(next, 5u);
    EXPECT_EQ(table.walk(12346).levels, 4);
    EXPECT_EQ(table.walk(12345 + 512).levels, 3);
    EXPECT_EQ(table.walk(12345 + 512 * 512).levels, 2);
    EXPECT_EQ(table.walk(PageNumber{1} << 35).levels, 1);
}

} // namespace

// What changes while a flush is under way is not covered by it.
TEST(PageTable, AFlushCoversOnlyWhatChangedBeforeItBegan) {
    std::uint32_t next = 100;
    PageTable table(1);
    const auto frame = [&next] { return next++; };
    for (PageNumber page : {5, 6})
        table.set(page, make_pte(7, kPtePresent | kPteWrite), frame);
    table.clear(5);
    const std::uint32_t begun = table.change_count();
    table.clear(6);
    table.mark_flushed(0, 512, begun);
    EXPECT_EQ(table.leaf(5).flushed, table.leaf(5).version);
    EXPECT_LT(table.leaf(6).flushed, table.leaf(6).version);
    table.mark_flushed(0, 512, table.change_count());
    EXPECT_EQ(table.leaf(6).flushed, table.leaf(6).version);
}
