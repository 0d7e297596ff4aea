#include "engine/recording/foreign.h"

#include "engine/core/error.h"
#include "engine/recording/scan.h"

#include <array>
#include <cstdio>

namespace tlbscope {
namespace {

using namespace std::string_view_literals;

constexpr const char* kFormats =
    "tlbscope reads kernel trace text, trace-cmd report text and perf script text";

struct Magic {
    std::string_view bytes;
    const char* what;
    const char* hint;
};

constexpr std::array kMagic = {
    Magic{"\x1f\x8b"sv, "is compressed with gzip", "unpack it first: gzip -dc FILE > trace.txt"},
    Magic{"\xfd"
          "7zXZ"sv,
          "is compressed with xz", "unpack it first: xz -dc FILE > trace.txt"},
    Magic{"\x28\xb5\x2f\xfd"sv, "is compressed with zstd", "unpack it first: zstd -dc FILE > trace.txt"},
    Magic{"BZh"sv, "is compressed with bzip2", "unpack it first: bzip2 -dc FILE > trace.txt"},
    Magic{"\x04\x22\x4d\x18"sv, "is compressed with lz4", "unpack it first: lz4 -dc FILE > trace.txt"},
    Magic{"PK\x03\x04"sv, "is a zip archive", "unpack it first"},
    Magic{"\x17\x08\x44tracing"sv, "is a trace.dat of trace-cmd, which is binary",
          "make text of it: trace-cmd report -t -i FILE > trace.txt"},
    Magic{"PERFILE2"sv, "is a perf.data file, which is binary",
          "make text of it: perf script --ns -i FILE > trace.txt"},
    Magic{"2ELIFREP"sv, "is a perf.data file of a big-endian machine, which is binary",
          "make text of it: perf script --ns -i FILE > trace.txt"},
    Magic{"\x7f"
          "ELF"sv,
          "is a program (ELF)", kFormats},
    Magic{"SQLite format 3"sv, "is an SQLite database", kFormats},
    Magic{"%PDF"sv, "is a PDF document", kFormats},
    Magic{"\x89PNG"sv, "is a PNG picture", kFormats},
};

struct Mark {
    std::string_view text;
    const char* what;
    const char* hint;
};

// Looked for anywhere in the beginning, the more specific first.
constexpr std::array kMarks = {
    Mark{"Lackey, an example Valgrind tool", "is a memory trace of Valgrind lackey, not a kernel trace",
         "it has addresses but neither times nor CPUs"},
    Mark{"<--record#->", "is a DynamoRIO memory trace listing, not a kernel trace",
         "it has addresses but no kernel events"},
    Mark{"Kernel buffer statistics:", "is the output of trace-cmd report --stat, which holds no events",
         "leave out --stat"},
    Mark{"dropped events:", "is a per-CPU stats file of tracefs, which holds no events",
         "read the file trace beside it"},
    Mark{"# Overhead", "is the output of perf report: percentages, no events in time",
         "make text of the same perf.data: perf script --ns"},
    Mark{"Overhead  ", "is the output of perf top or perf report: percentages, no events in time",
         "record with perf record -e tlb:tlb_flush -a, then perf script --ns"},
    Mark{"TLB shootdowns", "is /proc/interrupts: counts, no events in time",
         "record tlb:tlb_flush to see single shootdowns"},
    Mark{"smp_call_function_many_cond (cpu=", "is the output of a BPF tool with its own columns",
         "record the tracepoints themselves, for example with trace-cmd record -e tlb -e csd -e irq_vectors"},
    Mark{"VICTIM: tlb flush", "is the output of a SystemTap script: it has neither times nor CPUs",
         "record tlb:tlb_flush with trace-cmd or perf"},
};

bool perf_report_row(std::string_view line) {
    const char* const end = line.data() + line.size();
    const char* p = scan::blanks(line.data(), end);
    std::uint64_t n = 0;
    const char* q = scan::decimal(p, end, n);
    if (q == p || q == end || *q != '.') return false;
    q = scan::decimal(q + 1, end, n);
    return q < end && *q == '%';
}

// "17707 0 612166217138 type: 372"
bool raw_option_row(std::string_view line) {
    return line.find(" type: ") != std::string_view::npos && scan::digit(line.front());
}

bool memory_trace_row(std::string_view line) {
    const char* const end = line.data() + line.size();
    const char* p = scan::blanks(line.data(), end);
    if (end - p > 2 && (*p == 'I' || *p == 'L' || *p == 'S' || *p == 'M') && scan::blank(p[1])) {
        std::uint64_t v = 0;
        p = scan::blanks(p + 1, end);
        const char* q = scan::hexadecimal(p, end, v);
        return q != p && q < end && *q == ',';
    }
    return false;
}

bool hex_only_row(std::string_view line) {
    const char* const end = line.data() + line.size();
    const char* p = scan::blanks(line.data(), end);
    std::uint64_t v = 0;
    const char* q = scan::hexadecimal(p, end, v);
    return q - p >= 4 && scan::blanks(q, end) == end;
}

// "tlb_flush: pages:1 reason:…" with nothing before it.
bool bare_event_row(std::string_view line) {
    const char* const end = line.data() + line.size();
    const char* p = scan::blanks(line.data(), end);
    const char* q = p;
    while (q < end && scan::name_char(*q))
        ++q;
    if (q - p < 5 || q == end) return false;
    return (*q == ':' && q + 1 < end && scan::blank(q[1]) &&
            std::memchr(q, '=', static_cast<std::size_t>(end - q))) ||
           (*q == ':' && std::string_view(p, static_cast<std::size_t>(q - p)) == "tlb_flush");
}

bool dmesg_row(std::string_view line) {
    if (line.size() < 10 || line.front() != '[') return false;
    const std::size_t close = line.substr(0, 24).find("] ");
    return close != std::string_view::npos && line.substr(0, close).find('.') != std::string_view::npos;
}

// " 0)   0.123 us    |  flush_tlb_mm_range();"
bool function_graph_row(std::string_view line) {
    const char* const end = line.data() + line.size();
    const char* p = scan::blanks(line.data(), end);
    std::uint64_t cpu = 0;
    const char* q = scan::decimal(p, end, cpu);
    return q != p && q < end && *q == ')' && line.find('|') != std::string_view::npos;
}

struct Rows {
    bool (*matches)(std::string_view line);
    const char* what;
    const char* hint;
};

constexpr std::array kRows = {
    Rows{perf_report_row, "is the output of perf report or perf top: percentages, no events in time",
         "make text of the same perf.data: perf script --ns"},
    Rows{raw_option_row, "is kernel trace text with the option raw: field values without names",
         "record with: echo 0 > options/raw"},
    Rows{memory_trace_row, "is a memory trace (Valgrind lackey), not a kernel trace",
         "it has addresses but neither times nor CPUs"},
    Rows{bare_event_row, "is kernel trace text without times and CPUs (option context-info is off)",
         "record with: echo 1 > options/context-info"},
    Rows{function_graph_row, "is output of the function_graph tracer, which has no times of events",
         "record with: echo nop > current_tracer"},
    Rows{hex_only_row, "is a list of hexadecimal numbers, perhaps a page trace", kFormats},
    Rows{dmesg_row, "is a kernel log (dmesg), not a trace", kFormats},
};

bool binary(std::string_view begin) {
    return begin.substr(0, 4096).find('\0') != std::string_view::npos;
}

std::string excerpt(std::string_view text) {
    while (!text.empty() && (scan::blank(text.front()) || text.front() == '\n' || text.front() == '\r'))
        text.remove_prefix(1);
    std::string out;
    for (const char c : text.substr(0, text.find('\n')).substr(0, 60))
        out += c >= 0x20 && c < 0x7f ? c : '?';
    return out;
}

} // namespace

void refuse_foreign_bytes(std::string_view begin, const std::string& where) {
    if (begin.empty()) throw Error(where, "is empty", kFormats);
    for (const Magic& magic : kMagic)
        if (begin.starts_with(magic.bytes)) throw Error(where, magic.what, magic.hint);
    std::string_view text = begin;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    while (!text.empty() && (scan::blank(text.front()) || text.front() == '\n' || text.front() == '\r'))
        text.remove_prefix(1);
    const bool array = text.starts_with("[") && text.size() > 1 &&
                       (text[1] == '\n' || text[1] == '\r' || text[1] == '{' || text[1] == '"');
    if (text.starts_with("{\"") || text.starts_with("{\n") || text.starts_with("{\r") || array) {
        const bool perf = begin.find("linux-perf-json-version") != std::string_view::npos;
        const bool chrome = begin.find("\"ph\"") != std::string_view::npos;
        throw Error(where,
                    perf     ? "is JSON of perf data convert, which drops the fields of tracepoints"
                    : chrome ? "is a Chrome trace (JSON)"
                             : "is JSON",
                    perf ? "make text of the same perf.data: perf script --ns" : kFormats);
    }
    if (begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff"))
        throw Error(where, "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8");
}

void refuse_foreign_text(std::string_view begin, const std::string& where) {
    if (binary(begin)) {
        char first[40];
        const auto byte = [&](std::size_t i) {
            return static_cast<unsigned>(i < begin.size() ? static_cast<unsigned char>(begin[i]) : 0);
        };
        std::snprintf(first, sizeof first, "%02x %02x %02x %02x", byte(0), byte(1), byte(2), byte(3));
        throw Error(where, std::string("is binary and of no known kind; it begins with the bytes ") + first,
                    kFormats);
    }
    for (const Mark& mark : kMarks)
        if (begin.find(mark.text) != std::string_view::npos) throw Error(where, mark.what, mark.hint);

    std::array<int, kRows.size()> hits{};
    int lines = 0, headers = 0;
    std::string_view text = begin;
    while (!text.empty() && lines < 400) {
        const std::size_t newline = text.find('\n');
        const std::string_view line = text.substr(0, newline);
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        if (line.front() == '#') {
            ++headers;
            continue;
        }
        ++lines;
        for (std::size_t i = 0; i < kRows.size(); ++i)
            hits[i] += kRows[i].matches(line);
    }
    if (lines == 0 && headers > 0)
        throw Error(where, "holds headers but not a single event",
                    "was tracing on, and were events enabled? (echo 1 > events/tlb/enable)");
    for (std::size_t i = 0; i < kRows.size(); ++i)
        if (2 * hits[i] >= lines && hits[i] > 0) throw Error(where, kRows[i].what, kRows[i].hint);
    throw Error(where, "holds no line of a trace; it begins with \"" + excerpt(begin) + "\"", kFormats);
}

} // namespace tlbscope
