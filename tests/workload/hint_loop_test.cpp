#include "engine/workload/hint_loop.h"

#include "engine/hardware/processor.h"
#include "engine/kernel/flush_policy.h"
#include "engine/workload/hint_sequence.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

using namespace tlbscope;

namespace {

constexpr TlbSpec kFull{64, 64, Replacement::lru, Sharing::shared};
constexpr TlbSpec kSmall{8, 8, Replacement::lru, Sharing::shared};

struct Machine {
    std::string name;
    HintType type;
    TlbSpec dtlb;
    CacheSpec l1d;
};
std::ostream& operator<<(std::ostream& out, const Machine& m) {
    return out << m.name;
}

CacheSpec cache(std::uint64_t bytes, std::uint32_t ways, Replacement replacement, bool alias) {
    CacheSpec spec;
    spec.bytes = bytes;
    spec.ways = ways;
    spec.latency = 2;
    spec.stream = 0;
    spec.replacement = replacement;
    spec.alias_64k = alias;
    return spec;
}

std::vector<Machine> machines() {
    using enum Replacement;
    std::vector<Machine> result;
    for (const HintType type : {HintType::float64, HintType::int32}) {
        const std::string prefix = type == HintType::float64 ? "double_" : "int_";
        result.push_back({prefix + "pentium4", type, kFull, cache(8 << 10, 4, lru, true)});
        result.push_back({prefix + "no_alias", type, kFull, cache(8 << 10, 4, lru, false)});
        result.push_back({prefix + "few_entries", type, kSmall, cache(8 << 10, 4, plru, true)});
        result.push_back({prefix + "one_set", type, {4, 4, lru, Sharing::shared}, cache(256, 4, lru, false)});
        result.push_back(
            {prefix + "sets", type, {64, 4, plru, Sharing::shared}, cache(32 << 10, 8, plru, false)});
        result.push_back(
            {prefix + "random", type, {16, 4, random, Sharing::shared}, cache(8 << 10, 4, lru, true)});
        result.push_back(
            {prefix + "fifo", type, {16, 2, fifo, Sharing::shared}, cache(2 << 10, 2, lru, true)});
    }
    return result;
}

Kernel make_kernel(const Machine& machine) {
    auto spec = std::make_shared<ProcessorSpec>();
    spec->hz = 2.5e9;
    spec->long_mode = false;
    spec->dtlb = machine.dtlb;
    spec->itlb = kFull;
    spec->l1d = machine.l1d;
    spec->l2 = cache(32 << 10, 8, Replacement::lru, false); // small: everything happens often
    spec->l2.latency = 20;
    spec->costs.memory = 300;
    spec->costs.smt_percent = 100;
    KernelConfig config;
    config.policy = &find_flush_policy("3.6-3.13");
    return Kernel(spec, Topology{}, config, nullptr, 7);
}

HintLayout place(Kernel& kernel, MmId mm, const Machine& machine, std::uint32_t n, std::uint64_t skew) {
    HintLayout layout;
    layout.type = machine.type;
    const auto bytes = [&](std::uint64_t element) {
        return (element * n + skew + kPageBytes) / kPageBytes + 1;
    };
    layout.rect = (kernel.populate(mm, bytes(hint_record_bytes(machine.type))) << kPageShift) + skew;
    layout.errs = (kernel.populate(mm, bytes(2 * hint_element_bytes(machine.type))) << kPageShift) + skew;
    layout.ixes = (kernel.populate(mm, bytes(8)) << kPageShift) + skew;
    return layout;
}

void expect_same(const MmuCounters& a, const MmuCounters& b) {
    EXPECT_EQ(a.accesses, b.accesses);
    EXPECT_EQ(a.l1_hits, b.l1_hits);
    EXPECT_EQ(a.stlb_hits, b.stlb_hits);
    EXPECT_EQ(a.walks, b.walks);
    EXPECT_EQ(a.faults, b.faults);
}

struct Loop : testing::TestWithParam<Machine> {};

// One access after the other, each through TLB and caches.
template <std::size_t N>
void reference(Kernel& kernel, const Mm& mm, const std::array<HintAccess, N>& accesses, Burst& burst) {
    for (const HintAccess& access : accesses)
        touch_line(kernel, 0, mm, access.address >> kPageShift, (access.address >> 6) % 64,
                   access.write ? AccessKind::write : AccessKind::read, burst);
}

TEST_P(Loop, leaves_behind_what_thirty_single_accesses_leave) {
    for (const std::uint64_t skew : {0u, 8u, 16u, 40u}) {
        Kernel quick = make_kernel(GetParam());
        constexpr std::uint32_t n = 5000;
        const MmId mm = quick.create_mm();
        const HintLayout layout = place(quick, mm, GetParam(), n, skew);
        Kernel plain = quick;
        const auto sequence = HintSequence::get(GetParam().type, n);
        HintLoop::Hints hints{};
        Burst a, b;
        HintLoop(quick, 0, quick.mm(mm), layout, hints, a).begin_lap();
        reference(plain, plain.mm(mm), hint_lap_accesses(layout), b);
        std::uint32_t last = 0;
        for (std::uint32_t k = 0; k + 1 < n; ++k) {
            const HintStep step = sequence->steps()[k];
            if (k % 501 == 500) {
                quick.mmu().flush_all(0, 0, 0);
                plain.mmu().flush_all(0, 0, 0);
            }
            ASSERT_TRUE(HintLoop(quick, 0, quick.mm(mm), layout, hints, a).iterate(step, k, last));
            reference(plain, plain.mm(mm), hint_accesses(layout, step, k, last), b);
            last += step.advance();
            ASSERT_EQ(a.data, b.data) << "iteration " << k;
            ASSERT_EQ(a.walk, b.walk) << "iteration " << k;
        }
        EXPECT_EQ(a.cache_miss, b.cache_miss);
        expect_same(quick.mmu().counters(0), plain.mmu().counters(0));
        EXPECT_EQ(quick.mmu().stalls(0), plain.mmu().stalls(0));
        // The order in which entries would be replaced.
        const std::uint32_t id = quick.mmu().arrays_of(0).dtlb;
        const Tlb &quick_tlb = quick.mmu().array(id), &plain_tlb = plain.mmu().array(id);
        for (std::uint32_t slot = 0; slot < quick_tlb.entries(); ++slot) {
            EXPECT_EQ(quick_tlb.tag(slot), plain_tlb.tag(slot));
            EXPECT_EQ(quick_tlb.recency(slot), plain_tlb.recency(slot));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Loop, testing::ValuesIn(machines()),
                         [](const auto& p) { return p.param.name; });

TEST(HintAccesses, are_those_of_the_source) {
    const HintLayout layout{HintType::float64, 0x100000, 0x200000, 0x300000};
    for (const bool right_first : {false, true}) {
        const auto accesses = hint_accesses(layout, HintStep(7, right_first, true), 20, 40);
        int reads[kHintStreams] = {}, writes[kHintStreams] = {};
        for (const HintAccess& access : accesses)
            ++(access.write ? writes : reads)[static_cast<std::size_t>(access.stream)];
        const auto expect = [&](HintStream stream, int r, int w) {
            EXPECT_EQ(reads[static_cast<std::size_t>(stream)], r);
            EXPECT_EQ(writes[static_cast<std::size_t>(stream)], w);
        };
        expect(HintStream::index_read, 1, 0);
        expect(HintStream::parent, 9, 6);
        expect(HintStream::child, 0, 9);
        expect(HintStream::error_queue, 1, 2);
        expect(HintStream::index_queue, 0, 2);
        EXPECT_EQ(accesses[0].address, 0x300000u + 4 * 20);
        EXPECT_EQ(accesses[19].address, 0x200000u + 8 * (right_first ? 42 : 41)); // the left child first
        EXPECT_EQ(accesses[23].address, 0x200000u + 8 * 42);
        EXPECT_EQ(accesses[29].address, 0x100000u + 72 * 21);
    }
}

TEST(HintAllocation, large_arrays_get_mappings_small_ones_follow_one_another) {
    for (const bool long_mode : {false, true}) {
        const std::uint64_t header = long_mode ? 16 : 8;
        const HintAllocation small = hint_allocation(HintType::float64, 1000, long_mode);
        EXPECT_FALSE(small.rect.mapped || small.errs.mapped || small.ixes.mapped);
        EXPECT_EQ(small.rect.offset, header);
        EXPECT_GE(small.errs.offset, 72000u + header);
        EXPECT_LT(small.errs.offset, 72000u + 4 * header);
        EXPECT_GE(small.ixes.offset, small.errs.offset + 16000);
        EXPECT_GE(small.heap_pages * kPageBytes, small.ixes.offset + 8000);

        const HintAllocation middle = hint_allocation(HintType::float64, 6095, long_mode);
        EXPECT_TRUE(middle.rect.mapped);
        EXPECT_FALSE(middle.errs.mapped || middle.ixes.mapped);
        EXPECT_EQ(middle.rect.pages, 108u); // 72 * 6095 = 438,840 bytes
        const HintAllocation large = hint_allocation(HintType::float64, 20000, long_mode);
        EXPECT_TRUE(large.rect.mapped && large.errs.mapped && large.ixes.mapped);
    }
    // The last request below the threshold of 128 KiB.
    EXPECT_FALSE(hint_allocation(HintType::float64, 16382, false).ixes.mapped);
    EXPECT_TRUE(hint_allocation(HintType::float64, 16384, false).ixes.mapped);
}

} // namespace
