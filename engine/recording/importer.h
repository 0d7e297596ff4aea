// The text formats tlbscope reads: one row each. A new one is a head reader and a row.
#pragma once

#include "engine/recording/line_head.h"

#include <span>
#include <string>

namespace tlbscope {

enum class RecordingFormat : std::uint8_t { kernel_text, trace_cmd_report, perf_script };

struct Importer {
    RecordingFormat format;
    const char* key;   // stable: kernel-text, trace-cmd-report, perf-script
    const char* title; // "kernel trace text"
    bool (*read_head)(std::string_view line, LineHead& head);
    // Bitmaps of libtraceevent are lists of CPUs (0-1,3), the kernel's own are hexadecimal (f0).
    bool mask_lists;
};

std::span<const Importer> importers();
const Importer& importer(RecordingFormat format);

// What the first bytes of a file say.
struct Sniffed {
    const Importer* importer = nullptr;
    bool (*read_head)(std::string_view line, LineHead& head) = nullptr;
    TimeUnit unit = TimeUnit::seconds; // of every event in the file
    bool cpu_column = true;            // false: lanes are threads
};

// `begin` is the first bytes of the file (a megabyte is plenty). Throws Error naming `where`, what was
// found instead and how to make a recording of it, when it is no trace text.
Sniffed sniff(std::string_view begin, const std::string& where);

} // namespace tlbscope
