#include "app/cli/inspect_command.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "engine/recording/import.h"
#include "engine/recording/summary.h"

#include <boost/json.hpp>

#include <cstdio>

namespace tlbscope {

namespace {

const char* const kFooter =
    "JSON keys: schema (tlbscope.inspect/1), file, format, clock, time_unit, cpus, lanes_are_threads, "
    "events, "
    "first_time, last_time, duration, import, flushes, shootdowns, delivery, service, wait, switch_to_flush, "
    "initiators, victims, per_cpu, syscalls, callbacks, kinds. Times are in time_unit. CSV has the same "
    "numbers in "
    "the columns section, name, measure, value.\n"
    "Ctrl-C prints what was read so far and ends with status 1.";

} // namespace

void InspectCommand::add_to(CLI::App& app) {
    app.add_option(
           "FILE", file_,
           "The recording: kernel trace text, trace-cmd report text or perf script text. What it is shows in "
           "its first lines, not in its name.")
        ->required()
        ->type_name("");
    format_.add_to(app);
    app.footer(kFooter);
}

int InspectCommand::run() {
    const InterruptGuard guard;
    Progress progress("reading");
    ImportOptions options;
    options.cancel = &InterruptGuard::requested();
    options.progress = [&](std::uint64_t done, std::uint64_t all) {
        progress.show(all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 1);
    };
    const ImportedRecording recording = import_file(file_, options);
    const ShootdownIndex index = find_shootdowns(recording.log);
    const Summary summary = summarize(recording, index, file_);
    progress.finish();
    std::string text;
    if (format_.json)
        text = boost::json::serialize(to_json(summary)) + "\n";
    else if (format_.csv)
        text = to_csv(summary);
    else
        text = to_text(summary);
    std::fputs(text.c_str(), stdout);
    if (!recording.report.cancelled) return exit_done;
    std::fflush(stdout);
    std::fputs("tlbscope: interrupted; what is printed is what was read\n", stderr);
    return exit_failed;
}

} // namespace tlbscope
