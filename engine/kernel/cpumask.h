// A set of logical CPUs, as the kernel's cpumask.
#pragma once

#include "engine/core/types.h"

#include <array>
#include <bit>
#include <cstdint>

namespace tlbscope {

class CpuMask {
public:
    static constexpr int kMaxCpus = 1024;

    void set(CpuId cpu) { words_[cpu / 64] |= bit(cpu); }
    void clear(CpuId cpu) { words_[cpu / 64] &= ~bit(cpu); }
    bool test(CpuId cpu) const { return (words_[cpu / 64] & bit(cpu)) != 0; }
    int weight() const {
        int n = 0;
        for (const std::uint64_t word : words_)
            n += std::popcount(word);
        return n;
    }
    // Calls visit(CpuId) in ascending order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t word = words_[w]; word; word &= word - 1)
                visit(static_cast<CpuId>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }

    bool operator==(const CpuMask&) const = default;

private:
    static std::uint64_t bit(CpuId cpu) { return std::uint64_t{1} << (cpu % 64); }
    std::array<std::uint64_t, kMaxCpus / 64> words_{};
};

} // namespace tlbscope
