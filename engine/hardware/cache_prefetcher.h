// The stream prefetcher of a core's last cache level, as far as it changes what a miss costs.
#pragma once

#include "engine/hardware/cache_level.h"

#include <cstdint>
#include <vector>

namespace tlbscope {

// Follows ascending streams of misses within a page: a miss belongs to a stream when it is the next line
// after the stream's last miss, or the next sector. Two misses make a stream; from the third on the line
// is on its way already. What it fetches ahead is not in the caches: it only changes the price.
class CachePrefetcher {
public:
    CachePrefetcher() = default;
    // Follows `streams` of them, 0: none; the least recently continued one gives way.
    CachePrefetcher(std::uint32_t streams, std::uint32_t sector_lines)
        : streams_(streams), step_(sector_lines) {}

    // True when the miss continues a stream.
    bool miss(LineNumber line) {
        if (streams_.empty()) return false;
        std::size_t at = 0;
        while (at + 1 < streams_.size() && !continues(streams_[at], line))
            ++at;
        const std::uint32_t misses = continues(streams_[at], line) ? streams_[at].misses : 0;
        for (; at > 0; --at)
            streams_[at] = streams_[at - 1];
        streams_[0] = {line, misses < 2 ? misses + 1 : 2};
        return misses == 2;
    }

private:
    struct Stream {
        LineNumber last = 0xffffffff; // of no page that has lines
        std::uint32_t misses = 0;     // 2: two or more
    };
    bool continues(const Stream& stream, LineNumber line) const {
        return line - stream.last - 1 < step_ && line >> 6 == stream.last >> 6;
    }

    std::vector<Stream> streams_; // most recently continued first
    std::uint32_t step_ = 1;
};

} // namespace tlbscope
