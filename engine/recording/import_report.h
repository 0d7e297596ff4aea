// What an import found besides events: everything that was counted, skipped or not understood.
#pragma once

#include "engine/recording/importer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tlbscope {

struct UnparsedLine {
    std::uint64_t line = 0; // counted from 1
    std::string text;       // at most 160 bytes; bytes that are not printable ASCII or UTF-8 are kept
};

// Every line of the file is in exactly one of: parsed, lost_lines, headers, blank, stack, continuation,
// ignored, unparsed; their sum is `lines`.
struct ImportReport {
    RecordingFormat format = RecordingFormat::kernel_text;
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    std::uint64_t parsed = 0;     // lines that became an event
    std::uint64_t lost_lines = 0; // LOST, DROPPED, buffer started, PERF_RECORD_LOST; also events of kind lost
    std::uint64_t headers = 0;    // # comments, cpus=, "CPU 1 is empty"
    std::uint64_t blank = 0;
    std::uint64_t stack = 0;        // call chains
    std::uint64_t continuation = 0; // further lines of a multi-line marker
    std::uint64_t ignored = 0;      // PERF_RECORD_* of no use here, samples at time 0
    std::uint64_t unparsed = 0;

    std::vector<UnparsedLine> examples;             // the first 10 unparsed lines
    std::map<std::string, std::uint64_t> unknown;   // events of kind `other` by name
    std::map<std::string, std::uint64_t> undecoded; // of these, known names with a strange payload

    std::uint64_t lost_events = 0; // sum of the losses with a number
    std::uint64_t losses_of_unknown_size = 0;
    std::uint64_t overwritten = 0; // written but no longer in the buffer, by the header of `trace`
    std::uint64_t markers = 0;
    std::uint64_t backward_steps = 0;       // lines whose time is before that of the line above
    std::int64_t largest_backward_step = 0; // in ticks
    bool unterminated = false; // the last line has no newline; if it did not parse it is in `unparsed`
    bool cancelled = false;    // only the events read so far are there

    TimeUnit unit = TimeUnit::seconds;
    std::string clock;              // a guess, in words
    bool lanes_are_threads = false; // no CPU column: Event::cpu numbers the threads
};

} // namespace tlbscope
