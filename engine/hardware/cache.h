// Data caches that page-table loads and data go through: tags only, physically indexed, true LRU.
#pragma once

#include "engine/core/bucket.h"
#include "engine/core/types.h"
#include "engine/hardware/cache_avx2.h"
#include "engine/hardware/move_to_front.h"
#include "engine/hardware/processor.h"

#include <cstdint>
#include <vector>

namespace tlbscope {

// Physical address divided by 64, below 0xffffffff; covers 256 GiB.
using LineNumber = std::uint32_t;

class Cache {
public:
    Cache() = default;
    explicit Cache(const CacheSpec& spec);

    // True when the line was there; afterwards it is there and most recent. A cache that does not
    // exist never has it.
    bool access(LineNumber line) {
        LineNumber* const set = tags_.data() + std::size_t{line & set_mask_} * ways_;
        if (ways_ == 8) [[likely]]
            return avx2::available ? avx2::move_to_front_8(set, line + 1) // 0 is empty
                                   : move_to_front<8>(set, line + 1);
        if (ways_ == 16)
            return avx2::available ? avx2::move_to_front_16(set, line + 1) : move_to_front<16>(set, line + 1);
        return move_to_front(set, ways_, line + 1);
    }

    // Accesses `count` lines in turn and writes those that were absent, in their order, to `missed`,
    // which may be `lines` itself. Returns how many.
    std::uint32_t filter(const LineNumber* lines, std::uint32_t count, LineNumber* missed);

private:
    template <int Ways>
    static std::uint32_t filter(LineNumber* tags, std::uint32_t set_mask, const LineNumber* lines,
                                std::uint32_t count, LineNumber* missed);

    std::uint32_t ways_ = 0, set_mask_ = 0;
    std::vector<LineNumber> tags_; // line + 1, by set
};

// L1D and L2 of every core, one L3 a socket. Fills every level on the way (no victim caches, no
// inclusion victims, no coherence misses: frames are mostly reused by the CPU that freed them).
class CacheHierarchy {
public:
    using Level = MemoryLevel;
    // Load-to-use of one access and where it hit.
    struct Result {
        std::uint32_t cycles = 0;
        Level level = Level::l1d;
    };

    CacheHierarchy() = default;
    CacheHierarchy(const ProcessorSpec& processor, const Topology& topology);

    Level access(int core, LineNumber line) {
        const auto c = static_cast<std::size_t>(core);
        if (l1d_[c].access(line)) return Level::l1d;
        if (l2_[c].access(line)) return Level::l2;
        if (l3_[c / cores_per_socket_].access(line)) return Level::l3;
        return Level::memory;
    }
    // Load-to-use of one dependent load.
    Cycles load(int core, LineNumber line) { return latency_[static_cast<int>(access(core, line))]; }
    // The same, telling where it hit; for page-table loads and the kernel's own data, whose linear
    // address is that of the direct map.
    Result find(int core, LineNumber line) {
        const Level level = access(core, line);
        return {static_cast<std::uint32_t>(latency_[static_cast<int>(level)]), level};
    }
    // One user access to a line whose linear address divided by 64 is `linear` (its low ten bits count).
    Result touch(int core, LineNumber line, std::uint32_t linear, bool write) {
        static_cast<void>(linear);
        static_cast<void>(write);
        return find(core, line);
    }
    // Cost beyond L1 of `lines` sequential lines from `first`, prefetched.
    Cycles stream(int core, LineNumber first, std::uint32_t lines);
    Cycles l1d_latency() const { return latency_[0]; }

private:
    std::vector<Cache> l1d_, l2_, l3_;
    std::size_t cores_per_socket_ = 1;
    Cycles latency_[4] = {}, stream_[4] = {};
};

} // namespace tlbscope
