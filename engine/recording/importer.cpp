#include "engine/recording/importer.h"

#include "engine/core/error.h"
#include "engine/recording/foreign.h"
#include "engine/recording/ftrace_head.h"
#include "engine/recording/perf_head.h"

#include <algorithm>
#include <array>

namespace tlbscope {
namespace {

constexpr std::array kImporters = {
    Importer{RecordingFormat::kernel_text, "kernel-text", "kernel trace text", read_ftrace_head, false},
    Importer{RecordingFormat::trace_cmd_report, "trace-cmd-report", "trace-cmd report text", read_ftrace_head,
             true},
    Importer{RecordingFormat::perf_script, "perf-script", "perf script text", read_perf_head, true},
};

// Enough lines to be sure, few enough to be quick.
constexpr int kLines = 400;

struct Score {
    int perf = 0, ftrace = 0, perf_untimed = 0;
    int padded_names = 0; // trace-cmd pads the event name to 20 columns
    int perf_without_cpu = 0;
    bool trace_cmd_header = false, kernel_header = false;
    TimeUnit ftrace_unit = TimeUnit::none;
};

bool trace_cmd_line(std::string_view line) {
    return line.starts_with("cpus=") || line.starts_with("version = ") ||
           (line.starts_with("CPU ") && line.ends_with(" is empty")) ||
           line.find("EVENTS DROPPED]") != std::string_view::npos;
}

Score score(std::string_view text) {
    Score s;
    while (!text.empty() && s.perf + s.ftrace + s.perf_untimed < kLines) {
        const std::size_t newline = text.find('\n');
        std::string_view line = text.substr(0, newline);
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        while (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (line.empty()) continue;
        LineHead head;
        if (line.front() == '#') {
            s.kernel_header |= line.starts_with("# tracer:");
        } else if (read_perf_head(line, head)) {
            ++s.perf;
            if (head.cpu == kNoCpu) ++s.perf_without_cpu;
        } else if (read_ftrace_head(line, head)) {
            ++s.ftrace;
            if (s.ftrace_unit == TimeUnit::none) s.ftrace_unit = head.unit;
            if (!head.payload.empty() && head.event.data() + head.event.size() + 3 <= head.payload.data())
                ++s.padded_names;
        } else if (trace_cmd_line(line)) {
            s.trace_cmd_header = true;
        } else if (read_perf_head_without_time(line, head)) {
            ++s.perf_untimed;
            if (head.cpu == kNoCpu) ++s.perf_without_cpu;
        }
    }
    return s;
}

} // namespace

std::span<const Importer> importers() {
    return kImporters;
}

const Importer& importer(RecordingFormat format) {
    return *std::find_if(kImporters.begin(), kImporters.end(),
                         [format](const auto& i) { return i.format == format; });
}

Sniffed sniff(std::string_view begin, const std::string& where) {
    refuse_foreign_bytes(begin, where);
    const Score s = score(begin);
    Sniffed result;
    if (s.perf > 0 && s.perf >= s.ftrace) {
        result.importer = &importer(RecordingFormat::perf_script);
        result.read_head = read_perf_head;
        result.cpu_column = s.perf_without_cpu == 0;
    } else if (s.ftrace > 0) {
        const bool trace_cmd = !s.kernel_header && (s.trace_cmd_header || 2 * s.padded_names > s.ftrace);
        result.importer =
            &importer(trace_cmd ? RecordingFormat::trace_cmd_report : RecordingFormat::kernel_text);
        result.read_head = read_ftrace_head;
        result.unit = s.ftrace_unit;
    } else if (s.perf_untimed > 0) {
        result.importer = &importer(RecordingFormat::perf_script);
        result.read_head = read_perf_head_without_time;
        result.unit = TimeUnit::none;
        result.cpu_column = s.perf_without_cpu == 0;
    } else {
        refuse_foreign_text(begin, where);
    }
    return result;
}

} // namespace tlbscope
