// HINT's integration itself: which interval is halved next, and what the bounds are then.
#pragma once

#include <cstdint>
#include <vector>

namespace tlbscope {

// The benchmark's data type, which fixes the grid and the size of its elements.
enum class HintType : std::uint8_t {
    float64, // "DOUBLE": 53 bits, a grid of 2^26 by 2^27 squares, elements of 8 bytes
    int32,   // "INT": 31 bits, 2^15 by 2^16 squares, elements of 4 bytes
};

// What one iteration does to the benchmark's arrays. 4 bytes: the inner loop streams through them.
class HintStep {
public:
    HintStep() = default;
    HintStep(std::uint32_t parent, bool right_first, bool two)
        : word_(parent << 2 | static_cast<std::uint32_t>(right_first) << 1 |
                static_cast<std::uint32_t>(two)) {}
    // Record that is halved; it becomes the left child.
    std::uint32_t parent() const { return word_ >> 2; }
    // Whether the right child has the larger error and goes to the queue first.
    bool right_first() const { return word_ & 2; }
    // By how many slots the queue grows: 1 where the smaller error is zero.
    std::uint32_t advance() const { return 1 + (word_ & 1); }

    bool operator==(const HintStep&) const = default;

private:
    std::uint32_t word_ = 0;
};

// Bounds on the area below (1 - x) / (1 + x) for x from 0 to 1, in squares of the grid: the interval
// with the largest error is halved, over and over (Gustafson and Snell, "HINT: a new way to measure
// computer performance", 1995). Integers give what the benchmark's doubles give, as every product stays
// below 2^53. The steps do not depend on how many are wanted.
class HintIntegrator {
public:
    explicit HintIntegrator(HintType type);

    // Halves the head of the queue. Not to be called when exhausted().
    HintStep step();
    // No interval is left whose error could be made smaller.
    bool exhausted() const { return head_ >= queue_.size(); }

    // Sums of the rectangles that lie below the curve, and that cover it.
    std::int64_t lower() const { return lower_; }
    std::int64_t upper() const { return upper_; }
    // Squares of the whole grid.
    std::int64_t grid() const { return width_ * height_; }
    std::size_t intervals() const { return intervals_.size(); }

private:
    struct Interval {
        std::int64_t left = 0, right = 0, width = 0;                             // on the x axis
        std::int64_t left_low = 0, left_high = 0, right_low = 0, right_high = 0; // the function there
        std::int64_t below = 0, above = 0;                                       // areas
        std::int64_t error() const;
    };

    std::int64_t width_, height_;
    std::vector<Interval> intervals_;
    std::vector<std::uint32_t> queue_;
    std::size_t head_ = 0;
    std::int64_t lower_ = 0, upper_ = 0;
};

} // namespace tlbscope
