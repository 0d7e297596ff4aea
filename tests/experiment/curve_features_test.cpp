// Knee, window and crossing of curves whose own are known.
#include "engine/core/random.h"
#include "engine/experiment/curve_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace tlbscope;

namespace {

std::vector<CurvePoint> curve(const std::function<double(double bytes)>& height, double noise = 0,
                              std::uint64_t seed = 1, int count = 40) {
    Random random(seed);
    std::vector<CurvePoint> points;
    for (const int n : log_points(100e3, 2e6, count)) {
        CurvePoint point;
        point.subintervals = n;
        point.working_set = 84.0 * n;
        point.seeds = 1;
        const double r = static_cast<double>(random.below(20001)) / 10000 - 1;
        point.median = height(point.working_set) * (1 + noise * r);
        points.push_back(point);
    }
    return points;
}

// 1 before `low`, `after` behind `high`, a straight line over the logarithm between.
std::function<double(double)> ramp(double low, double high, double after) {
    return [=](double x) {
        const double share = std::clamp(std::log(x / low) / std::log(high / low), 0.0, 1.0);
        return std::lerp(1.0, after, share);
    };
}

std::function<double(double)> dip(double low, double deepest, double high, double depth) {
    return [=](double x) {
        if (x <= low || x >= high) return 1.0;
        const double share = x < deepest ? std::log(x / low) / std::log(deepest / low)
                                         : std::log(high / x) / std::log(high / deepest);
        return 1 - depth * share;
    };
}

} // namespace

TEST(Knee, IsHalfTheWayDownTheRampWhereverThatIs) {
    for (const double low : {150e3, 300e3, 500e3, 900e3})
        for (const double width : {1.1, 1.5, 2.0})
            for (const double after : {0.3, 0.65, 0.9}) {
                const auto knee = find_knee(curve(ramp(low, low * width, after)));
                ASSERT_TRUE(knee) << low << " " << width << " " << after;
                EXPECT_NEAR(std::log(knee->working_set), std::log(low * std::sqrt(width)), 0.08);
                EXPECT_NEAR(knee->before, 1, 0.01);
                EXPECT_NEAR(knee->after, after, 0.01);
            }
}

TEST(Knee, IsFoundInNoiseOfSomePerCent) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto knee = find_knee(curve(ramp(400e3, 600e3, 0.7), 0.04, seed));
        ASSERT_TRUE(knee) << seed;
        EXPECT_NEAR(std::log(knee->working_set), std::log(std::sqrt(400e3 * 600e3)), 0.12) << seed;
        EXPECT_NEAR(knee->after, 0.7, 0.03);
    }
}

TEST(Knee, IsNoneInAPlateauANoiseASmallStepOrARise) {
    EXPECT_FALSE(find_knee(curve([](double) { return 1.0; })));
    EXPECT_FALSE(find_knee(curve(ramp(300e3, 400e3, 0.96))));
    EXPECT_FALSE(find_knee(curve(ramp(300e3, 400e3, 1.5))));
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
        found += find_knee(curve([](double) { return 1.0; }, 0.04, seed)).has_value();
    EXPECT_LE(found, 3);
    EXPECT_FALSE(find_knee({}));
    auto few = curve(ramp(300e3, 400e3, 0.5));
    few.resize(3);
    EXPECT_FALSE(find_knee(few));
}

TEST(Knee, DoesNotDependOnTheOrderOrOnPointsThatAreNotThereYet) {
    auto points = curve(ramp(300e3, 500e3, 0.6));
    const auto knee = find_knee(points);
    std::reverse(points.begin(), points.end());
    CurvePoint missing;
    missing.working_set = 1e6;
    points.push_back(missing);
    ASSERT_TRUE(find_knee(points));
    EXPECT_EQ(find_knee(points)->working_set, knee->working_set);
}

TEST(CurveWindow, IsWhereTheLossIsMoreThanTheShare) {
    const auto a = curve([](double) { return 1.0; });
    const auto b = curve(dip(250e3, 500e3, 700e3, 0.17));
    const auto window = find_window(a, b, 0.05);
    ASSERT_TRUE(window);
    EXPECT_NEAR(window->worst, 500e3, 25e3);
    EXPECT_NEAR(window->loss, 0.17, 0.02);
    EXPECT_NEAR(std::log(window->first), std::log(250e3 * std::pow(2, 0.05 / 0.17)), 0.05);
    EXPECT_NEAR(std::log(window->last), std::log(700e3 * std::pow(500.0 / 700, 0.05 / 0.17)), 0.05);
    EXPECT_FALSE(find_window(a, a));
    EXPECT_FALSE(find_window(b, a, 0.02)); // b is nowhere slower than itself with less
    EXPECT_FALSE(find_window({}, b));
    EXPECT_FALSE(find_window(a, {}));
}

