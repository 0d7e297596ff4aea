// One piece of a recording's text, tokenized and decoded by itself, with names of its own.
#pragma once

#include "engine/core/event.h"
#include "engine/recording/byte_source.h"
#include "engine/recording/decoder.h"
#include "engine/recording/import_report.h"
#include "engine/recording/task_table.h"

#include <memory>
#include <vector>

namespace tlbscope {

struct Piece {
    std::vector<Event> events; // in order of the text; id and arg number this piece's own names
    DecodeTables tables;
    TaskTable tasks;
    ImportReport report;                // of this piece; example lines counted from its first line
    std::vector<std::uint64_t> unknown; // by string number, as in ImportReport
    std::vector<std::uint64_t> undecoded;
    int cpus_named = 0; // by headers: #P:2, cpus=4, nrcpus
    std::uint64_t entries_in_buffer = 0, entries_written = 0;
    std::int64_t first_time = 0, last_time = 0; // of the text's order, if there are events

    // What all views point into. clear() keeps the memory.
    struct Buffer {
        std::unique_ptr<char[]> bytes;
        std::size_t capacity = 0;
    };
    std::vector<Buffer> buffers;
    std::size_t buffers_used = 0;

    char* buffer(std::size_t capacity); // uninitialised
    void clear();
};

// Parses the lines of [from, to) of `source` that begin at the first event line at or after `from` (at
// `from` itself for 0) and end before the first event line at or after `to`. Pieces with adjoining ranges
// thus share no line, leave none out, and a marker of many lines is never cut.
void parse_piece(const ByteSource& source, std::uint64_t from, std::uint64_t to, const Sniffed& format,
                 Piece& piece);

} // namespace tlbscope
