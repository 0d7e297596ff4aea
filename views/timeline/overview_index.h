// How dense events and flushes are over a whole run: grows with the log, never scans it twice.
#pragma once

#include "engine/recording/event_log.h"

#include <vector>

namespace tlbscope {

class OverviewIndex {
public:
    static constexpr std::uint64_t kChunk = 256; // events

    struct Chunk {
        std::int64_t begin = 0, end = 0; // times of its first and last event
        std::uint16_t events = 0, flushes = 0, ipis = 0;
    };
    struct Column { // of one pixel; rates are events a tick
        float mean = 0, peak = 0, flushes = 0;
    };

    void clear();
    // Takes in at most `most` new events; true when all of the log is in. `run` tells logs apart.
    bool update(const EventLog& log, std::uint64_t run, std::uint64_t most);
    const std::vector<Chunk>& chunks() const { return chunks_; }
    // Densities of `columns` equal parts of [begin, end).
    std::vector<Column> columns(double begin, double end, int columns) const;

private:
    std::uint64_t run_ = ~std::uint64_t{0};
    std::uint64_t next_ = 0;  // first event not yet in
    std::uint64_t first_ = 0; // index of the first event of chunks_.front()
    std::vector<Chunk> chunks_;
};

} // namespace tlbscope
