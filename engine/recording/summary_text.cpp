#include "engine/recording/describe.h"
#include "engine/recording/line_head.h"
#include "engine/recording/summary.h"

#include <cinttypes>
#include <cstdio>

namespace tlbscope {
namespace {

constexpr std::size_t kRows = 8;

class Text {
public:
    explicit Text(bool nanoseconds) : log_({}, 0, nanoseconds ? 1e9 : 0, std::make_shared<const Names>()) {}

    template <class... Args>
    void line(const char* format, Args... args) {
        char text[512];
        std::snprintf(text, sizeof text, format, args...);
        out_ += text;
        out_ += '\n';
    }
    void plain(const std::string& text) {
        out_ += text;
        out_ += '\n';
    }
    std::string time(std::int64_t t) const { return format_time(t, log_); }
    std::string duration(std::int64_t t) const { return format_duration(t, log_); }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
    EventLog log_; // for its unit of time
};

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return digits;
}

std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

void import_text(Text& out, const Summary& s) {
    const ImportReport& r = *s.import;
    out.line("  %s lines: %s events, %s headers, %s blank, %s call chain, %s of markers, %s ignored, %s "
             "losses, %s not "
             "understood",
             grouped(r.lines).c_str(), grouped(r.parsed).c_str(), grouped(r.headers).c_str(),
             grouped(r.blank).c_str(), grouped(r.stack).c_str(), grouped(r.continuation).c_str(),
             grouped(r.ignored).c_str(), grouped(r.lost_lines).c_str(), grouped(r.unparsed).c_str());
    for (const UnparsedLine& e : r.examples)
        out.plain("    line " + std::to_string(e.line) + ": " + one_line(e.text.substr(0, 100)));
    if (r.lost_lines > 0)
        out.line("  lost events: %s in %s losses, %s losses of unknown size", grouped(r.lost_events).c_str(),
                 grouped(r.lost_lines).c_str(), grouped(r.losses_of_unknown_size).c_str());
    else
        out.plain("  lost events: none reported");
    if (r.overwritten > 0)
        out.line("  %s older events had been overwritten in the kernel's buffer",
                 grouped(r.overwritten).c_str());
    if (r.backward_steps > 0)
        out.line("  %s lines step back in time, by up to %s; events were sorted",
                 grouped(r.backward_steps).c_str(), out.duration(r.largest_backward_step).c_str());
    if (r.unterminated) out.plain("  the last line has no end: the file may have been cut");
    if (r.cancelled) out.plain("  stopped early: only the beginning was read");
    const auto names = [&](const char* what, const std::map<std::string, std::uint64_t>& counts) {
        if (counts.empty()) return;
        std::string list;
        for (const auto& [name, count] : counts)
            list += (list.empty() ? "" : ", ") + name + " " + grouped(count);
        out.plain("  " + std::string(what) + one_line(list));
    };
    names("events kept by name only: ", r.unknown);
    names("events with a payload not understood: ", r.undecoded);
}

void distribution_text(Text& out, const char* name, const Distribution& d) {
    if (d.count == 0) return;
    out.line("  %-16s %9s %10s %10s %10s %10s %10s", name, grouped(d.count).c_str(),
             out.duration(d.min).c_str(), out.duration(d.median).c_str(), out.duration(d.p95).c_str(),
             out.duration(d.p99).c_str(), out.duration(d.max).c_str());
}

void flushes_text(Text& out, const Summary& s) {
    out.plain("");
    out.line("TLB flushes (tlb:tlb_flush): %s, %s of them full (pages:-1), %s with nothing to do (pages:0)",
             grouped(s.flushes).c_str(), grouped(s.full_flushes).c_str(),
             grouped(s.flushes_of_nothing).c_str());
    if (s.flushes == 0) return;
    out.plain("  code  reason                     count       full    nothing");
    for (const ReasonCount& r : s.reasons)
        out.line("  %4d  %-22s %9s  %9s  %9s", r.code, to_string(static_cast<FlushReason>(r.code)),
                 grouped(r.count).c_str(), grouped(r.full).c_str(), grouped(r.nothing_to_do).c_str());
}

void shootdowns_text(Text& out, const Summary& s) {
    out.plain("");
    out.line("Shootdowns: %s, %s of them sent to no CPU (all lazy)", grouped(s.shootdowns).c_str(),
             grouped(s.without_target).c_str());
    out.line("  %s sends: %s paired by csd pointer, %s by time and CPU, %s without a receive in the file",
             grouped(s.sends).c_str(), grouped(s.matched_by_csd).c_str(), grouped(s.matched_by_time).c_str(),
             grouped(s.sends_unmatched).c_str());
    out.line("  %s receives without a send in the file", grouped(s.receives_unmatched).c_str());
    out.line("  %s announcements (code 4) more than receives (codes 1 and 5)",
             grouped(s.announced_without_receive).c_str());
    if (s.delivery.count + s.service.count + s.wait.count + s.switch_to_flush.count > 0)
        out.line("  %-16s %9s %10s %10s %10s %10s %10s", "", "count", "min", "median", "p95", "p99", "max");
    distribution_text(out, "delivery", s.delivery);
    distribution_text(out, "service", s.service);
    distribution_text(out, "wait", s.wait);
    distribution_text(out, "switch to flush", s.switch_to_flush);
}

std::string who(const std::string& comm, std::uint32_t task) {
    if (task == kNoTask) return "(not recorded)";
    return one_line(comm.empty() ? "task" : comm) + "-" + std::to_string(task);
}

void tasks_text(Text& out, const Summary& s) {
    if (!s.initiators.empty()) {
        out.plain("");
        out.line("%-28s %10s %9s %9s %12s", "Initiators", "shootdowns", "full", "targets", "waited");
        for (std::size_t i = 0; i < s.initiators.size() && i < kRows; ++i) {
            const InitiatorCount& t = s.initiators[i];
            out.line("  %-26s %10s %9s %9s %12s", who(t.comm, t.task).c_str(), grouped(t.shootdowns).c_str(),
                     grouped(t.full).c_str(), grouped(t.targets).c_str(), out.duration(t.wait).c_str());
        }
    }
    if (!s.victims.empty()) {
        out.plain("");
        out.line("%-28s %10s %12s", "Interrupted", "interrupts", "served");
        for (std::size_t i = 0; i < s.victims.size() && i < kRows; ++i) {
            const VictimCount& t = s.victims[i];
            out.line("  %-26s %10s %12s", who(t.comm, t.task).c_str(), grouped(t.interrupts).c_str(),
                     out.duration(t.service).c_str());
        }
    }
}

void cpus_text(Text& out, const Summary& s) {
    out.plain("");
    out.line("%-7s %9s %9s %9s %9s %9s %10s %9s", s.lanes_are_threads ? "Thread" : "CPU", "events", "flushes",
             "sent", "received", "fn calls", "interrupts", "switches");
    std::size_t empty = 0;
    for (const CpuCount& c : s.per_cpu) {
        if (c.events == 0 && c.lost == 0) {
            ++empty;
            continue;
        }
        out.line("  %-5d %9s %9s %9s %9s %9s %10s %9s", c.cpu, grouped(c.events).c_str(),
                 grouped(c.flushes).c_str(), grouped(c.shootdowns_sent).c_str(),
                 grouped(c.shootdowns_received).c_str(), grouped(c.function_call_interrupts).c_str(),
                 grouped(c.interrupts).c_str(), grouped(c.switches).c_str());
    }
    if (empty > 0) out.line("  %s CPUs without events", grouped(empty).c_str());
}

} // namespace

