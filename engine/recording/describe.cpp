#include "engine/recording/describe.h"

#include "engine/recording/cpu_mask.h"
#include "engine/recording/line_head.h"
#include "engine/recording/shootdown.h"

#include <cinttypes>
#include <cstdio>

namespace tlbscope {
namespace {

using Kind = EventKind;

constexpr std::size_t kLongestText = 200;

std::string hex(std::int64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%" PRIx64, static_cast<std::uint64_t>(value));
    return text;
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

// One line: whatever a name or marker holds.
std::string clean(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

std::string syscall_name(const Event& e, const EventLog& log) {
    const auto call = static_cast<Syscall>(e.sub);
    const std::string& name = log.names().string(e.id);
    return call == Syscall::other && !name.empty() ? name : to_string(call);
}

std::string syscall_arguments(const Event& e, const EventLog& log) {
    static constexpr const char* first[] = {"arg", "addr", "start", "start", "addr", "addr", "arg"};
    static constexpr const char* second[] = {"arg", "len", "len_in", "len", "old_len", "len", "arg"};
    const std::size_t call = e.sub < 7 ? e.sub : 6;
    std::string out =
        std::string("(") + first[call] + ": " + hex(e.arg) + ", " + second[call] + ": " + hex(e.aux);
    // what the importer kept of the last argument: "behavior: 4"
    const bool kept = call != static_cast<std::size_t>(Syscall::other) && e.id != 0;
    if (kept && !log.names().string(e.id).empty()) out += ", " + log.names().string(e.id);
    return out + ")";
}

std::string csd_text(const Event& e, const EventLog& log) {
    std::string func = is_simulated_csd(e) ? "flush_tlb_func" : log.names().string(e.id);
    char pointer[24];
    std::snprintf(pointer, sizeof pointer, "%016" PRIx64, static_cast<std::uint64_t>(e.arg));
    return "func=" + func + (e.kind == Kind::csd_queue_cpu ? " csd=" : ", csd=") + pointer;
}

std::string function_text(const std::string& name) {
    return name.empty() ? "0x0" : name + "+0x0";
}

std::string mask_text(const Event& e, const EventLog& log) {
    const auto& masks = log.names().masks;
    const auto i = static_cast<std::size_t>(e.arg);
    return i < masks.size() ? cpu_list(masks[i]) : std::string{};
}

std::string payload(const Event& e, const EventLog& log) {
    const Names& names = log.names();
    switch (e.kind) {
    case Kind::tlb_flush: {
        const auto reason = static_cast<FlushReason>(e.sub);
        const bool known = e.sub <= static_cast<int>(FlushReason::remote_wrong_cpu);
        return "pages:" + number(e.arg) + " reason:" + (known ? to_string(reason) : hex(e.sub)) + " (" +
               number(e.sub) + ")";
    }
    case Kind::csd_queue_cpu:
        return "cpu=" + number(e.aux) + " " + csd_text(e, log);
    case Kind::csd_function_entry:
    case Kind::csd_function_exit:
        return csd_text(e, log);
    case Kind::ipi_send_cpu: {
        const auto callsite = static_cast<std::uint32_t>(e.arg);
        return "cpu=" + number(e.aux) + (callsite ? " callsite=" + names.string(callsite) : "") +
               " callback=" + function_text(names.string(e.id));
    }
    case Kind::ipi_send_cpumask:
        return "cpumask=" + mask_text(e, log) + " callback=" + function_text(names.string(e.id));
    case Kind::ipi_raise:
        return "target_mask=" + mask_text(e, log) + " (" + names.string(e.id) + ")";
    case Kind::ipi_entry:
    case Kind::ipi_exit:
        return "(" + names.string(e.id) + ")";
    case Kind::call_function_single_entry:
    case Kind::call_function_single_exit:
    case Kind::call_function_entry:
    case Kind::call_function_exit:
    case Kind::reschedule_entry:
    case Kind::reschedule_exit:
    case Kind::local_timer_entry:
    case Kind::local_timer_exit:
    case Kind::irq_vector_entry:
    case Kind::irq_vector_exit:
        return "vector=" + number(e.arg);
    case Kind::sched_switch: {
        std::string next = names.string(e.id);
        if (next.empty()) next = names.comm(e.aux);
        return "prev_comm=" + names.comm(e.task) + " prev_pid=" + number(e.task) +
               " prev_state=" + (e.sub ? std::string(1, static_cast<char>(e.sub)) : std::string("?")) +
               " ==> next_comm=" + next + " next_pid=" + number(e.aux);
    }
    case Kind::sys_enter:
        return syscall_arguments(e, log);
    case Kind::sys_exit:
        return hex(e.arg);
    case Kind::page_fault_user:
    case Kind::page_fault_kernel:
        return "address=" + hex(e.arg) + " error_code=" + hex(e.aux);
    case Kind::page_fault_exit:
        return "address=" + hex(e.arg);
    case Kind::flush_decision:
        return "shootdown=" + number(e.id) + " pages=" + number(e.arg) + (e.sub ? " full" : " range") +
               " targets=" + number(e.aux);
    case Kind::shootdown_wait:
    case Kind::shootdown_done:
        return "shootdown=" + number(e.id) + " targets=" + number(e.aux);
    case Kind::ipi_ack:
        return "shootdown=" + number(e.id) + " initiator=" + number(e.aux);
    case Kind::cr3_load:
        return std::string(e.sub == 1   ? "entry from user mode"
                           : e.sub == 0 ? "exit to user mode"
                                        : "flush in the interrupt handler") +
               (e.arg == 0 ? ", nothing flushed" : "");
    case Kind::leave_mm:
        return "shootdown=" + number(e.id) + " mm=" + number(e.arg);
    case Kind::mmap_sem_blocked:
    case Kind::mmap_sem_acquired:
        return "mm=" + number(e.arg) + (e.sub ? " write" : " read");
    case Kind::workload_record:
        return "count=" + number(e.arg);
    case Kind::marker: {
        const auto i = static_cast<std::size_t>(e.arg);
        std::string text = i < names.texts.size() ? names.texts[i] : std::string{};
        if (text.size() > kLongestText) text.replace(kLongestText, std::string::npos, "…");
        return text;
    }
    case Kind::lost:
        return "CPU:" + (e.cpu == kNoCpu ? std::string("all") : number(e.cpu)) +
               (e.arg < 0 ? " [EVENTS LOST, NUMBER UNKNOWN]" : " [LOST " + number(e.arg) + " EVENTS]");
    case Kind::pv_flush:
        return "ncpus " + number(e.aux) + " addr " + hex(e.arg);
    default:
        return {};
    }
}

} // namespace

std::string event_name(const Event& e, const EventLog& log) {
    switch (e.kind) {
    case Kind::sys_enter:
    case Kind::sys_exit:
        return "sys_" + syscall_name(e, log);
    case Kind::marker:
        return "tracing_mark_write";
    case Kind::other:
    case Kind::pv_flush:
        if (!log.names().string(e.id).empty()) return log.names().string(e.id);
        break;
    case Kind::irq_vector_entry:
    case Kind::irq_vector_exit:
        if (!log.names().string(e.id).empty())
            return log.names().string(e.id) + (e.kind == Kind::irq_vector_entry ? "_entry" : "_exit");
        break;
    default:
        break;
    }
    return to_string(e.kind);
}

std::string describe(const Event& e, const EventLog& log) {
    const std::string text = payload(e, log);
    if (e.kind == Kind::sys_enter) return clean(event_name(e, log) + text);
    if (e.kind == Kind::sys_exit) return clean(event_name(e, log) + " -> " + text);
    return clean(event_name(e, log) + (text.empty() ? "" : ": ") + text);
}

std::string describe_line(const Event& e, const EventLog& log) {
    char cpu[8] = "---";
    if (e.cpu != kNoCpu) std::snprintf(cpu, sizeof cpu, "%03u", e.cpu);
    return task_name(e.task, log) + " [" + cpu + "] " + format_time(e.time, log) + ": " + describe(e, log);
}

std::string format_time(std::int64_t time, const EventLog& log) {
    if (log.ticks_per_second() != 1e9) return std::to_string(time);
    const bool minus = time < 0;
    const std::uint64_t ns = minus ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    char text[40];
    if (ns % 1000 == 0)
        std::snprintf(text, sizeof text, "%s%" PRIu64 ".%06" PRIu64, minus ? "-" : "", ns / 1'000'000'000,
                      ns / 1000 % 1'000'000);
    else
        std::snprintf(text, sizeof text, "%s%" PRIu64 ".%09" PRIu64, minus ? "-" : "", ns / 1'000'000'000,
                      ns % 1'000'000'000);
    return text;
}

std::string format_duration(std::int64_t ticks, const EventLog& log) {
    if (log.ticks_per_second() <= 0) return std::to_string(ticks) + (ticks == 1 ? " tick" : " ticks");
    if (log.ticks_per_second() != 1e9) return std::to_string(ticks) + (ticks == 1 ? " cycle" : " cycles");
    static constexpr struct {
        std::int64_t ns;
        const char* unit;
    } units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1000, "us"}};
    const bool minus = ticks < 0;
    const std::int64_t size = minus ? -ticks : ticks;
    for (const auto& u : units) {
        if (size < u.ns) continue;
        char text[48];
        std::snprintf(text, sizeof text, "%s%" PRId64 ".%03" PRId64, minus ? "-" : "", size / u.ns,
                      size % u.ns / (u.ns / 1000));
        std::string out = text;
        while (out.back() == '0')
            out.pop_back();
        if (out.back() == '.') out.pop_back();
        return out + ' ' + u.unit;
    }
    return std::to_string(ticks) + " ns";
}

std::string task_name(std::uint32_t task, const EventLog& log) {
    if (task == kNoTask) return "no task";
    const std::string& comm = log.names().comm(task);
    if (!comm.empty()) return clean(comm) + '-' + std::to_string(task);
    return task == 0 ? "<idle>-0" : "task " + std::to_string(task);
}

} // namespace tlbscope
