#include "engine/hardware/mmu.h"

#include "engine/core/random.h"
#include "tests/hardware/reference_mmu.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

using namespace tlbscope;

namespace {

struct Machine {
    std::string name;
    ProcessorSpec spec;
    int siblings;
    std::optional<Sharing> sharing;
    TlbContext context_limit = kDeadContext;
};
std::ostream& operator<<(std::ostream& out, const Machine& m) {
    return out << m.name;
}

constexpr Replacement kLru = Replacement::lru, kPlru = Replacement::plru;

// L1s as small as four entries, so that everything happens often.
ProcessorSpec spec_of(TlbSpec dtlb, TlbSpec huge, TlbSpec itlb, TlbSpec stlb) {
    ProcessorSpec spec;
    spec.dtlb = dtlb;
    spec.dtlb_huge = huge;
    spec.itlb = itlb;
    spec.stlb = stlb;
    spec.psc_pml4 = 2;
    spec.psc_pdpt = 3;
    spec.psc_pd = 4;
    spec.l1d = {4 << 10, 4, 1, 0};
    spec.l2 = {16 << 10, 8, 100, 0};
    spec.costs.memory = 10000;
    spec.costs.stlb_hit = 7;
    return spec;
}

std::vector<Machine> machines() {
    const auto sets = [](std::uint32_t entries, std::uint32_t ways, Replacement r,
                         Sharing sharing = Sharing::shared, bool huge = false) {
        return TlbSpec{entries, ways, r, sharing, huge};
    };
    struct Kind {
        const char* name;
        ProcessorSpec spec;
    };
    std::vector<Kind> kinds = {
        {"lru", spec_of(sets(16, 4, kLru), sets(4, 4, kLru), sets(8, 4, kLru), sets(64, 4, kLru))},
        {"plru_huge_in_stlb", spec_of(sets(16, 4, kPlru), sets(8, 4, kPlru), sets(16, 8, kPlru),
                                      sets(64, 8, kPlru, Sharing::shared, true))},
        {"full", spec_of(sets(32, 32, kLru), sets(24, 24, kLru), sets(20, 20, kLru),
                         sets(96, 12, kLru, Sharing::shared, true))},
        {"no_stlb", spec_of(sets(16, 4, kLru), sets(4, 4, kLru), sets(8, 4, kLru, Sharing::split), {})},
        {"no_stlb_full", spec_of(sets(64, 64, kLru), {}, sets(8, 2, kLru), {})},
        {"fifo_random", spec_of(sets(16, 4, Replacement::fifo), sets(4, 4, Replacement::random),
                                sets(8, 4, Replacement::random), sets(64, 4, Replacement::fifo))},
    };
    kinds[3].spec.psc_pml4 = kinds[3].spec.psc_pd = 0; // no such paging-structure caches
    std::vector<Machine> all;
    for (const Kind& kind : kinds)
        for (const int siblings : {1, 2, 4})
            for (const std::optional<Sharing> sharing :
                 {std::optional<Sharing>{}, std::optional{Sharing::shared}, std::optional{Sharing::split},
                  std::optional{Sharing::private_each}}) {
                if (siblings == 1 && sharing) continue;
                const char* names[] = {"private", "split", "shared"};
                all.push_back({std::string(kind.name) + "_" + std::to_string(siblings) + "_" +
                                   (sharing ? names[static_cast<int>(*sharing)] : "own"),
                               kind.spec, siblings, sharing});
            }
    // Few context numbers: they are used up again and again.
    for (std::size_t i = 0; i < 3; ++i) {
        all.push_back({std::string(kinds[i].name) + "_wrapping", kinds[i].spec, 2, {}, kFirstContext + 5});
        all.push_back({std::string(kinds[i].name) + "_wrapping_split", kinds[i].spec, 4, Sharing::split,
                       kFirstContext + 9});
    }
    return all;
}

class MmuTest : public testing::TestWithParam<Machine> {};

constexpr PageNumber kKernelPages = 0x880000000;

// 2 MiB areas 2 and 5 hold huge pages; the areas lie at both ends of user space.
PageNumber user_page(Random& random) {
    const PageNumber area = random.below(6);
    return (area % 2 ? 0x7ffff0000 : 0x1000) + area * 512 + random.below(random.below(4) ? 8 : 40) +
           (random.below(40) == 0 ? PageNumber{1} << 27 : 0);
}
bool is_huge_area(PageNumber page) {
    const PageNumber area = (page - (page >= 0x7ffff0000 ? 0x7ffff0000 : 0x1000)) / 512 % 8;
    return area == 2 || area == 5;
}

TEST_P(MmuTest, TranslatesAsThePlainModel) {
    const Machine& machine = GetParam();
    const Topology topology{1, 2, machine.siblings};
    const Sharing* sharing = machine.sharing ? &*machine.sharing : nullptr;
    Mmu mmu(machine.spec, topology, sharing, 3, machine.context_limit);
    ReferenceMmu reference(machine.spec, topology, sharing, 3, machine.context_limit);
    CacheHierarchy caches(machine.spec, topology), reference_caches(machine.spec, topology);

    std::uint32_t frames = 1;
    const auto new_frame = [&] { return frames++; };
    std::vector<PageTable> tables = {PageTable(new_frame()), PageTable(new_frame())};
    PageTable kernel_table(new_frame());
    for (PageNumber area = 0; area < 30; ++area)
        kernel_table.set_huge(kKernelPages + area * 512, make_pte(static_cast<std::uint32_t>(area) << 9, 3),
                              new_frame);
    std::vector<std::size_t> loaded(static_cast<std::size_t>(topology.cpus()), 0);
    Random random(machine.name.size() * 7919 + static_cast<std::uint64_t>(machine.siblings));
    std::uint32_t cause = 0, outcomes[4] = {}, refills = 0, stale = 0;

    for (int step = 0; step < 30000; ++step) {
        const auto cpu = static_cast<CpuId>(random.below(static_cast<std::uint64_t>(topology.cpus())));
        PageTable& table = tables[loaded[cpu]];
        const PageNumber page = user_page(random);
        const std::uint64_t what = random.below(1000);
        if (what < 4) {
            mmu.flush_all(cpu, ++cause, step);
            reference.flush_all(cpu, cause);
            if (random.below(3) == 0) loaded[cpu] = random.below(2);
        } else if (what < 40) {
            const PageNumber dropped = random.below(5) ? page : kKernelPages + random.below(30 * 512);
            mmu.invlpg(cpu, dropped, ++cause, step);
            reference.invlpg(cpu, dropped, cause);
        } else if (what < 100) {
            // Changes with and without their flush; hits on what has not been flushed are stale.
            const Pte flags = kPtePresent | (random.below(3) ? kPteWrite : 0);
            if (random.below(3) == 0)
                table.clear(page);
            else if (is_huge_area(page))
                table.set_huge(page & ~PageNumber{511},
                               make_pte(static_cast<std::uint32_t>(random.below(1000)) << 9, flags),
                               new_frame);
            else
                table.set(page, make_pte(static_cast<std::uint32_t>(random.below(1 << 18)), flags),
                          new_frame);
        } else if (what < 110) {
            table.mark_flushed(page, 1 + random.below(20));
        } else {
            const AccessKind kind = static_cast<AccessKind>(random.below(3));
            AccessResult got, wanted;
            if (what < 200) {
                const PageNumber kernel_page = kKernelPages + random.below(30 * 512);
                got = mmu.access_kernel(cpu, kernel_page, kind, kernel_table, caches, step);
                wanted = reference.access_kernel(cpu, kernel_page, kind, kernel_table, reference_caches);
            } else {
                got = mmu.access(cpu, page, kind, table, caches, step);
                wanted = reference.access(cpu, page, kind, table, reference_caches);
                ASSERT_EQ(got.frame, wanted.frame) << "step " << step;
            }
            ASSERT_EQ(static_cast<int>(got.outcome), static_cast<int>(wanted.outcome)) << "step " << step;
            ASSERT_EQ(got.cycles, wanted.cycles) << "step " << step;
            ASSERT_EQ(got.refill_cause, wanted.refill_cause) << "step " << step;
            ASSERT_EQ(got.stale_use, wanted.stale_use) << "step " << step;
            ++outcomes[static_cast<int>(got.outcome)];
            refills += got.refill_cause != 0;
            stale += got.stale_use;
        }
        if (step % 501 == 0 || (what < 4 && step % 3 == 0))
            for (std::uint32_t id = 0; id < reference.arrays.size(); ++id)
                for (std::uint32_t slot = 0; slot < reference.arrays[id].size(); ++slot) {
                    const ReferenceTlb::Entry& e = reference.arrays[id].entry(static_cast<int>(slot));
                    const TlbTag tag = mmu.array(id).tag(slot);
                    const int core = id < reference.arrays.size() / 2 ? 0 : 1;
                    ASSERT_EQ(mmu.live(core).is_live(context_of(tag)), e.valid) << "step " << step;
                    if (e.valid) {
                        ASSERT_EQ(page_of(tag), e.page) << "step " << step;
                    }
                }
    }
    for (int cpu = 0; cpu < topology.cpus(); ++cpu) {
        const MmuCounters& got = mmu.counters(static_cast<CpuId>(cpu));
        const MmuCounters& wanted = reference.counters(static_cast<CpuId>(cpu));
        EXPECT_EQ(got.accesses, got.l1_hits + got.stlb_hits + got.walks + got.faults);
        EXPECT_EQ(got.accesses, wanted.accesses);
        EXPECT_EQ(got.l1_hits, wanted.l1_hits);
        EXPECT_EQ(got.stlb_hits, wanted.stlb_hits);
        EXPECT_EQ(got.walks, wanted.walks);
        EXPECT_EQ(got.faults, wanted.faults);
        EXPECT_EQ(got.stale_uses, wanted.stale_uses);
        EXPECT_EQ(got.refills, wanted.refills);
    }
    // The sequence tried what it was made to try.
    EXPECT_GT(outcomes[0], 1000u);
    if (machine.spec.stlb.entries) {
        EXPECT_GT(outcomes[1], 500u);
    }
    EXPECT_GT(outcomes[2], 1000u);
    EXPECT_GT(outcomes[3], 100u);
    EXPECT_GT(stale, 5u);
    if (machine.spec.dtlb.replacement != Replacement::fifo) {
        EXPECT_GT(refills, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryMachine, MmuTest, testing::ValuesIn(machines()),
                         [](const auto& machine) { return machine.param.name; });

struct OneCpu {
    explicit OneCpu(int siblings = 1)
        : spec(spec_of({64, 4, kLru, Sharing::shared, false}, {4, 4, kLru, Sharing::shared, false},
                       {64, 4, kLru, Sharing::shared, false}, {512, 4, kLru, Sharing::shared, false})),
          topology{1, 1, siblings}, mmu(spec, topology, nullptr, 1), caches(spec, topology) {}
    AccessResult access(PageNumber page, AccessKind kind = AccessKind::read, CpuId cpu = 0) {
        return mmu.access(cpu, page, kind, table, caches, 0);
    }
    void map(PageNumber page, std::uint32_t frame, Pte flags = kPtePresent | kPteWrite) {
        table.set(page, make_pte(frame, flags), [this] { return frames++; });
    }
    std::uint32_t frames = 100;
    PageTable table{99};
    ProcessorSpec spec;
    Topology topology;
    Mmu mmu;
    CacheHierarchy caches;
};

TEST(Mmu, AHitIsAViolationOnlyOnceItsFlushIsReportedComplete) {
    OneCpu m;
    m.map(5, 1000);
    m.access(5);
    EXPECT_FALSE(m.access(5).stale_use);
    m.map(6, 1); // another page's change does not matter
    EXPECT_FALSE(m.access(5).stale_use);
    m.table.clear(5);
    const AccessResult stale = m.access(5); // before its flush: allowed, and the old frame is used
    EXPECT_EQ(stale.outcome, AccessOutcome::l1_hit);
    EXPECT_EQ(stale.frame, 1000u);
    EXPECT_FALSE(stale.stale_use);
    m.table.mark_flushed(5, 1); // reported complete without INVLPG
    EXPECT_TRUE(m.access(5).stale_use);
    EXPECT_TRUE(m.access(5).stale_use);
    EXPECT_EQ(m.mmu.counters(0).stale_uses, 2u);
    m.mmu.invlpg(0, 5, 1, 0);
    EXPECT_EQ(m.access(5).outcome, AccessOutcome::fault);
}

TEST(Mmu, AWriteToAReadOnlyEntryWalksAndThenWrites) {
    OneCpu m;
    m.map(5, 1000, kPtePresent);
    EXPECT_EQ(m.access(5).outcome, AccessOutcome::walk);
    EXPECT_EQ(m.access(5, AccessKind::write).outcome, AccessOutcome::fault);
    EXPECT_EQ(m.access(5).outcome, AccessOutcome::walk); // the fault dropped the entry
    m.map(5, 2000);                                      // the copy of a copy-on-write fault
    EXPECT_EQ(m.access(5).frame, 1000u);                 // reads still see the old page
    const AccessResult write = m.access(5, AccessKind::write);
    EXPECT_EQ(write.outcome, AccessOutcome::walk);
    EXPECT_EQ(write.frame, 2000u);
    EXPECT_EQ(m.access(5, AccessKind::write).outcome, AccessOutcome::l1_hit);
    EXPECT_EQ(m.access(5).frame, 2000u);
}

TEST(Mmu, AFlushTouchesNobodyElse) {
    OneCpu m(2);
    for (PageNumber page = 0; page < 16; ++page)
        m.map(page, static_cast<std::uint32_t>(page));
    for (PageNumber page = 0; page < 16; ++page) {
        m.access(page, AccessKind::read, 0);
        m.access(page, AccessKind::read, 1);
    }
    m.mmu.invlpg(0, 3, 1, 0);
    EXPECT_EQ(m.access(3, AccessKind::read, 1).outcome, AccessOutcome::l1_hit);
    EXPECT_EQ(m.access(3, AccessKind::read, 0).outcome, AccessOutcome::walk);
    m.mmu.flush_all(0, 2, 0);
    for (PageNumber page = 0; page < 16; ++page)
        EXPECT_EQ(m.access(page, AccessKind::read, 1).outcome, AccessOutcome::l1_hit);
    for (PageNumber page = 0; page < 16; ++page) {
        const AccessResult refill = m.access(page, AccessKind::read, 0);
        EXPECT_EQ(refill.outcome, AccessOutcome::walk);
        EXPECT_EQ(refill.refill_cause, 2u);
    }
}

} // namespace
