#include "engine/workload/hint_sequence.h"

#include "engine/core/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

using namespace tlbscope;

namespace {

constexpr HintType kTypes[] = {HintType::float64, HintType::int32};

// p(k) = k / 2 where k is even, else p((k - 1) / 2): OEIS A025480.
std::uint32_t closed_form(std::uint32_t k) {
    while (k & 1)
        k /= 2;
    return k / 2;
}

TEST(HintSequence, double_parents_follow_the_closed_form_until_the_grid_reorders_them) {
    const auto sequence = HintSequence::get(HintType::float64, 22000);
    std::uint32_t k = 0;
    while (sequence->steps()[k].parent() == closed_form(k))
        ++k;
    EXPECT_EQ(k, 21913u);
}

// The definition, evaluated in floating point and from each interval's ends alone: the function lies
// between `low` and `high` there, and between them a column of the grid is uncertain by what both leave
// open, less what a monotone curve cannot reach.
struct Ends {
    double left = 0, width = 0;
};
double error_of(const Ends& ends, double grid_width, double grid_height) {
    const auto value = [&](double x) { return grid_height * (grid_width - x) / (grid_width + x); };
    const double l = value(ends.left), r = value(ends.left + ends.width);
    const double open = std::ceil(l) - std::ceil(r) + std::floor(l) - std::floor(r);
    return open * (ends.width - 1) - std::max(0.0, (std::floor(l) - std::ceil(r)) * (ends.width - 2));
}

TEST(HintSequence, steps_follow_the_errors_of_the_definition) {
    for (const HintType type : kTypes) {
        const double width = type == HintType::float64 ? 67108864 : 32768;
        const auto sequence = HintSequence::get(type, 30000);
        std::vector<Ends> intervals{{0, width}};
        for (std::uint32_t k = 0; k < 29999; ++k) {
            const HintStep step = sequence->steps()[k];
            Ends& left = intervals[step.parent()];
            ASSERT_GE(left.width, 2) << k;
            left.width /= 2;
            const Ends right{left.left + left.width, left.width};
            const double a = error_of(left, width, 2 * width), b = error_of(right, width, 2 * width);
            ASSERT_EQ(step.right_first(), a < b) << k;
            ASSERT_EQ(step.advance(), std::min(a, b) != 0 ? 2u : 1u) << k;
            intervals.push_back(right);
        }
        double gap = 0;
        for (const Ends& ends : intervals) {
            const auto value = [&](double x) { return 2 * width * (width - x) / (width + x); };
            gap += (std::ceil(value(ends.left)) - std::floor(value(ends.left + ends.width))) * ends.width;
        }
        EXPECT_EQ(static_cast<double>(sequence->gap(30000)), gap);
    }
}

TEST(HintSequence, double_queue_grows_by_two_each_step) {
    const auto sequence = HintSequence::get(HintType::float64, 200000);
    for (std::uint32_t k = 0; k < 199999; ++k)
        ASSERT_EQ(sequence->steps()[k].advance(), 2u) << k;
}

TEST(HintSequence, a_step_never_halves_an_interval_that_is_still_to_be_made) {
    for (const HintType type : kTypes) {
        const auto sequence = HintSequence::get(type, 30000);
        std::uint64_t end = 0; // of the queue
        for (std::uint32_t k = 0; k + 1 < sequence->subintervals(); ++k) {
            ASSERT_LE(sequence->steps()[k].parent(), k);
            ASSERT_LE(k, end) << "the queue is empty";
            end += sequence->steps()[k].advance();
        }
    }
}

TEST(HintSequence, every_interval_of_the_queue_is_halved_in_its_turn) {
    for (const HintType type : kTypes) {
        const auto sequence = HintSequence::get(type, 30000);
        std::vector<std::uint32_t> queue{0};
        for (std::uint32_t k = 0; k + 1 < sequence->subintervals(); ++k) {
            const HintStep step = sequence->steps()[k];
            ASSERT_EQ(step.parent(), queue[k]) << k;
            const std::uint32_t first = step.right_first() ? k + 1 : step.parent();
            queue.push_back(first);
            if (step.advance() == 2) queue.push_back(step.parent() + k + 1 - first);
        }
    }
}

TEST(HintSequence, the_answer_lies_between_bounds_that_close_in) {
    const double answer = 2 * std::log(2.0) - 1;
    for (const HintType type : kTypes) {
        HintIntegrator integrator(type);
        const auto grid = static_cast<double>(integrator.grid());
        std::int64_t gap = integrator.upper() - integrator.lower();
        for (std::uint32_t n = 2; n <= 30000; ++n) {
            integrator.step();
            ASSERT_LE(static_cast<double>(integrator.lower()) / grid, answer) << n;
            ASSERT_GE(static_cast<double>(integrator.upper()) / grid, answer) << n;
            ASSERT_LT(integrator.upper() - integrator.lower(), gap) << n;
            gap = integrator.upper() - integrator.lower();
        }
    }
}

TEST(HintSequence, quality_grows_with_the_work_in_double_precision) {
    const auto sequence = HintSequence::get(HintType::float64, 20000);
    for (const std::uint32_t n : {100u, 1000u, 6095u, 20000u})
        EXPECT_NEAR(sequence->quality(n) / n, 1, 0.02) << n; // linear, as HINT's authors say
}

TEST(HintSequence, a_longer_table_begins_with_the_shorter_one) {
    for (const HintType type : kTypes) {
        const HintSequence little(type, 100), much(type, 5000);
        for (std::uint32_t k = 0; k < 99; ++k) {
            EXPECT_EQ(little.steps()[k], much.steps()[k]);
            EXPECT_EQ(little.gap(k + 2), much.gap(k + 2));
        }
    }
}

TEST(HintSequence, threads_may_ask_at_the_same_time) {
    std::vector<std::thread> threads;
    std::vector<std::uint32_t> got(4);
    for (std::uint32_t i = 0; i < 4; ++i)
        threads.emplace_back([&got, i] {
            for (std::uint32_t n = 1000; n < 300000; n *= 4)
                got[i] = HintSequence::get(HintType::float64, n + i)->subintervals();
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::uint32_t n : got)
        EXPECT_GE(n, 256000u);
}

TEST(HintSequence, numbers_outside_are_refused) {
    EXPECT_THROW(HintSequence::get(HintType::float64, 1), Error);
    EXPECT_THROW(HintSequence::get(HintType::float64, 2000001), Error);
    EXPECT_THROW(HintSequence::get(HintType::int32, 32768), Error);
    EXPECT_GE(HintSequence::get(HintType::int32, 32767)->subintervals(), 32767u);
}

} // namespace
