#include "engine/kernel/page_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace tlbscope;

namespace {

constexpr PageNumber kPage = 0xb7000; // a virtual page
constexpr std::uint32_t kColours = 16;

PageAllocator make(PagePlacement placement, std::uint64_t seed = 1, bool highmem = false) {
    return PageAllocator(2, placement, seed, kColours, highmem);
}

std::vector<std::uint32_t> take(PageAllocator& pages, std::uint32_t count, PageNumber first = kPage) {
    std::vector<std::uint32_t> frames;
    for (std::uint32_t i = 0; i < count; ++i)
        frames.push_back(pages.alloc(0, first + i));
    return frames;
}

// Of the number of pages in each colour against that of independent throws; 15 degrees of freedom.
double chi_square(const std::vector<std::uint32_t>& frames) {
    double count[kColours] = {};
    for (const std::uint32_t frame : frames)
        ++count[frame % kColours];
    const double expected = static_cast<double>(frames.size()) / kColours;
    double sum = 0;
    for (const double c : count)
        sum += (c - expected) * (c - expected) / expected;
    return sum;
}

struct Placement : testing::TestWithParam<PagePlacementInfo> {};

TEST_P(Placement, hands_out_each_frame_once_until_it_is_freed) {
    for (const bool highmem : {false, true}) {
        PageAllocator pages = make(GetParam().kind, 3, highmem);
        Random random(11);
        std::set<std::uint32_t> used;
        std::vector<std::uint32_t> held;
        for (int i = 0; i < 50000; ++i) {
            const auto cpu = static_cast<CpuId>(random.below(2));
            if (held.empty() || random.below(5) < 3) {
                const std::uint32_t frame =
                    random.below(8) ? pages.alloc(cpu, kPage + random.below(5000)) : pages.alloc(cpu);
                ASSERT_TRUE(used.insert(frame).second) << frame;
                ASSERT_GE(frame, PageAllocator::kFirstFrame);
                ASSERT_LT(frame, PageAllocator::kFrames);
                held.push_back(frame);
            } else {
                std::swap(held[random.below(held.size())], held.back());
                used.erase(held.back());
                pages.free(cpu, held.back());
                held.pop_back();
            }
        }
    }
}

TEST_P(Placement, depends_on_its_seed_alone_and_copies_go_on_alike) {
    PageAllocator a = make(GetParam().kind, 5), b = make(GetParam().kind, 5);
    EXPECT_EQ(take(a, 1000), take(b, 1000));
    for (std::uint32_t frame : take(a, 10))
        a.free(0, frame);
    PageAllocator copy = a;
    EXPECT_EQ(take(a, 1000), take(copy, 1000));
}

TEST_P(Placement, uses_all_memory_and_then_more) {
    PageAllocator pages = make(GetParam().kind);
    constexpr std::uint32_t count = PageAllocator::kFrames + 1000;
    std::vector<std::uint32_t> frames = take(pages, count);
    std::vector<std::uint32_t> sorted = frames;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
    EXPECT_LT(sorted.back(), PageAllocator::kFirstFrame + count + 64);
    for (const std::uint32_t frame : frames)
        pages.free(0, frame);
    frames = take(pages, count);
    EXPECT_LT(*std::max_element(frames.begin(), frames.end()), PageAllocator::kFirstFrame + count + 64)
        << "freed frames are not used again";
}

INSTANTIATE_TEST_SUITE_P(All, Placement,
                         testing::ValuesIn(page_placements().begin(), page_placements().end()),
                         [](const auto& p) { return std::string(p.param.id); });

TEST(PageAllocator, lists_start_in_batches_and_give_the_last_freed_page_first) {
    PageAllocator pages(2);
    const auto frames = take(pages, 62);
    for (std::uint32_t i = 0; i < 62; ++i) // each batch of 31 from its end
        EXPECT_EQ(frames[i], PageAllocator::kFirstFrame + i / 31 * 31 + 30 - i % 31);
    pages.free(0, frames[7]);
    pages.free(0, frames[3]);
    EXPECT_EQ(pages.alloc(1), PageAllocator::kFirstFrame + 92); // another CPU has a list of its own
    EXPECT_EQ(pages.alloc(0), frames[3]);
    EXPECT_EQ(pages.alloc(0), frames[7]);
}

TEST(PageAllocator, contiguous_takes_the_lowest_free_page) {
    PageAllocator pages = make(PagePlacement::contiguous);
    const auto frames = take(pages, 100);
    for (std::uint32_t i = 0; i < 100; ++i)
        EXPECT_EQ(frames[i], PageAllocator::kFirstFrame + i);
    pages.free(0, frames[70]);
    pages.free(0, frames[20]);
    EXPECT_EQ(pages.alloc(0, kPage), frames[20]);
    EXPECT_EQ(pages.alloc(0), frames[70]);
    EXPECT_EQ(pages.alloc(0), PageAllocator::kFirstFrame + 100);
}

TEST(PageAllocator, coloured_pages_have_the_colour_of_their_virtual_page) {
    for (const std::uint32_t colours : {1u, 16u, 32u, 48u}) {
        PageAllocator pages(1, PagePlacement::coloured, 1, colours);
        for (PageNumber page = kPage; page < kPage + 2000; ++page) {
            EXPECT_EQ(pages.alloc(0, page) % colours, page % colours);
            if (page % 37 == 0) pages.free(0, pages.alloc(0)); // a page table has come and gone
        }
    }
}

TEST(PageAllocator, random_colours_are_distributed_as_independent_throws) {
    // Over 200 seeds: the mean of chi-square is 15, its variance 30; 5 % lie above 25.0.
    double sum = 0, squares = 0;
    int above = 0;
    std::set<std::uint32_t> first;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        PageAllocator pages = make(PagePlacement::random, seed);
        const auto frames = take(pages, 160);
        first.insert(frames[0]);
        const double chi = chi_square(frames);
        sum += chi;
        squares += chi * chi;
        above += chi > 25.0;
    }
    const double mean = sum / 200;
    EXPECT_NEAR(mean, 15, 1.2);
    EXPECT_NEAR(squares / 200 - mean * mean, 30, 12);
    EXPECT_NEAR(above, 10, 9);
    EXPECT_GT(first.size(), 190u) << "seeds give the same pages";
}

