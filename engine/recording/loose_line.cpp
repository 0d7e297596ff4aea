#include "engine/recording/loose_line.h"

#include "engine/recording/scan.h"

namespace tlbscope {
namespace {

using namespace scan;
constexpr auto npos = std::string_view::npos;

// The number after `key`, 0 if there is none.
std::uint64_t number_after(std::string_view line, std::string_view key) {
    const std::size_t at = line.find(key);
    if (at == npos) return 0;
    std::uint64_t value = 0;
    const char* const end = line.data() + line.size();
    decimal(blanks(line.data() + at + key.size(), end), end, value);
    return value;
}

int cpus_after(std::string_view line, std::string_view key) {
    const std::uint64_t n = number_after(line, key);
    return n <= kNoCpu ? static_cast<int>(n) : 0;
}

LooseLine lost(std::uint64_t cpu, std::int64_t count) {
    LooseLine line;
    line.kind = LooseLine::Kind::lost;
    line.cpu = cpu < kNoCpu ? static_cast<CpuId>(cpu) : kNoCpu;
    line.count = count;
    return line;
}

LooseLine header(std::string_view line) {
    LooseLine result;
    if (line.starts_with("##### CPU ")) return lost(number_after(line, "CPU "), -1); // option annotate
    result.kind = LooseLine::Kind::header;
    result.cpus = cpus_after(line, "#P:");
    if (line.starts_with("# nrcpus")) result.cpus = cpus_after(line, ":");
    const std::size_t written = line.find("entries-written:");
    if (written != npos) {
        result.entries_in_buffer = number_after(line, "entries-written:");
        const std::size_t slash = line.find('/', written);
        if (slash != npos) result.entries_written = number_after(line.substr(slash), "/");
    }
    return result;
}

// "CPU:1 [LOST 51035 EVENTS]", "CPU:0 [27213 EVENTS DROPPED]", "CPU:1 [EVENTS DROPPED]", perhaps after
// "instance: ".
bool read_lost(std::string_view line, LooseLine& result) {
    const std::size_t at = line.substr(0, 80).find("CPU:");
    if (at == npos || (at > 0 && !blank(line[at - 1])) || line.find("EVENTS") == npos) return false;
    std::uint64_t cpu = 0, count = 0;
    const char* const end = line.data() + line.size();
    const char* p = line.data() + at + 4;
    const char* q = decimal(p, end, cpu);
    if (q == p) return false;
    p = blanks(q, end);
    if (p == end || *p != '[') return false;
    const std::string_view inner(p + 1, static_cast<std::size_t>(end - p - 1));
    if (inner.starts_with("EVENTS DROPPED")) {
        result = lost(cpu, -1);
        return true;
    }
    const char* from = inner.starts_with("LOST ") ? inner.data() + 5 : inner.data();
    if (decimal(from, end, count) == from) return false;
    result = lost(cpu, static_cast<std::int64_t>(count));
    return true;
}

} // namespace

LooseLine read_loose_line(std::string_view line, bool perf) {
    LooseLine result;
    const char* const end = line.data() + line.size();
    const char* const p = blanks(line.data(), end);
    const std::string_view text(p, static_cast<std::size_t>(end - p));
    if (text.empty()) {
        result.kind = LooseLine::Kind::blank;
    } else if (line.front() == '#') {
        return header(line);
    } else if (text.starts_with("=> ")) {
        result.kind = LooseLine::Kind::stack;
    } else if (perf && p != line.data()) {
        std::uint64_t address = 0;
        const char* q = hexadecimal(p, end, address);
        if (q != p && (q == end || blank(*q))) result.kind = LooseLine::Kind::stack;
    } else if (read_lost(line, result)) {
        return result;
    } else if (line.starts_with("cpus=")) {
        result.kind = LooseLine::Kind::header;
        result.cpus = cpus_after(line, "cpus=");
    } else if (line.starts_with("version = ") || (line.starts_with("CPU ") && line.ends_with(" is empty"))) {
        result.kind = LooseLine::Kind::header;
    }
    return result;
}

} // namespace tlbscope
