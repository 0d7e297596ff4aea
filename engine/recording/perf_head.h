// Heads of perf script:
//   [comm] [pid/]tid [[cpu]] [misc] time: [period] [system:]event: payload
// Columns may be missing (perf script -F, per-task recordings without a CPU, old files without a time).
#pragma once

#include "engine/recording/line_head.h"

namespace tlbscope {

// Lines with a time. False for call chain entries, headers and blank lines.
bool read_perf_head(std::string_view line, LineHead& head);

// Lines of files without any time: "java  3244 cpu-clock:". Looser, so only for files that have none.
bool read_perf_head_without_time(std::string_view line, LineHead& head);

} // namespace tlbscope