std::string to_text(const Summary& s) {
    Text out(s.nanoseconds);
    out.plain(s.file + ": " + (s.import ? importer(s.import->format).title : "simulation"));
    out.line("  %s events on %d %s, %s to %s (%s)", grouped(s.events).c_str(), s.cpus,
             s.lanes_are_threads ? "threads (no CPU column: lanes are threads)"
             : s.cpus == 1       ? "CPU"
                                 : "CPUs",
             out.time(s.first_time).c_str(), out.time(s.last_time).c_str(),
             out.duration(s.last_time - s.first_time).c_str());
    out.plain("  time: " + s.clock);
    if (s.import) import_text(out, s);
    flushes_text(out, s);
    shootdowns_text(out, s);
    tasks_text(out, s);
    cpus_text(out, s);
    if (!s.callbacks.empty()) {
        out.plain("");
        out.line("%-44s %9s %9s %9s %9s", "Function calls", "queued", "IPIs", "executed", "locally");
        for (const CallbackCount& c : s.callbacks)
            out.line("  %-42s %9s %9s %9s %9s",
                     c.function.empty() ? "(none: reschedule)" : one_line(c.function).c_str(),
                     grouped(c.queued).c_str(), grouped(c.ipis).c_str(), grouped(c.executed).c_str(),
                     grouped(c.executed_locally).c_str());
    }
    if (!s.syscalls.empty()) {
        out.plain("");
        out.line("%-28s %10s %10s %10s", "System calls", "enters", "exits", "shootdowns");
        for (const SyscallCount& c : s.syscalls)
            out.line("  %-26s %10s %10s %10s", one_line(c.name).c_str(), grouped(c.enters).c_str(),
                     grouped(c.exits).c_str(), grouped(c.shootdowns).c_str());
    }
    out.plain("");
    out.plain("Events by kind");
    for (const auto& [kind, count] : s.kinds)
        out.line("  %-30s %12s", to_string(kind), grouped(count).c_str());
    return out.take();
}

} // namespace tlbscope
