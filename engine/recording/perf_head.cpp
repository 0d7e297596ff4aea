#include "engine/recording/perf_head.h"

#include "engine/recording/scan.h"

namespace tlbscope {
namespace {

using namespace scan;

constexpr std::size_t kFarthestTime = 200;
constexpr std::uint64_t kMaxSeconds = 9'223'372'035;

std::string_view trim_right(std::string_view s) {
    while (!s.empty() && blank(s.back()))
        s.remove_suffix(1);
    return s;
}

std::string_view trim_left(std::string_view s) {
    while (!s.empty() && blank(s.front()))
        s.remove_prefix(1);
    return s;
}

// Takes trailing decimal digits off `s`.
bool take_number(std::string_view& s, std::uint64_t& value) {
    std::size_t n = 0;
    while (n < s.size() && n < 10 && digit(s[s.size() - 1 - n]))
        ++n;
    if (n == 0) return false;
    decimal(s.data() + s.size() - n, s.data() + s.size(), value);
    s.remove_suffix(n);
    return true;
}

// comm, [pid/]tid and [cpu], read from the right: only the comm may hold anything.
bool read_who(std::string_view left, LineHead& head) {
    left = trim_right(left);
    // -F +misc: up to three of K U H G g… between the CPU and the time
    if (left.size() > 1 && letter(left.back())) {
        std::size_t n = 0;
        while (n < 4 && n < left.size() && letter(left[left.size() - 1 - n]))
            ++n;
        if (n < 4 && n < left.size() && blank(left[left.size() - 1 - n])) {
            const std::string_view before = trim_right(left.substr(0, left.size() - n));
            if (!before.empty() && (before.back() == ']' || digit(before.back()))) left = before;
        }
    }
    std::uint64_t value = 0;
    head.cpu = kNoCpu;
    head.task = head.group = kNoTask;
    if (!left.empty() && left.back() == ']') {
        std::string_view s = left.substr(0, left.size() - 1);
        if (!take_number(s, value) || s.empty() || s.back() != '[' || value >= kNoCpu) return false;
        head.cpu = static_cast<CpuId>(value);
        left = trim_right(s.substr(0, s.size() - 1));
    }
    if (left.empty()) {
        head.comm = {};
        return head.cpu != kNoCpu;
    }
    std::string_view s = left;
    std::size_t pid_end = s.size();
    if (s.size() > 1 && s.substr(s.size() - 2) == "-1") { // tid -1: no task
        s.remove_suffix(2);
    } else {
        if (!take_number(s, value)) return false;
        head.task = static_cast<std::uint32_t>(value);
        if (!s.empty() && s.back() == '/') {
            s.remove_suffix(1);
            pid_end = s.size();
            if (!take_number(s, value)) return false;
            head.group = static_cast<std::uint32_t>(value);
        }
    }
    if (!s.empty() && !blank(s.back())) return false;
    // One blank separates comm and pid; further ones pad the pid to 5 columns. The rest is the comm's own.
    const std::size_t width = pid_end - s.size();
    if (!s.empty()) s.remove_suffix(1);
    for (std::size_t pad = width; pad < 5 && !s.empty() && blank(s.back()); ++pad)
        s.remove_suffix(1);
    head.comm = trim_left(s);
    return true;
}

// "tlb:tlb_flush" -> "tlb_flush"; "cycles:uppp" keeps the part before its modifiers.
std::string_view event_name(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return text;
    const std::string_view tail = text.substr(colon + 1);
    if (tail.find_first_not_of("ukhGHpPSDIeWb") == std::string_view::npos && tail.size() <= 8)
        return text.substr(0, colon);
    const std::size_t modifiers = tail.find(':');
    return modifiers == std::string_view::npos ? tail : tail.substr(0, modifiers);
}

// After "time:": an optional period, then "name:" and the payload.
bool read_event(std::string_view right, LineHead& head) {
    right = trim_left(right);
    std::size_t i = 0;
    while (i < right.size() && digit(right[i]))
        ++i;
    if (i > 0 && i < right.size() && blank(right[i])) right = trim_left(right.substr(i));
    i = 0;
    while (i < right.size() && !blank(right[i]))
        ++i;
    std::string_view name = right.substr(0, i);
    head.shape = LineShape::event;
    if (name.starts_with("PERF_RECORD_")) {
        if (name.back() == ':') name.remove_suffix(1);
        head.event = name;
        head.payload = trim_left(right.substr(i));
        return true;
    }
    if (name.size() < 2 || name.back() != ':') {
        // modifiers after the colon: "cycles:uppp" at the end of the line
        const std::size_t colon = name.find(':');
        if (colon == std::string_view::npos || colon == 0) return false;
        head.event = name.substr(0, colon);
        if (!letter(name.front())) return false;
        head.payload = trim_left(right.substr(i));
        return true;
    }
    name.remove_suffix(1);
    if (!letter(name.front()) && name.front() != '_') return false;
    head.event = event_name(name);
    head.payload = trim_left(right.substr(i));
    return !head.event.empty();
}

} // namespace

bool read_perf_head(std::string_view line, LineHead& head) {
    if (line.empty() || line.front() == '#') return false;
    const char* const begin = line.data();
    const char* const limit = begin + (line.size() < kFarthestTime ? line.size() : kFarthestTime);
    for (const char* p = begin; p < limit; ++p) {
        p = static_cast<const char*>(std::memchr(p, ':', static_cast<std::size_t>(limit - p)));
        if (!p) return false;
        const char* q = p; // back over "seconds.fraction"
        while (q > begin && digit(q[-1]))
            --q;
        const auto digits = p - q;
        if (digits == 0 || digits > 9 || q == begin || q[-1] != '.') continue;
        const char* s = q - 1;
        while (s > begin && digit(s[-1]))
            --s;
        if (s == q - 1 || (s > begin && !blank(s[-1]) && s[-1] != ']')) continue;
        std::uint64_t seconds = 0, fraction = 0;
        if (decimal(s, q - 1, seconds) != q - 1 || seconds > kMaxSeconds) continue;
        decimal(q, p, fraction);
        for (auto d = digits; d < 9; ++d)
            fraction *= 10;
        if (!read_who(line.substr(0, static_cast<std::size_t>(s - begin)), head)) continue;
        if (!read_event(line.substr(static_cast<std::size_t>(p + 1 - begin)), head)) continue;
        head.time = static_cast<std::int64_t>(seconds * 1'000'000'000 + fraction);
        head.unit = TimeUnit::seconds;
        return true;
    }
    return false;
}

bool read_perf_head_without_time(std::string_view line, LineHead& head) {
    if (line.empty() || line.front() == '#' || blank(line.front())) return false;
    // The event is the last "name:" with a blank before it and nothing or a blank after it.
    const std::string_view text = trim_right(line);
    if (text.empty() || text.back() != ':') return false;
    const std::size_t from = text.find_last_of(" \t");
    if (from == std::string_view::npos) return false;
    if (!letter(text[from + 1])) return false;
    std::string_view who = text.substr(0, from);
    LineHead with_period;
    if (!read_who(who, head)) return false;
    // "java 3244 1001001 cpu-clock:": the number before the event is a period
    if (head.cpu == kNoCpu && !head.comm.empty()) {
        const std::size_t last = trim_right(who).find_last_of(" \t");
        if (last != std::string_view::npos && read_who(who.substr(0, last), with_period) &&
            with_period.task != kNoTask && !with_period.comm.empty())
            head = with_period;
    }
    head.event = event_name(text.substr(from + 1, text.size() - from - 2));
    head.payload = {};
    head.time = 0;
    head.unit = TimeUnit::none;
    head.shape = LineShape::event;
    return true;
}

} // namespace tlbscope
