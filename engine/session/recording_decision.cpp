// A recorded shootdown in the words of the decision panel: what the kernel traced, and when.
#include "engine/session/recording_player.h"

#include <algorithm>
#include <cstdio>

namespace tlbscope {
namespace {

constexpr std::uint32_t kListedTargets = 6;

std::string after(std::int64_t ns, bool counts) {
    char text[48];
    if (counts)
        std::snprintf(text, sizeof text, "+%lld ticks", static_cast<long long>(ns));
    else if (ns % 1000 == 0)
        std::snprintf(text, sizeof text, "+%lld us", static_cast<long long>(ns / 1000));
    else
        std::snprintf(text, sizeof text, "+%.3f us", static_cast<double>(ns) / 1000);
    return text;
}

std::string target_line(const EventLog& log, const Shootdown& s, const ShootdownTarget& target) {
    const bool counts = log.ticks_per_second() <= 0;
    std::string line = "CPU " + std::to_string(target.cpu) + ": ";
    if (target.entry == kNoEvent && target.flush == kNoEvent) return line + "no receive recorded";
    const std::int64_t from = target.send != kNoEvent ? log[target.send].time : s.begin;
    if (target.entry != kNoEvent) line += "interrupt " + after(log[target.entry].time - from, counts);
    if (target.flush != kNoEvent)
        line +=
            (target.entry != kNoEvent ? ", flush " : "flush ") + after(log[target.flush].time - from, counts);
    if (target.exit != kNoEvent) line += ", done " + after(log[target.exit].time - from, counts);
    if (target.pairing == Pairing::by_csd) line += "  [csd]";
    if (target.pairing == Pairing::by_time) line += "  [by time]";
    if (target.pairing == Pairing::unmatched) line += "  [no send recorded]";
    return line;
}

} // namespace

DecisionView describe_recorded(const Recording& recording, std::uint32_t number, std::int64_t now) {
    DecisionView view;
    const ShootdownIndex& index = *recording.shootdowns;
    if (number == 0 || number > index.shootdowns.size()) return view;
    const Shootdown& s = index.shootdowns[number - 1];
    const EventLog& log = recording.log;
    view.shootdown = number;
    view.cpu = s.initiator;
    view.policy = "as recorded";
    view.pages = s.pages;
    view.full = s.pages == kTlbFlushAll;
    view.targets = static_cast<int>(s.target_count);
    if (s.syscall != kNoEvent) view.caller = to_string(static_cast<Syscall>(log[s.syscall].sub));
    const std::string& comm = log.names().comm(s.task);
    view.source = (comm.empty() ? "task " : comm + "-") + std::to_string(s.task);

    if (s.decision != kNoEvent) {
        const Event& e = log[s.decision];
        if (e.kind == EventKind::tlb_flush)
            view.lines.push_back("tlb_flush: pages:" + std::to_string(e.arg) +
                                 " reason:" + to_string(static_cast<FlushReason>(e.sub)) + " (" +
                                 std::to_string(e.sub) + ")");
        else
            view.lines.push_back(std::string(to_string(e.kind)) + ": " + std::to_string(e.arg) + " pages");
    } else {
        view.lines.push_back("the initiator's flush is not in the recording");
    }
    const std::uint32_t listed = std::min(s.target_count, kListedTargets);
    for (std::uint32_t t = 0; t < listed; ++t)
        view.lines.push_back(target_line(log, s, index.targets[s.first_target + t]));
    if (listed < s.target_count)
        view.lines.push_back("and " + std::to_string(s.target_count - listed) + " more targets");

    view.outcome = view.full
                       ? "full flush"
                       : "range flush of " + std::to_string(s.pages) + (s.pages == 1 ? " page" : " pages");
    const std::int64_t until = std::min(now, s.end);
    view.wait_cycles = s.initiator != kNoCpu ? std::max<std::int64_t>(until - s.begin, 0) : 0;
    for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t) {
        const ShootdownTarget& target = index.targets[t];
        if (target.entry == kNoEvent || target.exit == kNoEvent) continue;
        view.service_cycles +=
            std::max<std::int64_t>(std::min(log[target.exit].time, now) - log[target.entry].time, 0);
    }
    view.complete = now >= s.end;
    return view;
}

} // namespace tlbscope
