// Data caches that page-table loads and data go through: tags only, physically indexed, true LRU.
#pragma once

#include "engine/core/types.h"
#include "engine/hardware/processor.h"
#include "engine/hardware/recency.h"

#include <bit>
#include <cstdint>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tlbscope {

// Physical address divided by 64, below 0xffffffff; covers 256 GiB.
using LineNumber = std::uint32_t;

class Cache {
public:
    Cache() = default;
    explicit Cache(const CacheSpec& spec);

    bool exists() const { return ways_ != 0; }

    // True when the line was there; afterwards it is there and most recent. A cache that does not
    // exist never has it.
    bool access(LineNumber line) {
        if (!ways_) return false;
        const std::uint32_t set = line & set_mask_;
        LineNumber* tags = &tags_[set * ways_];
        std::uint64_t& order = order_[set];
        const LineNumber tag = line + 1; // 0 is empty
        if (tags[order & 15] == tag) return true;
        const unsigned hits = ways_ == 8    ? match<8>(tags, tag)
                              : ways_ == 16 ? match<16>(tags, tag)
                                            : match_any(tags, tag);
        const bool found = hits != 0;
        const unsigned way =
            found ? static_cast<unsigned>(std::countr_zero(hits)) : recency::least(order, ways_);
        tags[way] = tag;
        order = recency::promote(order, way);
        return found;
    }

private:
    // One bit a way. Written so that compilers turn it into vector compares.
    template <int N>
    static unsigned match(const LineNumber* tags, LineNumber tag) {
#ifdef __SSE2__
        const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
        unsigned hits = 0;
        for (int w = 0; w < N; w += 4) {
            const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags + w));
            hits |= static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, wanted))))
                    << w;
        }
        return hits;
#else
        unsigned hits = 0;
        for (int w = 0; w < N; ++w)
            hits |= static_cast<unsigned>(tags[w] == tag) << w;
        return hits;
#endif
    }
    unsigned match_any(const LineNumber* tags, LineNumber tag) const {
        unsigned hits = 0;
        for (unsigned w = 0; w < ways_; ++w)
            hits |= static_cast<unsigned>(tags[w] == tag) << w;
        return hits;
    }

    std::uint32_t ways_ = 0, set_mask_ = 0;
    std::vector<LineNumber> tags_;
    std::vector<std::uint64_t> order_;
};

// L1D and L2 of every core, one L3 a socket. Fills every level on the way (no victim caches, no
// inclusion victims, no coherence misses: frames are mostly reused by the CPU that freed them).
class CacheHierarchy {
public:
    enum class Level : std::uint8_t { l1d, l2, l3, memory };

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
    // Cost beyond L1 of `lines` sequential lines from `first`, prefetched.
    Cycles stream(int core, LineNumber first, std::uint32_t lines) {
        Cycles cost = 0;
        for (std::uint32_t i = 0; i < lines; ++i)
            cost += stream_[static_cast<int>(access(core, first + i))];
        return cost;
    }
    Cycles l1d_latency() const { return latency_[0]; }

private:
    std::vector<Cache> l1d_, l2_, l3_;
    std::size_t cores_per_socket_ = 1;
    Cycles latency_[4] = {}, stream_[4] = {};
};

} // namespace tlbscope
