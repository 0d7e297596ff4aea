// Where physical pages lie decides what a physically indexed cache can hold: 512 KiB of 8 ways have 16
// page colours, and a colour holds eight pages.
#include "engine/core/random.h"
#include "engine/hardware/cache_level.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

using namespace tlbscope;

namespace {

constexpr std::uint32_t kColours = 16, kWays = 8;

// Share of page visits that miss in a steady lap over the pages, under true LRU. A few lines stand for
// the page: all of them lie in sets of the same load.
double missing_share(const std::vector<std::uint32_t>& frames) {
    CacheLevel cache(CacheSpec{512 << 10, kWays, 0, 0});
    std::uint32_t missed = 0;
    for (int lap = 0; lap < 3; ++lap) {
        missed = 0;
        for (const std::uint32_t frame : frames) {
            std::uint32_t lines = 0;
            for (const LineNumber line : {0u, 21u, 42u, 63u})
                lines += !cache.access(frame * 64 + line, 0);
            EXPECT_TRUE(lap == 0 || lines == 0 || lines == 4) << "lines of a page fared differently";
            missed += lines != 0;
        }
    }
    return static_cast<double>(missed) / static_cast<double>(frames.size());
}

// P(Bin(n, p) >= at_least)
double binomial_tail(std::uint32_t n, double p, std::uint32_t at_least) {
    double below = 0, term = std::pow(1 - p, n);
    for (std::uint32_t k = 0; k < at_least; ++k) {
        below += term;
        term *= (n - k) * p / ((k + 1) * (1 - p));
    }
    return 1 - below;
}

// Different pages of a gigabyte.
std::vector<std::uint32_t> random_frames(std::uint32_t pages, Random& random) {
    std::set<std::uint32_t> used;
    std::vector<std::uint32_t> frames;
    while (frames.size() < pages) {
        const auto frame = static_cast<std::uint32_t>(random.below(1 << 18));
        if (used.insert(frame).second) frames.push_back(frame);
    }
    return frames;
}

TEST(PageColours, RandomPlacementMissesAsTheBinomialLawSays) {
    constexpr int kSeeds = 400;
    double least = 1, most = 0;
    for (const std::uint32_t kib : {256u, 300u, 343u, 400u, 448u, 512u, 571u, 640u, 700u, 800u}) {
        const std::uint32_t pages = (kib + 3) / 4;
        double sum = 0;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            Random random(static_cast<std::uint64_t>(seed));
            sum += missing_share(random_frames(pages, random));
        }
        const double law = binomial_tail(pages - 1, 1.0 / kColours, kWays);
        EXPECT_NEAR(sum / kSeeds, law, 0.02) << kib << " KiB";
        least = std::min(least, law);
        most = std::max(most, law);
    }
    EXPECT_LT(least, 0.05);
    EXPECT_GT(most, 0.9);
}

TEST(PageColours, ContiguousPagesMissOnlyBeyondTheCache) {
    for (std::uint32_t pages = 1; pages <= 200; ++pages) {
        std::vector<std::uint32_t> frames;
        for (std::uint32_t i = 0; i < pages; ++i)
            frames.push_back(12345 + i);
        // Every page more takes one colour over its eight; all nine of it miss, then.
        const std::uint32_t over = pages <= 128 ? 0 : std::min(pages - 128, kColours);
        const std::uint32_t missing = pages <= 144 ? over * (kWays + 1) : pages;
        EXPECT_DOUBLE_EQ(missing_share(frames), static_cast<double>(missing) / pages) << pages << " pages";
    }
}

} // namespace
