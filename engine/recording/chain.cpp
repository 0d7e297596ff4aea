#include "engine/recording/chain.h"

#include "engine/recording/describe.h"

#include <algorithm>

namespace tlbscope {
namespace {

std::vector<std::uint64_t> events_of(const ShootdownIndex& index, std::uint32_t shootdown) {
    std::vector<std::uint64_t> events;
    const std::uint64_t first = first_event(index, shootdown);
    if (first == kNoEvent) return events;
    const Shootdown& s = index.shootdowns[shootdown];
    std::uint64_t last = std::max(first, s.done == kNoEvent ? first : s.done);
    for (const std::uint64_t e : {s.local_flush, s.wait, s.announce})
        if (e != kNoEvent) last = std::max(last, e);
    for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t)
        for (const std::uint64_t e : {index.targets[t].send, index.targets[t].entry, index.targets[t].flush,
                                      index.targets[t].ack, index.targets[t].exit})
            if (e != kNoEvent) last = std::max(last, e);
    if (s.syscall != kNoEvent) events.push_back(s.syscall);
    auto at =
        std::lower_bound(index.by_event.begin(), index.by_event.end(), std::pair{first, std::uint32_t{0}});
    for (; at != index.by_event.end() && at->first <= last; ++at)
        if (at->second == shootdown) events.push_back(at->first);
    return events;
}

std::string plural(std::uint64_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

std::string heading(const EventLog& log, const ShootdownIndex& index, std::uint32_t number) {
    const Shootdown& s = index.shootdowns[number];
    std::string out = "shootdown " + std::to_string(number + 1) + " of " +
                      std::to_string(index.shootdowns.size()) + " at " + format_time(s.begin, log) + ": ";
    if (s.initiator == kNoCpu) return out + "received only, its send is not in the recording";
    out += task_name(s.task, log) + " on CPU " + std::to_string(s.initiator);
    if (s.syscall != kNoEvent) out += ", " + event_name(log[s.syscall], log);
    out +=
        ", " + (s.pages == kTlbFlushAll ? "full flush" : plural(static_cast<std::uint64_t>(s.pages), "page"));
    out += ", " + plural(s.target_count, "target");
    if (s.target_count == 0) out += " (every CPU of the mm was lazy)";
    return out;
}

std::string target_line(const EventLog& log, const Shootdown& s, const ShootdownTarget& t) {
    std::string out = "CPU " + std::to_string(t.cpu) + ": ";
    if (t.entry == kNoEvent && t.flush == kNoEvent) return out + "no receive in the recording";
    const auto delivery = delivery_time(log, s, t);
    const auto service = service_time(log, t);
    out += s.initiator == kNoCpu ? "received"
           : delivery            ? "delivered after " + format_duration(*delivery, log)
                                 : "delivered";
    if (service) out += ", served in " + format_duration(*service, log);
    switch (t.pairing) {
    case Pairing::by_csd:
        return out + ", paired by csd pointer";
    case Pairing::by_time:
        return out + ", paired by time";
    case Pairing::unmatched:
        break;
    }
    return out + ", unpaired";
}

} // namespace

std::uint64_t first_event(const ShootdownIndex& index, std::uint32_t shootdown) {
    const Shootdown& s = index.shootdowns[shootdown];
    std::uint64_t first = std::min({s.decision, s.announce, s.local_flush});
    for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t) {
        const ShootdownTarget& target = index.targets[t];
        first = std::min({first, target.send, target.ipi, target.entry, target.flush});
    }
    return first;
}

std::optional<std::uint32_t> shootdown_at(const ShootdownIndex& index, std::int64_t time) {
    if (index.shootdowns.empty()) return std::nullopt;
    const auto at = std::partition_point(index.shootdowns.begin(), index.shootdowns.end(),
                                         [time](const Shootdown& s) { return s.begin < time; });
    const auto number = static_cast<std::uint32_t>(at - index.shootdowns.begin());
    return std::min(number, static_cast<std::uint32_t>(index.shootdowns.size() - 1));
}

std::optional<std::uint32_t> next_shootdown(const EventLog& log, const ShootdownIndex& index,
                                            std::uint64_t event) {
    if (event >= log.end_index()) return std::nullopt;
    // Shootdowns are in order of begin; among those of equal begin the events decide.
    auto at = std::partition_point(index.shootdowns.begin(), index.shootdowns.end(),
                                   [&](const Shootdown& s) { return s.begin < log[event].time; });
    for (; at != index.shootdowns.end(); ++at) {
        const auto number = static_cast<std::uint32_t>(at - index.shootdowns.begin());
        if (first_event(index, number) > event) return number;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> previous_shootdown(const EventLog& log, const ShootdownIndex& index,
                                                std::uint64_t event) {
    if (log.empty()) return std::nullopt;
    const std::int64_t time = event < log.end_index() ? log[event].time : log[log.end_index() - 1].time;
    auto at = std::partition_point(index.shootdowns.begin(), index.shootdowns.end(),
                                   [&](const Shootdown& s) { return s.begin <= time; });
    while (at != index.shootdowns.begin()) {
        const auto number = static_cast<std::uint32_t>(--at - index.shootdowns.begin());
        if (first_event(index, number) < event) return number;
    }
    return std::nullopt;
}

std::vector<std::string> describe_chain(const EventLog& log, const ShootdownIndex& index,
                                        std::uint32_t shootdown) {
    if (shootdown >= index.shootdowns.size()) return {};
    const Shootdown& s = index.shootdowns[shootdown];
    std::vector<std::string> lines{heading(log, index, shootdown)};
    std::vector<std::pair<std::string, std::string>> rows;
    std::size_t width = 0;
    for (const std::uint64_t i : events_of(index, shootdown)) {
        const Event& e = log[i];
        const std::int64_t delta = e.time - s.begin;
        rows.emplace_back((delta < 0 ? "" : "+") + format_duration(delta, log),
                          "CPU " + std::to_string(e.cpu) + "  " + task_name(e.task, log) + "  " +
                              describe(e, log));
        width = std::max(width, rows.back().first.size());
    }
    for (const auto& [delta, text] : rows)
        lines.push_back("  " + delta + std::string(width - delta.size() + 2, ' ') + text);
    for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t)
        lines.push_back(target_line(log, s, index.targets[t]));
    if (s.initiator == kNoCpu) return lines;
    const auto wait = wait_time(log, index, s);
    if (wait && s.done != kNoEvent)
        lines.push_back("the initiator waited " + format_duration(*wait, log) + " and went on after " +
                        format_duration(log[s.done].time - s.begin, log));
    else if (wait)
        lines.push_back("the initiator waited " + format_duration(*wait, log));
    return lines;
}

} // namespace tlbscope
