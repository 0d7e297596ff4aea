#include "engine/core/random.h"
#include "engine/kernel/mm.h"

#include <gtest/gtest.h>

#include <map>

using namespace tlbscope;

namespace {

// Sorted, not overlapping, no empty area, and total_vm is their sum.
void expect_sound(const Mm& mm) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < mm.vmas.size(); ++i) {
        EXPECT_LT(mm.vmas[i].start, mm.vmas[i].end);
        if (i > 0) {
            EXPECT_LE(mm.vmas[i - 1].end, mm.vmas[i].start);
        }
        sum += mm.vmas[i].end - mm.vmas[i].start;
    }
    EXPECT_EQ(sum, mm.total_vm);
}

} // namespace

TEST(Mm, MapsTopDownAndReusesTheHighestHoleThatFits) {
    Mm mm;
    const PageNumber a = mm.mmap(10);
    const PageNumber b = mm.mmap(20);
    const PageNumber c = mm.mmap(5);
    EXPECT_EQ(a, kMmapTop - 10);
    EXPECT_EQ(b, a - 20);
    EXPECT_EQ(c, b - 5);
    EXPECT_EQ(mm.vmas.size(), 1u) << "neighbours alike are one area";
    mm.total_vm -= mm.munmap(b, 20);
    EXPECT_EQ(mm.vmas.size(), 2u);
    EXPECT_EQ(mm.mmap(21), c - 21) << "does not fit into the hole";
    EXPECT_EQ(mm.mmap(20), b);
    expect_sound(mm);
}

TEST(Mm, BehavesLikeAMapOfPages) {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        Mm mm;
        std::map<PageNumber, bool> pages; // page -> writable
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t length = 1 + random.below(12);
            const PageNumber start = kMmapTop - 300 + random.below(288);
            switch (random.below(3)) {
            case 0: {
                const PageNumber at = mm.mmap(length);
                for (PageNumber p = at; p < at + length; ++p)
                    EXPECT_TRUE(pages.emplace(p, true).second);
                break;
            }
            case 1: {
                std::uint64_t mapped = 0;
                for (PageNumber p = start; p < start + length; ++p)
                    mapped += pages.erase(p);
                const std::uint64_t unmapped = mm.munmap(start, length);
                EXPECT_EQ(unmapped, mapped);
                mm.total_vm -= unmapped;
                break;
            }
            default: {
                const bool writable = random.below(2) == 0;
                mm.mprotect(start, length, writable);
                for (PageNumber p = start; p < start + length; ++p)
                    if (const auto found = pages.find(p); found != pages.end()) found->second = writable;
            }
            }
            expect_sound(mm);
            EXPECT_EQ(mm.total_vm, pages.size());
            for (PageNumber p = kMmapTop - 300; p < kMmapTop; ++p) {
                const Vma* vma = mm.find_vma(p);
                const auto found = pages.find(p);
                ASSERT_EQ(vma != nullptr, found != pages.end()) << p;
                if (vma) {
                    ASSERT_EQ(vma->writable, found->second) << p;
                }
            }
        }
    }
}

TEST(CpuMask, HoldsEveryCpuUpToItsLimit) {
    CpuMask mask;
    for (int cpu = 0; cpu < CpuMask::kMaxCpus; cpu += 3)
        mask.set(static_cast<CpuId>(cpu));
    int expected = 0;
    mask.for_each([&](CpuId cpu) {
        EXPECT_EQ(cpu, expected);
        expected += 3;
    });
    EXPECT_EQ(mask.weight(), 342);
    mask.clear(3);
    EXPECT_FALSE(mask.test(3));
    EXPECT_TRUE(mask.test(6));
}
