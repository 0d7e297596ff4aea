// sched:sched_switch, syscalls:*, exceptions:* and the trace markers.
#include "engine/recording/decoder.h"
#include "engine/recording/scan.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tlbscope {
namespace {

using namespace scan;

constexpr auto npos = std::string_view::npos;
constexpr std::size_t kLongestText = 4096;

// The numbers of -R and of the option fields: TASK_* bits, TASK_REPORT_MAX is a preempted task.
std::uint8_t state_letter(std::string_view text) {
    std::int64_t bits = 0;
    if (text.empty()) return '?';
    if (!digit(text.front())) return static_cast<std::uint8_t>(text.front());
    if (!number(text, bits)) return '?';
    static constexpr std::array letters = {'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I'};
    for (std::size_t i = 0; i < letters.size(); ++i)
        if (bits >> i & 1) return static_cast<std::uint8_t>(letters[i]);
    return 'R';
}

// Last `key` (which ends in '=') that starts before `before`.
inline std::size_t last_key(std::string_view s, std::string_view key, std::size_t before) {
    const char* const begin = s.data();
    const char* p = begin + (before == npos || before > s.size() ? s.size() : before);
    while (p > begin &&
           (p = static_cast<const char*>(memrchr(begin, '=', static_cast<std::size_t>(p - begin)))))
        if (static_cast<std::size_t>(p + 1 - begin) >= key.size() &&
            std::memcmp(p + 1 - key.size(), key.data(), key.size()) == 0)
            return static_cast<std::size_t>(p + 1 - begin) - key.size();
    return npos;
}

void set_next(Event& event, DecodeTables& tables, std::string_view comm, std::int64_t pid) {
    event.aux = static_cast<std::uint32_t>(pid);
    event.id = tables.strings.intern(comm);
}

// "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120". Comms
// are not escaped, so everything is found from the right.
bool switch_by_fields(std::string_view payload, Event& event, DecodeTables& tables) {
    const std::size_t next_pid = last_key(payload, " next_pid=", npos);
    if (next_pid == npos) return false;
    const std::size_t next_comm = last_key(payload, "next_comm=", next_pid);
    if (next_comm == npos) return false;
    const std::size_t state = last_key(payload, "prev_state=", next_comm);
    std::int64_t pid = 0;
    if (!number(payload.substr(next_pid + 10), pid)) return false;
    set_next(event, tables, payload.substr(next_comm + 10, next_pid - next_comm - 10), pid);
    event.sub = state == npos ? std::uint8_t{'?'} : state_letter(payload.substr(state + 11));
    if (event.task == kNoTask) {
        const std::size_t prev_pid = last_key(payload, " prev_pid=", next_comm);
        if (prev_pid != npos && number(payload.substr(prev_pid + 10), pid))
            event.task = static_cast<std::uint32_t>(pid);
    }
    return true;
}

// "bash:23894 [120] S ==> bash:23892 [120]" of the libtraceevent plugin.
bool switch_by_plugin(std::string_view payload, Event& event, DecodeTables& tables) {
    const std::size_t arrow = payload.rfind(" ==> ");
    if (arrow == npos) return false;
    const std::string_view next = payload.substr(arrow + 5);
    const std::size_t priority = next.rfind(" [");
    const std::size_t colon = next.rfind(':', priority);
    std::int64_t pid = 0;
    if (colon == npos || !number(next.substr(colon + 1), pid)) return false;
    set_next(event, tables, next.substr(0, colon), pid);
    const std::size_t state = payload.rfind(' ', arrow - 1);
    event.sub = state == npos ? std::uint8_t{'?'} : state_letter(payload.substr(state + 1));
    if (event.task == kNoTask) {
        const std::string_view prev = payload.substr(0, arrow);
        const std::size_t at = prev.rfind(':', prev.rfind(" ["));
        if (at != npos && number(prev.substr(at + 1), pid)) event.task = static_cast<std::uint32_t>(pid);
    }
    return true;
}

bool sched_switch(const LineHead& head, Event& event, DecodeTables& tables) {
    return switch_by_fields(head.payload, event, tables) || switch_by_plugin(head.payload, event, tables);
}

bool page_fault(const LineHead& head, Event& event, DecodeTables&) {
    std::int64_t code = 0;
    field(head.payload, "address", event.arg); // a symbol in older kernels: the address stays 0
    if (!field(head.payload, "error_code", code)) return false;
    event.aux = static_cast<std::uint32_t>(code);
    return true;
}

bool marker(const LineHead& head, Event& event, DecodeTables& tables) {
    std::string_view text = head.payload;
    if (text.starts_with("tracing_mark_write: ")) text.remove_prefix(20);
    event.arg = static_cast<std::int64_t>(tables.texts.size());
    tables.texts.emplace_back(text.substr(0, kLongestText));
    return true;
}

struct Call {
    std::string_view name;
    Syscall call;
    bool keep_last; // its last argument, of which there are few: "behavior: 4", "prot: 1"
};
constexpr std::array kCalls = {
    Call{"munmap", Syscall::munmap, false},    Call{"madvise", Syscall::madvise, true},
    Call{"mprotect", Syscall::mprotect, true}, Call{"mremap", Syscall::mremap, false},
    Call{"mmap", Syscall::mmap, false},
};

// "addr: 0x7fa2, len: 0xc13f" and "__syscall_nr=0xb (11) addr=0x7fa2 (140) len=0xc13f (49471)": the values of
// the first arguments, and the text of the last.
int arguments(std::string_view payload, std::int64_t (&values)[2], std::string_view& last) {
    int n = 0;
    for (std::size_t i = 0; i < payload.size();) {
        while (i < payload.size() && (blank(payload[i]) || payload[i] == ','))
            ++i;
        std::size_t name = i;
        while (i < payload.size() && name_char(payload[i]))
            ++i;
        if (i == name || i >= payload.size() || (payload[i] != ':' && payload[i] != '=')) {
            while (i < payload.size() && !blank(payload[i]))
                ++i; // "(11)"
            continue;
        }
        const std::string_view key = payload.substr(name, i - name);
        ++i;
        while (i < payload.size() && blank(payload[i]))
            ++i;
        std::int64_t value = 0;
        const bool good = number(payload.substr(i), value);
        while (i < payload.size() && !blank(payload[i]) && payload[i] != ',')
            ++i;
        if (!good || key == "__syscall_nr") continue;
        if (n < 2) values[n] = value;
        ++n;
        last = payload.substr(name, i - name);
    }
    return n;
}

} // namespace

