// The free page frames of a machine's memory, one bit each.
#pragma once

#include "engine/core/random.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace tlbscope {

// Frames [first, end); `end` a multiple of 64. Takes in any order; a frame is taken once until released.
class FrameSet {
public:
    FrameSet() = default;
    FrameSet(std::uint32_t first, std::uint32_t end)
        : first_(first), end_(end), free_(end - first), used_((end + 63) / 64, 0) {
        for (std::uint32_t frame = 0; frame < first; ++frame)
            mark(frame);
    }

    std::uint32_t first() const { return first_; }
    std::uint32_t end() const { return end_; }
    std::uint32_t free_frames() const { return free_; }
    bool is_free(std::uint32_t frame) const {
        return frame >= first_ && frame < end_ && !(used_[frame / 64] >> frame % 64 & 1);
    }

    // The frame must be free.
    void take(std::uint32_t frame) {
        mark(frame);
        --free_;
    }
    // The frame must be taken.
    void release(std::uint32_t frame) {
        used_[frame / 64] &= ~(std::uint64_t{1} << frame % 64);
        ++free_;
    }

    // The lowest free frame from `from` on.
    std::optional<std::uint32_t> lowest(std::uint32_t from) const {
        if (from >= end_) return std::nullopt;
        std::uint64_t free = ~used_[from / 64] & ~std::uint64_t{0} << from % 64;
        for (std::uint32_t word = from / 64;;) {
            if (free) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(free));
            if (++word == end_ / 64) return std::nullopt;
            free = ~used_[word];
        }
    }

    // A free frame, all equally likely.
    std::optional<std::uint32_t> any(Random& random) const {
        if (!free_) return std::nullopt;
        // Trying is quick while an eighth is free; both ways give the same odds.
        if (free_ >= (end_ - first_) / 8)
            while (true) {
                const auto frame = first_ + static_cast<std::uint32_t>(random.below(end_ - first_));
                if (is_free(frame)) return frame;
            }
        auto nth = static_cast<std::uint32_t>(random.below(free_));
        for (std::uint32_t word = first_ / 64;; ++word) {
            std::uint64_t free = ~used_[word];
            const auto count = static_cast<std::uint32_t>(std::popcount(free));
            if (nth >= count) {
                nth -= count;
                continue;
            }
            for (; nth; --nth)
                free &= free - 1;
            return word * 64 + static_cast<std::uint32_t>(std::countr_zero(free));
        }
    }

private:
    void mark(std::uint32_t frame) { used_[frame / 64] |= std::uint64_t{1} << frame % 64; }

    std::uint32_t first_ = 0, end_ = 0, free_ = 0;
    std::vector<std::uint64_t> used_;
};

} // namespace tlbscope
