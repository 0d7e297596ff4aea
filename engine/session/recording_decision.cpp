// A recorded shootdown in the words of the decision panel: what the kernel traced, and when.
#include "engine/session/recording_player.h"

#include <algorithm>
#include <cstdio>

namespace tlbscope {
namespace {

constexpr std::uint32_t kListedTargets = 6, kTargetsInFull = 2;

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

const char* pairing_word(Pairing pairing) {
    switch (pairing) {
    case Pairing::by_csd:
        return "csd";
    case Pairing::by_time:
        return "by time";
    case Pairing::unmatched:
        break;
    }
    return "no send recorded";
}

// "CPU 1 [csd]: interrupt +19 us" and, where there is room, "  flush +20 us, done +22 us".
void add_target(const EventLog& log, const Shootdown& s, const ShootdownTarget& target, bool room,
                std::vector<std::string>& lines) {
    const bool counts = log.ticks_per_second() <= 0;
    const std::string cpu = "CPU " + std::to_string(target.cpu);
    if (target.entry == kNoEvent && target.flush == kNoEvent) {
        lines.push_back(cpu + ": no receive recorded");
        return;
    }
    const std::int64_t from = target.send != kNoEvent ? log[target.send].time : s.begin;
    const auto part = [&](const char* name, std::uint64_t event) {
        return event == kNoEvent ? std::string() : name + (" " + after(log[event].time - from, counts));
    };
    lines.push_back(
        cpu + " [" + pairing_word(target.pairing) +
        "]: " + (target.entry != kNoEvent ? part("interrupt", target.entry) : part("flush", target.flush)));
    if (!room || target.entry == kNoEvent) return;
    const std::string flush = part("flush", target.flush), done = part("done", target.exit);
    if (!flush.empty() || !done.empty())
        lines.push_back("  " + flush + (flush.empty() || done.empty() ? "" : ", ") + done);
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
    const std::string task = (comm.empty() ? "task " : comm + "-") + std::to_string(s.task);
    view.caller += (view.caller.empty() ? "" : ", ") + task;

    if (s.decision != kNoEvent) {
        const Event& e = log[s.decision];
        if (e.kind == EventKind::tlb_flush) {
            view.lines.push_back("tlb_flush: pages:" + std::to_string(e.arg));
            view.lines.push_back("reason:" + std::string(to_string(static_cast<FlushReason>(e.sub))) + " (" +
                                 std::to_string(e.sub) + ")");
        } else {
            view.lines.push_back(std::string(to_string(e.kind)) + ": " + std::to_string(e.arg) + " pages");
        }
    } else {
        view.lines.push_back("the initiator's flush is not in the recording");
    }
    const std::uint32_t listed = std::min(s.target_count, kListedTargets);
    for (std::uint32_t t = 0; t < listed; ++t)
        add_target(log, s, index.targets[s.first_target + t], s.target_count <= kTargetsInFull, view.lines);
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
