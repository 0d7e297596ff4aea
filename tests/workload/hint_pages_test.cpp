// What HINT's pages mean for a TLB of 64 entries: figures of an independent model of the published source.
#include "engine/core/random.h"
#include "engine/hardware/mmu.h"
#include "engine/workload/hint_layout.h"
#include "engine/workload/hint_sequence.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

using namespace tlbscope;

namespace {

// Pages of one lap in the order of the accesses; neighbours are different. As a 32-bit malloc places the
// arrays: mappings of their own from the top down, the rest on a heap.
struct Lap {
    std::vector<PageNumber> pages;
    std::vector<std::size_t> begin; // of each iteration, and the end

    explicit Lap(std::uint32_t n) {
        const HintAllocation allocation = hint_allocation(HintType::float64, n, false);
        PageNumber top = 0xb7fff;
        const PageNumber heap = top -= allocation.heap_pages;
        const auto address = [&](const HintAllocation::Array& array) {
            const PageNumber page = array.mapped ? top -= array.pages : heap;
            return (page << kPageShift) + array.offset;
        };
        HintLayout layout;
        layout.rect = address(allocation.rect);
        layout.errs = address(allocation.errs);
        layout.ixes = address(allocation.ixes);
        const auto sequence = HintSequence::get(HintType::float64, n);
        std::uint32_t last = 0;
        for (std::uint32_t k = 0; k + 1 < n; ++k) {
            begin.push_back(pages.size());
            const HintStep step = sequence->steps()[k];
            for (const HintAccess& access : hint_accesses(layout, step, k, last)) {
                const PageNumber page = access.address >> kPageShift;
                if (pages.size() == begin.back() || pages.back() != page) pages.push_back(page);
            }
            last += step.advance();
        }
        begin.push_back(pages.size());
    }
    std::size_t iterations() const { return begin.size() - 1; }
};

struct Machine {
    ProcessorSpec spec;
    PageTable table;
    CacheHierarchy caches;
    Mmu mmu;

    static ProcessorSpec make_spec() {
        ProcessorSpec spec;
        spec.dtlb = spec.itlb = {64, 64, Replacement::lru, Sharing::shared};
        spec.l1d.bytes = 8 << 10;
        spec.l1d.ways = 4;
        spec.l2.bytes = 512 << 10;
        spec.l2.ways = 8;
        return spec;
    }
    explicit Machine(const Lap& lap)
        : spec(make_spec()), caches(spec, Topology{}), mmu(spec, Topology{}, nullptr, 7) {
        std::uint32_t frame = 0x1000;
        for (const PageNumber page : std::set(lap.pages.begin(), lap.pages.end()))
            table.set(page, make_pte(frame++, kPtePresent | kPteWrite), [&frame] { return frame++; });
    }
    void run(const Lap& lap, std::size_t iteration) {
        for (std::size_t i = lap.begin[iteration]; i < lap.begin[iteration + 1]; ++i)
            mmu.access(0, lap.pages[i], AccessKind::write, table, caches, 0);
    }
    std::uint64_t walks() const { return mmu.counters(0).walks; }
};

std::uint32_t subintervals_at(double axis) {
    return static_cast<std::uint32_t>(axis / static_cast<double>(hint_axis_bytes(HintType::float64, 1)));
}

// Misses an iteration without any flush, once the first laps are over.
double steady_misses(const Lap& lap) {
    Machine machine(lap);
    std::uint64_t before = 0;
    constexpr int laps = 4;
    for (int i = 0; i < 1 + laps; ++i) {
        if (i == 1) before = machine.walks();
        for (std::size_t k = 0; k < lap.iterations(); ++k)
            machine.run(lap, k);
    }
    return static_cast<double>(machine.walks() - before) / static_cast<double>(laps * lap.iterations());
}

// Misses that one full flush adds, over flushes at all phases of a lap.
double flush_misses(const Lap& lap) {
    const double steady = steady_misses(lap);
    Machine machine(lap);
    std::size_t k = 0, done = 0;
    const auto run = [&](std::size_t iterations) {
        for (std::size_t i = 0; i < iterations; ++i, ++done) {
            machine.run(lap, k);
            k = (k + 1) % lap.iterations();
        }
    };
    run(lap.iterations() + 1);
    done = 0;
    const std::uint64_t before = machine.walks();
    Random random(3);
    constexpr int flushes = 250;
    for (int i = 0; i < flushes; ++i) {
        machine.mmu.flush_all(0, 0, 0);
        // About a millisecond at 2.5 GHz and 250 cycles an iteration; never in step with the laps.
        run(9000 + random.below(2000));
    }
    return (static_cast<double>(machine.walks() - before) - steady * static_cast<double>(done)) / flushes;
}

TEST(HintPages, distinct_pages_of_a_stretch_of_iterations) {
    // In the second half of a lap, where the interleaved streams have moved apart.
    const Lap lap(6095);
    const struct {
        std::size_t iterations;
        double pages;
    } published[] = {{16, 9.7}, {64, 13.4}, {256, 21.3}, {1024, 53}};
    for (const auto& [iterations, pages] : published) {
        std::size_t sum = 0, count = 0;
        for (std::size_t k = lap.iterations() / 2; k + iterations <= lap.iterations(); k += 5, ++count)
            sum += std::set(lap.pages.begin() + static_cast<std::ptrdiff_t>(lap.begin[k]),
                            lap.pages.begin() + static_cast<std::ptrdiff_t>(lap.begin[k + iterations]))
                       .size();
        const double mean = static_cast<double>(sum) / static_cast<double>(count);
        RecordProperty("pages_" + std::to_string(iterations), std::to_string(mean));
        EXPECT_NEAR(mean / pages, 1, 0.05) << iterations << " iterations: " << mean;
    }
}

TEST(HintPages, misses_without_a_flush) {
    for (const double axis : {100e3, 150e3, 200e3, 220e3})
        EXPECT_EQ(steady_misses(Lap(subintervals_at(axis))), 0) << axis;
    const struct { double axis, misses; } published[] = {{300e3, 0.020}, {500e3, 0.030}, {700e3, 0.034}};
    for (const auto& [axis, misses] : published) {
        const double got = steady_misses(Lap(subintervals_at(axis)));
        RecordProperty("steady_" + std::to_string(static_cast<int>(axis)), std::to_string(got));
        EXPECT_LE(std::abs(got - misses), std::max(0.002, 0.05 * misses)) << axis << ": " << got;
    }
}

TEST(HintPages, misses_that_a_flush_a_millisecond_adds) {
    const struct { double axis, misses; } published[] = {{200e3, 58}, {300e3, 27}, {500e3, 18}, {700e3, 16}};
    for (const auto& [axis, misses] : published) {
        const double got = flush_misses(Lap(subintervals_at(axis)));
        RecordProperty("flush_" + std::to_string(static_cast<int>(axis)), std::to_string(got));
        EXPECT_NEAR(got / misses, 1, 0.05) << axis << ": " << got;
    }
}

} // namespace