std::string_view previous_comm(std::string_view payload) {
    if (payload.starts_with("prev_comm=")) {
        const std::size_t next = last_key(payload, "next_comm=", npos);
        const std::size_t end = last_key(payload, " prev_pid=", next);
        return end == npos ? std::string_view{} : payload.substr(10, end - 10);
    }
    const std::string_view prev = payload.substr(0, payload.rfind(" ==> "));
    const std::size_t colon = prev.rfind(':', prev.rfind(" ["));
    return colon == npos ? std::string_view{} : prev.substr(0, colon);
}

bool decode_syscall(const LineHead& head, Event& event, DecodeTables& tables) {
    std::string_view name = head.event;
    bool exit = head.shape == LineShape::syscall_exit;
    if (head.shape == LineShape::event) {
        exit = name.starts_with("sys_exit_");
        if (!exit && !name.starts_with("sys_enter_")) return false; // raw_syscalls
        name.remove_prefix(exit ? 9 : 10);
    }
    if (name.empty()) return false;
    const auto row =
        std::find_if(kCalls.begin(), kCalls.end(), [name](const Call& c) { return c.name == name; });
    const bool known = row != kCalls.end();
    event.kind = exit ? EventKind::sys_exit : EventKind::sys_enter;
    event.sub = static_cast<std::uint8_t>(known ? row->call : Syscall::other);
    if (!known) event.id = tables.strings.intern(name);
    if (exit) {
        if (!field(head.payload, "ret", event.arg)) number(head.payload, event.arg);
        return true;
    }
    std::string_view payload = head.payload;
    if (!payload.empty() && payload.back() == ')') payload.remove_suffix(1);
    std::int64_t values[2] = {0, 0};
    std::string_view last;
    const int n = arguments(payload, values, last);
    event.arg = values[0];
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    event.aux = static_cast<std::uint32_t>(values[1] < 0 || values[1] > most ? most : values[1]);
    if (known && row->keep_last && n == 3) {
        // "behavior: 0x00000004" and "behavior=0x4" read "behavior: 4"
        const std::size_t mark = last.find_first_of(":=");
        std::int64_t value = 0;
        const char* const end = last.data() + last.size();
        const char* const from = blanks(last.data() + mark + 1, end);
        if (number(from, end, value) != from && value >= 0 && value < 100'000) {
            char text[64];
            std::size_t length = std::min<std::size_t>(mark, 32);
            std::memcpy(text, last.data(), length);
            text[length++] = ':';
            text[length++] = ' ';
            char digits[8];
            std::size_t count = 0;
            do
                digits[count++] = static_cast<char>('0' + value % 10);
            while (value /= 10);
            while (count)
                text[length++] = digits[--count];
            event.id = tables.strings.intern_copy({text, length});
        }
    }
    return true;
}

namespace {

constexpr std::array kRows = {
    Decoder{"sched_switch", EventKind::sched_switch, sched_switch},
    Decoder{"page_fault_user", EventKind::page_fault_user, page_fault},
    Decoder{"page_fault_kernel", EventKind::page_fault_kernel, page_fault},
    Decoder{"tracing_mark_write", EventKind::marker, marker},
    Decoder{"print", EventKind::marker, marker},
    Decoder{"bprint", EventKind::marker, marker}, // trace_printk() in trace-cmd report
    Decoder{"bputs", EventKind::marker, marker},
    Decoder{"raw_data", EventKind::marker, marker},
};

} // namespace

std::span<const Decoder> task_decoders() {
    return kRows;
}

} // namespace tlbscope
