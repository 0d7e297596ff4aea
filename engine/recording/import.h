// Opens a recording of a real kernel: sniff, tokenize, decode, store, sorted by time.
#pragma once

#include "engine/recording/event_log.h"
#include "engine/recording/import_report.h"

#include <atomic>
#include <functional>

namespace tlbscope {

struct ImportOptions {
    // Called with (bytes read, bytes in all) after every piece, from whichever thread read it, never from
    // two at once. May be empty.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
    // Set from any thread to stop early; what was read is returned, with report.cancelled set.
    const std::atomic<bool>* cancel = nullptr;
    int threads = 0; // 0: one for each CPU of this machine. The result does not depend on it,
    std::size_t piece_bytes = 1 << 20; // nor on this.
    // For recordings whose clock ticks at a rate the text does not tell (x86-tsc); 0: as the format says.
    double ticks_per_second = 0;
};

struct ImportedRecording {
    EventLog log;
    ImportReport report;
    int cpus = 0; // lanes: CPUs, or threads where the file has no CPU column
};

// Throws Error naming the file, what was found in it and what to do, when it cannot be read or is no trace.
ImportedRecording import_file(const std::string& path, const ImportOptions& options = {});

// The same from memory; `where` names it in errors.
ImportedRecording import_text(std::string_view text, const std::string& where,
                              const ImportOptions& options = {});

} // namespace tlbscope
