#include "engine/workload/hint_integrator.h"

#include <algorithm>

namespace tlbscope {

HintIntegrator::HintIntegrator(HintType type)
    : width_(type == HintType::float64 ? 1 << 26 : 1 << 15), height_(width_ * 2) {
    Interval whole;
    whole.right = whole.width = width_;
    whole.left_low = whole.left_high = height_;
    whole.above = grid() - 1; // the largest whole number of the type
    intervals_.push_back(whole);
    queue_.push_back(0);
    upper_ = whole.above;
}

// Squares between the bounds: those that the staircases of both ends leave open.
std::int64_t HintIntegrator::Interval::error() const {
    const std::int64_t sure = std::max<std::int64_t>(0, (left_low - right_high) * (width - 2));
    return (left_high - right_high + left_low - right_low) * (width - 1) - sure;
}

HintStep HintIntegrator::step() {
    const std::uint32_t parent = queue_[head_++];
    Interval left = intervals_[parent];
    Interval right = left;
    left.width = right.width = left.width / 2;
    left.right = right.left = left.left + left.width;

    // The function at the new point between both.
    const std::int64_t numerator = height_ * (width_ - left.right), denominator = width_ + left.right;
    const std::int64_t low = numerator / denominator;
    const std::int64_t high = low + (low * denominator != numerator);
    left.right_low = right.left_low = low;
    left.right_high = right.left_high = high;

    const std::int64_t left_error = left.error(), right_error = right.error();
    const bool right_first = left_error < right_error;
    const bool two = (right_first ? left_error : right_error) != 0;
    const auto child = static_cast<std::uint32_t>(intervals_.size());
    queue_.push_back(right_first ? child : parent);
    if (two) queue_.push_back(right_first ? parent : child);

    lower_ -= left.below;
    upper_ -= left.above;
    left.below = left.right_low * left.width;
    right.below = right.right_low * right.width;
    left.above = left.left_high * left.width;
    right.above = right.left_high * right.width;
    lower_ += left.below + right.below;
    upper_ += left.above + right.above;

    intervals_[parent] = left;
    intervals_.push_back(right);
    return {parent, right_first, two};
}

} // namespace tlbscope
