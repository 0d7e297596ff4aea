// Heads of kernel trace text (trace, trace_pipe) and of trace-cmd report, which share a grammar:
//   [prefix: ]comm-pid [(tgid)] [cpu] [flags] time: event…
//   comm-pid  cpu flags time[us mark]: event…          (latency-format, report -l)
//   comm pid cpu … [seq] time-ms (+delta-ms): event…   (latency-format with verbose)
// The comm may hold anything, so the first "-digits" that everything else follows is taken.
#pragma once

#include "engine/recording/line_head.h"

namespace tlbscope {

// `line` without its newline. False: no head of this kind. A dmesg time stamp or a mail quote mark in
// front is skipped.
bool read_ftrace_head(std::string_view line, LineHead& head);

} // namespace tlbscope
