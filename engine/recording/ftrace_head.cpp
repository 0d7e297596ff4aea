#include "engine/recording/ftrace_head.h"

#include "engine/recording/scan.h"

namespace tlbscope {
namespace {

using namespace scan;

// A comm has 15 bytes in the kernel; prefixes, wide columns and kernel thread names need more.
constexpr std::ptrdiff_t kFarthestPid = 160;
constexpr std::size_t kCommColumn = 16;
// Seconds that still fit into signed 64-bit nanoseconds.
constexpr std::uint64_t kMaxSeconds = 9'223'372'035;

bool starts(const char* p, const char* end, std::string_view with) {
    return static_cast<std::size_t>(end - p) >= with.size() && std::memcmp(p, with.data(), with.size()) == 0;
}

// "time:" in all its forms; returns what follows the colon, nullptr when it is none.
const char* read_time(const char* p, const char* end, LineHead& head) {
    std::uint64_t whole = 0;
    const char* q = decimal(p, end, whole);
    if (q == p || q >= end || digit(*q)) return nullptr;
    if (*q == '.') {
        std::uint64_t fraction = 0;
        const char* const from = ++q;
        q = decimal(q, end, fraction);
        auto digits = q - from;
        if (digits == 0 || digits > 9 || whole > kMaxSeconds) return nullptr;
        for (; digits < 9; ++digits)
            fraction *= 10;
        head.time = static_cast<std::int64_t>(whole * 1'000'000'000 + fraction);
        head.unit = TimeUnit::seconds;
    } else if (*q == 'u' && q + 1 < end && q[1] == 's') {
        if (whole > kMaxSeconds * 1'000'000) return nullptr;
        head.time = static_cast<std::int64_t>(whole * 1000);
        head.unit = TimeUnit::latency_us;
        q += 2;
        if (q < end && *q != ':') ++q; // the delay mark: blank + ! # * @ $
    } else {
        if (whole > 0x7fffffffffffffff) return nullptr;
        head.time = static_cast<std::int64_t>(whole);
        head.unit = TimeUnit::ticks;
    }
    return q < end && *q == ':' ? q + 1 : nullptr;
}

bool read_event(const char* p, const char* end, LineHead& head) {
    p = blanks(p, end);
    if (starts(p, end, "(+")) { // report --ts-diff
        while (p < end && *p != ')')
            ++p;
        if (p == end) return false;
        p = blanks(p + 1, end);
    }
    const char* q = p;
    while (q < end && name_char(*q))
        ++q;
    head.event = {p, static_cast<std::size_t>(q - p)};
    const auto rest = [end](const char* from) {
        from = blanks(from, end);
        return std::string_view(from, static_cast<std::size_t>(end - from));
    };
    if (q == p) {
        if (starts(p, end, "<stack trace") || starts(p, end, "<user stack trace")) {
            head.shape = LineShape::stack;
            return true;
        }
        if (starts(p, end, "# ")) { // trace_marker_raw
            head.event = "raw_data";
            head.shape = LineShape::event;
            head.payload = rest(p + 2);
            return true;
        }
        return false;
    }
    if (q == end) return false;
    if (*q == ':') {
        if (q + 1 < end && !blank(q[1])) return false;
        head.shape = LineShape::event;
        head.payload = rest(q + 1);
        if (head.event == "kernel_stack" || head.event == "user_stack") head.shape = LineShape::stack;
        return true;
    }
    if (*q == '(' && head.event.starts_with("sys_")) {
        head.event.remove_prefix(4);
        head.shape = LineShape::syscall;
        head.payload = rest(q + 1);
        return true;
    }
    if (starts(q, end, " -> ") && head.event.starts_with("sys_")) {
        head.event.remove_prefix(4);
        head.shape = LineShape::syscall_exit;
        head.payload = rest(q + 4);
        return true;
    }
    if (starts(q, end, " <-")) {
        head.event = "function";
        head.shape = LineShape::function;
        head.payload = rest(p);
        return true;
    }
    return false;
}

// Everything after the pid.
bool read_after_pid(const char* p, const char* end, LineHead& head) {
    head.group = kNoTask;
    p = blanks(p, end);
    if (p < end && *p == '(') { // "(  24166)" or "(-----)"
        p = blanks(p + 1, end);
        std::uint64_t group = 0;
        const char* q = decimal(p, end, group);
        if (q != p)
            head.group = static_cast<std::uint32_t>(group);
        else
            while (q < end && *q == '-')
                ++q;
        if (q == end || *q != ')') return false;
        p = blanks(q + 1, end);
    }
    std::uint64_t cpu = 0;
    if (p < end && *p == '[') {
        const char* q = decimal(p + 1, end, cpu);
        if (q == p + 1 || q == end || *q != ']') return false;
        p = q + 1;
    } else {
        const char* q = decimal(p, end, cpu); // latency format: the flags follow at once
        if (q == p || q == end) return false;
        p = q;
    }
    if (cpu >= kNoCpu) return false;
    head.cpu = static_cast<CpuId>(cpu);

    p = blanks(p, end);
    if (p < end && !digit(*p)) { // 1 to 8 flags; the first, irqs-off, is never a digit
        const char* q = p;
        while (q < end && (digit(*q) || letter(*q) || *q == '.') && q - p < 9)
            ++q;
        if (q == p || q == end || !blank(*q)) return false;
        p = blanks(q, end);
    }
    p = read_time(p, end, head);
    return p && read_event(p, end, head);
}

// Right of a prefix such as "tlbvis: " or "a.dat: " the comm fills 16 columns, so whatever is left of
// them and ends in a colon is such a prefix.
std::string_view comm_of(std::string_view text) {
    const auto trimmed = [](std::string_view s) {
        while (!s.empty() && blank(s.front()))
            s.remove_prefix(1);
        return s;
    };
    if (text.size() > kCommColumn) {
        std::string_view left = text.substr(0, text.size() - kCommColumn);
        while (!left.empty() && blank(left.back()))
            left.remove_suffix(1);
        if (!left.empty() && left.back() == ':') return trimmed(text.substr(text.size() - kCommColumn));
    }
    // report -l cuts the comm to 8 columns.
    const std::size_t colon = text.find(": ");
    if (!text.empty() && !blank(text.front()) && colon != std::string_view::npos &&
        text.size() - colon >= 10 && text.find(' ') > colon)
        return trimmed(text.substr(colon + 2));
    return trimmed(text);
}

bool read_plain(std::string_view line, LineHead& head) {
    const char* const begin = line.data();
    const char* const end = begin + line.size();
    const char* const limit = end - begin > kFarthestPid ? begin + kFarthestPid : end;
    for (const char* p = begin; p < limit; ++p) {
        p = static_cast<const char*>(std::memchr(p, '-', static_cast<std::size_t>(limit - p)));
        if (!p) break;
        std::uint64_t pid = 0;
        const char* q = decimal(p + 1, end, pid);
        if (q == p + 1 || pid >= kNoTask) continue;
        if (q < end && !blank(*q)) continue;
        if (!read_after_pid(q, end, head)) continue;
        head.task = static_cast<std::uint32_t>(pid);
        head.comm = comm_of({begin, static_cast<std::size_t>(p - begin)});
        return true;
    }
    const char* const p = blanks(begin, end);
    if (p < end && *p == '[' && read_after_pid(p, end, head)) { // comm and pid cut off
        head.comm = {};
        head.task = kNoTask;
        return true;
    }
    return false;
}

// "bash   17707   0 1 00000002 00000000 [247cea2a] 33.530ms (+0.032ms): event…"
bool read_verbose_latency(std::string_view line, LineHead& head) {
    const std::size_t delta = line.substr(0, 200).find("ms (+");
    if (delta == std::string_view::npos) return false;
    const std::size_t after = line.find("ms): ", delta + 5);
    const std::size_t close = line.rfind(']', delta);
    if (after == std::string_view::npos || close == std::string_view::npos) return false;
    const std::size_t open = line.rfind('[', close);
    if (open == std::string_view::npos) return false;

    const char* const begin = line.data();
    std::uint64_t ms = 0, us = 0;
    const char* p = blanks(begin + close + 1, begin + delta);
    p = decimal(p, begin + delta, ms);
    if (p >= begin + delta || *p != '.' || ms > kMaxSeconds * 1000) return false;
    if (decimal(p + 1, begin + delta, us) != begin + delta || us > 999) return false;

    std::string_view left = line.substr(0, open);
    std::string_view words[5]; // pid cpu policy flags preempt-count, from the right
    for (auto* word = words + 5; word != words;) {
        while (!left.empty() && left.back() == ' ')
            left.remove_suffix(1);
        const std::size_t from = left.rfind(' ') + 1;
        *--word = left.substr(from);
        if (word->empty()) return false;
        left = left.substr(0, from);
    }
    std::int64_t pid = 0, cpu = 0;
    if (!number(words[0], pid) || !number(words[1], cpu) || pid < 0 || pid >= kNoTask || cpu < 0 ||
        cpu >= kNoCpu)
        return false;
    // "%16s %7d": one blank and the padding of the pid
    for (std::size_t width = words[0].size(); !left.empty() && left.back() == ' ' && width < 8; ++width)
        left.remove_suffix(1);
    head.comm = comm_of(left);
    head.task = static_cast<std::uint32_t>(pid);
    head.group = kNoTask;
    head.cpu = static_cast<CpuId>(cpu);
    head.time = static_cast<std::int64_t>(ms * 1'000'000 + us * 1000);
    head.unit = TimeUnit::latency_us;
    return read_event(begin + after + 4, begin + line.size(), head);
}

// "[   40.396045] " of a dump through dmesg, "> " and "| " of mails.
std::string_view without_quote(std::string_view line) {
    if (line.empty()) return line;
    if (line.front() == '>' || line.front() == '|') {
        while (!line.empty() && (line.front() == '>' || line.front() == '|' || blank(line.front())))
            line.remove_prefix(1);
        return line;
    }
    if (line.front() != '[') return line;
    const std::size_t close = line.substr(0, 24).find(']');
    if (close == std::string_view::npos) return line;
    for (const char c : line.substr(1, close - 1))
        if (!digit(c) && c != '.' && c != ' ' && c != 'T' && c != 'C') return line;
    return line.substr(close + 1);
}

} // namespace

bool read_ftrace_head(std::string_view line, LineHead& head) {
    if (line.size() < 8) return false;
    const bool quoted = line.front() == '[' || line.front() == '>' || line.front() == '|';
    if (quoted) line = without_quote(line);
    return read_plain(line, head) || read_verbose_latency(line, head);
}

} // namespace tlbscope