TEST(CurveWindow, ReachesTheEndsWhereTheLossDoes) {
    const auto a = curve([](double) { return 1.0; });
    const auto b = curve([](double) { return 0.9; });
    const auto window = find_window(a, b);
    ASSERT_TRUE(window);
    EXPECT_NEAR(window->first, a.front().working_set, 1);
    EXPECT_NEAR(window->last, a.back().working_set, 1);
}

TEST(CurveWindow, AndCrossingHoldWhenThePointsAreOthersAndNoisy) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto a = curve(ramp(450e3, 600e3, 0.7), 0.004, seed, 61);
        auto height = [](double x) { return ramp(450e3, 600e3, 0.7)(x) * dip(250e3, 500e3, 700e3, 0.17)(x); };
        const auto b = curve(height, 0.004, seed + 100, 40);
        const auto window = find_window(a, b, 0.05);
        ASSERT_TRUE(window);
        EXPECT_NEAR(window->first, 307e3, 25e3);
        EXPECT_NEAR(window->last, 635e3, 30e3);
        const auto crossing = find_crossing(a, b, 0.015);
        ASSERT_TRUE(crossing);
        EXPECT_NEAR(*crossing, 266e3, 25e3);
    }
}

TEST(CurveCrossing, IsWhereBFallsBehindOnTheWayToItsLargestLoss) {
    const auto a = curve([](double) { return 1.0; });
    // Faster by 2 % below 200k, then slower and slower, and a small dip besides further up.
    const auto b = curve([](double x) {
        if (x > 1.2e6) return dip(1.2e6, 1.4e6, 1.6e6, 0.02)(x);
        return x < 700e3 ? 1.0 - 0.1 * std::log(x / 200e3) / std::log(2) : 1.0;
    });
    const auto crossing = find_crossing(a, b, 0);
    ASSERT_TRUE(crossing);
    EXPECT_NEAR(*crossing, 200e3, 10e3);
    EXPECT_FALSE(find_crossing(a, curve([](double) { return 0.9; })));
    EXPECT_FALSE(find_crossing(a, a));
}

TEST(CurveLoss, IsTakenSeedBySeed) {
    CurvePoint a, b;
    a.working_set = b.working_set = 5e5;
    for (const double luck : {0.9, 1.1, 1.0, 0.0, 0.8, 1.2}) { // the fourth has not finished
        a.by_seed.push_back(10 * luck);
        b.by_seed.push_back(9.7 * luck);
    }
    b.by_seed.push_back(4); // a has not come so far
    b.by_seed[1] = 0;
    a.seeds = b.seeds = 5;
    a.median = 10;
    b.median = 9.2; // of other seeds than a's
    const auto loss = find_loss(a, b);
    ASSERT_TRUE(loss);
    EXPECT_EQ(loss->seeds, 4);
    EXPECT_NEAR(loss->median, 0.03, 1e-12);
    EXPECT_NEAR(loss->low, 0.03, 1e-12);
    EXPECT_NEAR(loss->high, 0.03, 1e-12);
    b.by_seed = {0, 9.7, 0};
    a.by_seed = {10, 0, 0};
    EXPECT_FALSE(find_loss(a, b));
    a.by_seed = b.by_seed = {};
    EXPECT_NEAR(find_loss(a, b)->median, 0.08, 1e-12);
}

TEST(CurveLoss, LiesBetweenThoseOfTheSizesAround) {
    std::vector<CurvePoint> a(3), b(4);
    const double sizes[] = {1e5, 2e5, 8e5}, losses[] = {0.0, 0.1, 0.3};
    for (std::size_t i = 0; i < 3; ++i) {
        a[i].working_set = b[i].working_set = sizes[i];
        a[i].by_seed = {10, 5};
        b[i].by_seed = {10 * (1 - losses[i]), 5 * (1 - losses[i])};
    }
    b[3].working_set = 4e5; // a has no such size
    b[3].by_seed = {1, 1};
    EXPECT_NEAR(find_loss(a, b, 2e5)->median, 0.1, 1e-12);
    EXPECT_NEAR(find_loss(a, b, 4e5)->median, 0.2, 1e-12); // half the way on the logarithmic axis
    EXPECT_EQ(find_loss(a, b, 4e5)->seeds, 2);
    EXPECT_FALSE(find_loss(a, b, 9e5));
    EXPECT_FALSE(find_loss(a, b, 9e4));
    EXPECT_FALSE(find_loss({}, b, 2e5));
}
