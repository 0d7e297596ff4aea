#include "app/cli/inspect_command.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "engine/core/error.h"
#include "engine/recording/chain.h"
#include "engine/recording/describe.h"
#include "engine/recording/import.h"
#include "engine/recording/summary.h"

#include <boost/json.hpp>

#include <charconv>
#include <cstdio>

namespace tlbscope {

namespace {

const char* const kFooter =
    "Without --at it ends with the shootdown whose delivery took longest, step by step.\n"
    "\n"
    "JSON keys: schema (tlbscope.inspect/1), file, format, clock, time_unit, cpus, lanes_are_threads, "
    "events, "
    "first_time, last_time, duration, import, flushes, shootdowns, delivery, service, wait, switch_to_flush, "
    "initiators, victims, per_cpu, syscalls, callbacks, kinds. Times are in time_unit. With --at there is "
    "chain as "
    "well: shootdown, begin, end, initiator, task, pages (-1: full), wait, targets (an array of cpu, "
    "pairing, "
    "delivery, service) and text (the lines that are printed without --json); what is not known is null. CSV "
    "has the "
    "same numbers in the columns section, name, measure, value.\n"
    "Ctrl-C prints what was read so far and ends with status 1.";

// "612.189734" seconds as nanoseconds, digits beyond them cut off; plain ticks where the log has no seconds.
std::int64_t parse_time(const std::string& text, bool nanoseconds) {
    const auto refuse = [&]() -> std::int64_t {
        throw UsageError("--at " + text + " is no time as the recording writes it" +
                         (nanoseconds ? ", for example 612.189734" : ": a number of ticks"));
    };
    const std::size_t point = text.find('.');
    const std::string whole = text.substr(0, point);
    std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
    const auto digits = [](const std::string& part) {
        return part.find_first_not_of("0123456789") == std::string::npos;
    };
    if (whole.empty() || !digits(whole) || !digits(fraction) || (!nanoseconds && point != std::string::npos))
        return refuse();
    if (nanoseconds) fraction.resize(9, '0');
    const std::string all = nanoseconds ? whole + fraction : whole;
    std::int64_t ticks = 0;
    if (std::from_chars(all.data(), all.data() + all.size(), ticks).ec != std::errc{}) return refuse();
    return ticks;
}

const char* name_of(Pairing pairing) {
    switch (pairing) {
    case Pairing::by_csd:
        return "csd";
    case Pairing::by_time:
        return "time";
    case Pairing::unmatched:
        break;
    }
    return "unmatched";
}

std::optional<std::uint32_t> longest_delivery(const EventLog& log, const ShootdownIndex& index) {
    std::optional<std::uint32_t> longest;
    std::int64_t most = -1;
    for (std::uint32_t i = 0; i < index.shootdowns.size(); ++i) {
        const Shootdown& s = index.shootdowns[i];
        for (std::uint32_t t = 0; t < s.target_count; ++t) {
            const auto time = delivery_time(log, s, index.targets[s.first_target + t]);
            if (time && *time > most) {
                most = *time;
                longest = i;
            }
        }
    }
    return longest;
}

boost::json::value json_of(const std::optional<std::int64_t>& number) {
    return number ? boost::json::value(*number) : boost::json::value(nullptr);
}

boost::json::object chain_json(const EventLog& log, const ShootdownIndex& index, std::uint32_t number) {
    const Shootdown& s = index.shootdowns[number];
    boost::json::array targets;
    for (std::uint32_t i = 0; i < s.target_count; ++i) {
        const ShootdownTarget& t = index.targets[s.first_target + i];
        targets.push_back({{"cpu", t.cpu},
                           {"pairing", name_of(t.pairing)},
                           {"delivery", json_of(delivery_time(log, s, t))},
                           {"service", json_of(service_time(log, t))}});
    }
    boost::json::array text;
    for (const std::string& line : describe_chain(log, index, number))
        text.emplace_back(line);
    boost::json::object chain;
    chain["shootdown"] = number + 1; // as the text counts them
    chain["begin"] = s.begin;
    chain["end"] = s.end;
    chain["initiator"] =
        s.initiator == kNoCpu ? boost::json::value(nullptr) : boost::json::value(s.initiator);
    chain["task"] = s.task;
    chain["pages"] = s.pages;
    chain["wait"] = json_of(wait_time(log, index, s));
    chain["targets"] = std::move(targets);
    chain["text"] = std::move(text);
    return chain;
}

std::string lines_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

} // namespace

void InspectCommand::add_to(CLI::App& app) {
    app.add_option(
           "FILE", file_,
           "The recording: kernel trace text, trace-cmd report text or perf script text. What it is shows in "
           "its first lines, not in its name.")
        ->required()
        ->type_name("");
    app.add_option(
           "--at", at_,
           "Prints, step by step, the first shootdown at or after this time, written as in the recording: "
           "612.189734.")
        ->type_name("TIME");
    format_.add_to(app);
    app.footer(kFooter);
}

int InspectCommand::run() {
    if (format_.csv && !at_.empty()) throw UsageError("--at goes with text and --json, not with --csv");
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
    std::optional<std::uint32_t> chain;
    if (!at_.empty()) {
        chain = shootdown_at(index, parse_time(at_, summary.nanoseconds));
        if (!chain) throw Error(file_, "holds no shootdown");
    }
    std::string text;
    if (format_.json) {
        boost::json::object object = to_json(summary);
        if (chain) object["chain"] = chain_json(recording.log, index, *chain);
        text = boost::json::serialize(object) + "\n";
    } else if (format_.csv) {
        text = to_csv(summary);
    } else if (chain) {
        text = lines_of(describe_chain(recording.log, index, *chain));
    } else {
        text = to_text(summary);
        if (const auto longest = longest_delivery(recording.log, index))
            text += "\nLongest delivery\n" + lines_of(describe_chain(recording.log, index, *longest));
    }
    std::fputs(text.c_str(), stdout);
    if (!recording.report.cancelled) return exit_done;
    std::fflush(stdout);
    std::fputs("tlbscope: interrupted; what is printed is what was read\n", stderr);
    return exit_failed;
}

} // namespace tlbscope
