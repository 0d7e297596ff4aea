// What a walk loads without long mode: two levels of 4-byte entries, or PAE's of 8 bytes.
#include "engine/core/random.h"
#include "engine/hardware/page_table.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

using namespace tlbscope;

namespace {

std::vector<std::uint64_t> loads(const PageTable::Walk& walk) {
    return {walk.entry_address.begin(), walk.entry_address.begin() + walk.levels};
}

using Addresses = std::vector<std::uint64_t>;

// 0xc0101000: directory entry 0x300, table entry 0x101. 0xc0301000 is in the other half of that table.
TEST(PageTable32Bit, TwoLevelsLoadFourByteEntries) {
    PageTable table(0x100, Paging::two_level);
    std::uint32_t next = 0x200;
    const auto new_frame = [&] { return next++; };
    EXPECT_EQ(loads(table.walk(0xc0101)), (Addresses{0x100c00}));
    table.set(0xc0101, make_pte(7, kPtePresent), new_frame);
    EXPECT_EQ(next, 0x201u) << "a page table alone";
    EXPECT_EQ(loads(table.walk(0xc0101)), (Addresses{0x100c00, 0x200404}));
    EXPECT_EQ(loads(table.walk(0xc0102)), (Addresses{0x100c00, 0x200408}));
    table.set(0xc0301, make_pte(8, kPtePresent), new_frame);
    EXPECT_EQ(next, 0x201u) << "the second half is in the same frame";
    EXPECT_EQ(loads(table.walk(0xc0301)), (Addresses{0x100c00, 0x200c04}));
    table.set(0xc0401, make_pte(9, kPtePresent), new_frame);
    EXPECT_EQ(loads(table.walk(0xc0401)), (Addresses{0x100c04, 0x201004}));
    table.set(0xfffff, make_pte(9, kPtePresent), new_frame);
    EXPECT_EQ(loads(table.walk(0xfffff)), (Addresses{0x100ffc, 0x202ffc}));
    table.set(0, make_pte(9, kPtePresent), new_frame);
    EXPECT_EQ(loads(table.walk(0)), (Addresses{0x100000, 0x203000}));
    EXPECT_EQ(loads(table.walk(0x80000)), (Addresses{0x100800})) << "nothing is mapped near";
    const PageTable::Walk walk = table.walk(0xc0301);
    EXPECT_EQ(table.last_step(walk.table, 0xc0301).entry_address, 0x200c04u);
    EXPECT_EQ(table.last_step(walk.table, 0xc0301).pte, make_pte(8, kPtePresent));
}

TEST(PageTable32Bit, TheSecondHalfMayComeFirst) {
    PageTable table(0x100, Paging::two_level);
    std::uint32_t next = 0x200;
    const auto new_frame = [&] { return next++; };
    table.set(0x3ff, make_pte(7, kPtePresent), new_frame);
    table.set(0x000, make_pte(7, kPtePresent), new_frame);
    EXPECT_EQ(next, 0x201u);
    EXPECT_EQ(loads(table.walk(0x3ff)), (Addresses{0x100000, 0x200ffc}));
    EXPECT_EQ(loads(table.walk(0x000)), (Addresses{0x100000, 0x200000}));
}

// 0xc0101000: PDPTE 3, directory entry 0, table entry 0x101; 0xc0301000 has directory entry 1.
TEST(PageTable32Bit, PaeLoadsNoPdpte) {
    PageTable table(0x100, Paging::pae);
    std::uint32_t next = 0x200;
    const auto new_frame = [&] { return next++; };
    EXPECT_EQ(table.walk(0xc0101).levels, 0) << "the register says that nothing is there";
    table.set(0xc0101, make_pte(7, kPtePresent), new_frame);
    EXPECT_EQ(next, 0x202u) << "a page directory and a page table";
    EXPECT_EQ(loads(table.walk(0xc0101)), (Addresses{0x200000, 0x201808}));
    table.set(0xc0301, make_pte(8, kPtePresent), new_frame);
    EXPECT_EQ(loads(table.walk(0xc0301)), (Addresses{0x200008, 0x202808}));
    EXPECT_EQ(loads(table.walk(0xfffff)), (Addresses{0x200ff8}));
    table.set(0x08049, make_pte(8, kPtePresent), new_frame);
    EXPECT_EQ(loads(table.walk(0x08049)), (Addresses{0x203200, 0x204248}));
    const PageTable::Walk walk = table.walk(0xc0301);
    EXPECT_EQ(table.last_step(walk.table, 0xc0301).entry_address, 0x202808u);
}

TEST(PageTable32Bit, LargePagesAreOneLoad) {
    std::uint32_t next = 0x200;
    const auto new_frame = [&] { return next++; };
    PageTable two(0x100, Paging::two_level), pae(0x100, Paging::pae);
    for (PageTable* table : {&two, &pae})
        for (PageNumber half : {0xc0000, 0xc0200})
            table->set_huge(half, make_pte(static_cast<std::uint32_t>(half - 0xc0000), kPtePresent),
                            new_frame);
    EXPECT_EQ(next, 0x201u) << "PAE's page directory";
    EXPECT_EQ(loads(two.walk(0xc01ff)), (Addresses{0x100c00}));
    EXPECT_EQ(loads(two.walk(0xc0200)), (Addresses{0x100c00})) << "4 MiB are one entry";
    EXPECT_EQ(loads(pae.walk(0xc01ff)), (Addresses{0x200000}));
    EXPECT_EQ(loads(pae.walk(0xc0200)), (Addresses{0x200008}));
    for (const PageTable* table : {&two, &pae}) {
        EXPECT_TRUE(table->walk(0xc0200).leaf.huge);
        EXPECT_EQ(frame_of(table->walk(0xc0200).leaf.pte), 0x200u);
    }
}

// The two formats as they are in memory: frames by what they map.
class PlainTables {
public:
    PlainTables(std::uint32_t root, bool pae) : root_(root), pae_(pae) {}

