#include "engine/session/recording_loader.h"

#include "engine/core/error.h"
#include "engine/recording/import.h"
#include "engine/session/recording_player.h"

#include <array>
#include <filesystem>

namespace tlbscope {
namespace {

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (std::size_t at = digits.size(); at > 3;)
        digits.insert(at -= 3, "\u202f");
    return digits;
}

std::string counted(std::uint64_t n, const char* one, const char* many) {
    return grouped(n) + " " + (n == 1 ? one : many);
}

std::string summary_of(const ImportReport& r, std::uint64_t events) {
    std::uint64_t unknown = 0;
    for (const auto& [name, count] : r.unknown)
        unknown += count;
    std::string text = counted(events, "event", "events");
    text += r.unparsed == 0 ? ", every line understood"
                            : ", " + counted(r.unparsed, "line", "lines") + " not understood";
    if (unknown > 0) text += ", " + grouped(unknown) + " of unknown kinds";
    if (r.lost_events > 0 || r.losses_of_unknown_size > 0)
        text += ", " +
                (r.lost_events > 0 ? counted(r.lost_events, "event", "events") : std::string("some events")) +
                " lost while recording";
    if (r.lanes_are_threads) text += "; no CPU column: lanes are threads";
    return text;
}

std::vector<ReportLine> report_of(const ImportReport& r, const EventLog& log) {
    std::vector<ReportLine> lines;
    const auto add = [&](const char* group, std::string what, std::uint64_t count, std::string example = {}) {
        if (count > 0) lines.push_back({group, std::move(what), count, std::move(example)});
    };
    lines.push_back({"format", importer(r.format).title, r.lines, "lines; time: " + r.clock});
    std::array<std::uint64_t, static_cast<std::size_t>(EventKind::count_)> kinds{};
    for (std::uint64_t i = log.first_index(); i < log.end_index(); ++i)
        ++kinds[static_cast<std::size_t>(log[i].kind)];
    for (std::size_t k = 0; k < kinds.size(); ++k)
        add("parsed", to_string(static_cast<EventKind>(k)), kinds[k]);
    for (const auto& [name, count] : r.unknown)
        add("unknown kind", name, count, "kept in the list of events");
    for (const auto& [name, count] : r.undecoded)
        add("strange payload", name, count, "kept in the list of events");
    add("skipped", "headers and comments", r.headers);
    add("skipped", "empty lines", r.blank);
    add("skipped", "lines of call chains", r.stack);
    add("skipped", "further lines of markers", r.continuation);
    add("skipped", "records of no use here", r.ignored);
    add("lost", "events lost while recording", r.lost_events);
    add("lost", "losses of unknown size", r.losses_of_unknown_size);
    add("lost", "events overwritten before the buffer was read", r.overwritten);
    add("time", "lines whose time is before that of the line above", r.backward_steps, "sorted by time");
    add("not understood", "lines", r.unparsed);
    for (const UnparsedLine& line : r.examples)
        add("not understood", "line " + grouped(line.line), 1, line.text);
    if (r.unterminated) add("cut", "the last line has no end", 1);
    return lines;
}

std::shared_ptr<const Recording> load(const std::string& path, const LoadBytes& progress) {
    std::atomic<bool> cancel{false};
    ImportOptions options;
    options.cancel = &cancel;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        if (!progress(done, total)) cancel = true;
    };
    if (!progress(0, 0)) return nullptr;
    ImportedRecording imported = import_file(path, options);
    if (cancel || imported.report.cancelled) return nullptr;
    const std::uint64_t events = imported.log.end_index() - imported.log.first_index();
    const std::string name = std::filesystem::path(path).filename().string();
    if (events == 0)
        throw Error(path, "it looks like " + std::string(importer(imported.report.format).title) +
                              ", but holds no event");
    auto recording = Recording::prepare(imported.log, name, summary_of(imported.report, events), [&](double) {
        return progress(imported.report.bytes, imported.report.bytes);
    });
    if (recording) recording->report = report_of(imported.report, recording->log);
    return recording;
}

} // namespace

RecordingLoader recording_loader() {
    return load;
}

} // namespace tlbscope