TEST(PageAllocator, loads_of_the_colours_are_binomial) {
    // How many of 16 colours hold j of 128 pages, over 400 seeds.
    std::map<int, double> seen;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        PageAllocator pages = make(PagePlacement::random, seed);
        int count[kColours] = {};
        for (const std::uint32_t frame : take(pages, 128))
            ++count[frame % kColours];
        for (const int c : count)
            seen[c] += 1.0 / (400 * kColours);
    }
    double p = std::pow(15.0 / 16, 128); // of j = 0
    for (int j = 0; j < 25; ++j) {
        EXPECT_NEAR(seen[j], p, 0.012) << j;
        p *= static_cast<double>(128 - j) / (j + 1) / 15;
    }
}

TEST(PageAllocator, random_pages_stay_random_when_memory_is_nearly_full) {
    PageAllocator pages = make(PagePlacement::random);
    const auto most = take(pages, PageAllocator::kFrames - PageAllocator::kFirstFrame - 4000);
    const auto rest = take(pages, 2000);
    EXPECT_LT(chi_square(rest), 37.7); // 0.1 % lie above
    EXPECT_FALSE(std::is_sorted(rest.begin(), rest.end()));
    const auto high = std::count_if(rest.begin(), rest.end(), [](std::uint32_t f) {
        return f >= (PageAllocator::kFirstFrame + PageAllocator::kFrames) / 2;
    });
    EXPECT_NEAR(static_cast<double>(high), 1000, 100);
}

TEST(PageAllocator, zones_give_user_pages_highmem_first_and_the_kernel_none) {
    PageAllocator pages = make(PagePlacement::zones, 1, true);
    constexpr std::uint32_t high = PageAllocator::kFrames - PageAllocator::kHighmemFrame;
    const auto frames = take(pages, high);
    for (const std::uint32_t frame : frames)
        ASSERT_GE(frame, PageAllocator::kHighmemFrame);
    EXPECT_LT(pages.alloc(0, kPage), PageAllocator::kHighmemFrame) << "highmem is used up";
    EXPECT_LT(pages.alloc(0), PageAllocator::kHighmemFrame);
    pages.free(0, frames[0]);
    EXPECT_EQ(pages.alloc(0, kPage), frames[0]);
}

TEST(PageAllocator, zones_without_highmem_scatter_what_a_small_program_gets) {
    // Neighbours among the first 100 pages: of a zone that boot has left fragmented, and of highmem.
    double scattered = 0, high = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const bool highmem : {false, true}) {
            PageAllocator pages = make(PagePlacement::zones, seed, highmem);
            const auto frames = take(pages, 100);
            for (std::size_t i = 1; i < frames.size(); ++i)
                (highmem ? high : scattered) += frames[i] == frames[i - 1] + 1;
        }
    EXPECT_LT(scattered / 20 / 99, 0.1);
    EXPECT_GT(high / 20 / 99, 0.5);
}

TEST(PageAllocator, reused_pages_are_the_last_freed_first_and_else_random) {
    PageAllocator pages = make(PagePlacement::reuse), random = make(PagePlacement::random);
    const auto frames = take(pages, 50);
    EXPECT_EQ(frames, take(random, 50));
    for (const std::uint32_t frame : frames)
        pages.free(0, frame);
    auto again = take(pages, 50);
    std::reverse(again.begin(), again.end());
    EXPECT_EQ(again, frames);
}

} // namespace