    void map(PageNumber page, bool huge, std::uint32_t& next) {
        if (pae_ && !directory_.count(page >> 18)) directory_[page >> 18] = next++;
        if (!huge && !table_.count(page >> span())) table_[page >> span()] = next++;
        if (huge) huge_[page >> 9] = true;
    }
    Addresses walk(PageNumber page) const {
        Addresses result;
        if (pae_) {
            const auto directory = directory_.find(page >> 18);
            if (directory == directory_.end()) return result;
            result.push_back(directory->second * 4096ull + page / 512 % 512 * 8);
        } else {
            result.push_back(root_ * 4096ull + page / 1024 * 4);
        }
        const auto table = table_.find(page >> span());
        if (huge_.count(page >> 9) || table == table_.end()) return result;
        result.push_back(table->second * 4096ull + (pae_ ? page % 512 * 8 : page % 1024 * 4));
        return result;
    }

private:
    int span() const { return pae_ ? 9 : 10; }
    std::uint32_t root_;
    bool pae_;
    std::map<PageNumber, std::uint32_t> directory_, table_;
    std::map<PageNumber, bool> huge_;
};

// Neighbouring 4 MiB in every part of the address space; every fifth is a large page.
PageNumber some_page(Random& random, bool& huge) {
    const PageNumber bases[] = {0, 0x08000, 0x3fc00, 0xbf800, 0xffc00};
    const PageNumber page = (bases[random.below(5)] + random.below(2048)) & 0xfffff;
    huge = (page >> 10) % 5 == 3;
    return page;
}

TEST(PageTable32Bit, WalksAndHoldsWhatPlainTablesDo) {
    for (const bool pae : {false, true}) {
        PageTable table(0x100, pae ? Paging::pae : Paging::two_level);
        PageTable four(0x100);
        PlainTables plain(0x100, pae);
        std::uint32_t next = 0x200, plain_next = 0x200, unused = 0x9000;
        const auto new_frame = [&] { return next++; };
        const auto other_frame = [&] { return unused++; };
        Random random(pae ? 3 : 4);
        for (int step = 0; step < 20000; ++step) {
            bool huge = false;
            const PageNumber page = some_page(random, huge);
            const auto frame = static_cast<std::uint32_t>(random.below(1 << 20));
            switch (random.below(5)) {
            case 0:
                if (huge) {
                    const PageNumber first = page & ~PageNumber{1023};
                    for (const PageNumber half : {first, first + 512}) {
                        table.set_huge(half, make_pte(frame & ~511u, kPtePresent), new_frame);
                        four.set_huge(half, make_pte(frame & ~511u, kPtePresent), other_frame);
                        plain.map(half, true, plain_next);
                    }
                } else {
                    table.set(page, make_pte(frame, kPtePresent), new_frame);
                    four.set(page, make_pte(frame, kPtePresent), other_frame);
                    plain.map(page, false, plain_next);
                }
                break;
            case 1:
                if (!huge) {
                    ASSERT_EQ(table.clear(page), four.clear(page));
                }
                break;
            case 2: {
                const std::uint64_t pages = random.below(3000);
                table.mark_flushed(page, pages);
                four.mark_flushed(page, pages);
                break;
            }
            default: {
                const PageTable::Walk walk = table.walk(page), same = four.walk(page);
                ASSERT_EQ(loads(walk), plain.walk(page)) << std::hex << page << (pae ? " pae" : "");
                ASSERT_EQ(walk.leaf.pte, same.leaf.pte);
                ASSERT_EQ(walk.leaf.huge, same.leaf.huge);
                ASSERT_EQ(walk.leaf.version, same.leaf.version);
                ASSERT_EQ(walk.leaf.flushed, same.leaf.flushed);
                if (walk.leaf.version && !walk.leaf.huge) { // not the half that was never made
                    const PageTable::LastStep last = table.last_step(walk.table, page);
                    ASSERT_EQ(last.entry_address, walk.entry_address[1]);
                    ASSERT_EQ(last.pte, walk.leaf.pte);
                }
            }
            }
            ASSERT_EQ(next, plain_next) << "frames asked for, step " << step;
        }
        EXPECT_GT(next, 0x206u);
    }
}

} // namespace
