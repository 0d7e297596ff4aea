#include "engine/hardware/cache.h"

#include <algorithm>

namespace tlbscope {

Cache::Cache(const CacheSpec& spec) : ways_(spec.ways) {
    if (!ways_) return;
    const auto sets = static_cast<std::uint32_t>(spec.bytes / 64 / spec.ways);
    set_mask_ = sets - 1;
    tags_.assign(std::size_t{sets} * ways_, 0);
}

template <int Ways>
std::uint32_t Cache::filter(LineNumber* tags, std::uint32_t set_mask, const LineNumber* lines,
                            std::uint32_t count, LineNumber* missed) {
    std::uint32_t misses = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const LineNumber line = lines[i];
        const bool hit = move_to_front<Ways>(tags + std::size_t{line & set_mask} * Ways, line + 1);
        missed[misses] = line;
        misses += !hit;
    }
    return misses;
}

std::uint32_t Cache::filter(const LineNumber* lines, std::uint32_t count, LineNumber* missed) {
    if (avx2::available) {
        if (ways_ == 8) return avx2::filter_8(tags_.data(), set_mask_, lines, count, missed);
        if (ways_ == 16) return avx2::filter_16(tags_.data(), set_mask_, lines, count, missed);
    }
    switch (ways_) {
    case 4:
        return filter<4>(tags_.data(), set_mask_, lines, count, missed);
    case 8:
        return filter<8>(tags_.data(), set_mask_, lines, count, missed);
    case 12:
        return filter<12>(tags_.data(), set_mask_, lines, count, missed);
    case 16:
        return filter<16>(tags_.data(), set_mask_, lines, count, missed);
    default: {
        std::uint32_t misses = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const LineNumber line = lines[i];
            const bool hit = access(line);
            missed[misses] = line;
            misses += !hit;
        }
        return misses;
    }
    }
}

CacheHierarchy::CacheHierarchy(const ProcessorSpec& processor, const Topology& topology)
    : l1d_(static_cast<std::size_t>(topology.cores()), Cache(processor.l1d)),
      l2_(static_cast<std::size_t>(topology.cores()), Cache(processor.l2)),
      l3_(static_cast<std::size_t>(topology.sockets), Cache(processor.l3)),
      cores_per_socket_(static_cast<std::size_t>(topology.cores_per_socket)) {
    latency_[0] = processor.l1d.latency;
    latency_[1] = processor.l2.latency;
    latency_[2] = processor.l3.latency;
    latency_[3] = processor.costs.memory;
    stream_[0] = processor.l1d.stream;
    stream_[1] = processor.l2.stream;
    stream_[2] = processor.l3.stream;
    stream_[3] = processor.costs.memory_stream;
}

// Level by level: what a level does depends on the order of the lines it sees, not on the others.
Cycles CacheHierarchy::stream(int core, LineNumber first, std::uint32_t lines) {
    constexpr std::uint32_t kPiece = 64;
    const auto c = static_cast<std::size_t>(core);
    Cycles cost = 0;
    LineNumber line[kPiece];
    while (lines) {
        const std::uint32_t piece = std::min(lines, kPiece);
        for (std::uint32_t i = 0; i < piece; ++i)
            line[i] = first + i;
        const std::uint32_t l1 = l1d_[c].filter(line, piece, line);
        const std::uint32_t l2 = l2_[c].filter(line, l1, line);
        const std::uint32_t l3 = l3_[c / cores_per_socket_].filter(line, l2, line);
        cost += (piece - l1) * stream_[0] + (l1 - l2) * stream_[1] + (l2 - l3) * stream_[2] + l3 * stream_[3];
        first += piece;
        lines -= piece;
    }
    return cost;
}

} // namespace tlbscope
