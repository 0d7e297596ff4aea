// Trace lines a second of the importer, beside a plain parser of the same lines and beside the search for
// newlines alone, which is what any reader of the file pays at least.
#include "engine/recording/import.h"
#include "engine/recording/shootdown.h"
#include "engine/recording/summary.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace tlbscope;

namespace {

constexpr std::size_t kBytes = 50'000'000;

// The lines of a real recording, repeated with times that go on.
const std::string& text() {
    static const std::string all = [] {
        std::ifstream file(std::string(TLBSCOPE_TEST_DATA) + "/recording/kernel_shootdowns.txt",
                           std::ios::binary);
        const std::string once{std::istreambuf_iterator<char>(file), {}};
        std::string out;
        out.reserve(kBytes + once.size());
        for (int round = 0; out.size() < kBytes; ++round) {
            std::istringstream lines(once);
            for (std::string line; std::getline(lines, line);) {
                if (line.starts_with("#")) {
                    if (round == 0) out += line + '\n';
                    continue;
                }
                const std::size_t at = line.find(" 612.");
                char seconds[16];
                std::snprintf(seconds, sizeof seconds, " %d.", 612 + round);
                out += line.replace(at, 5, seconds) + '\n';
            }
        }
        return out;
    }();
    return all;
}

// What one would write in an afternoon: getline and find, for exactly the kinds in this recording.
std::vector<Event> plain_parse(const std::string& all, std::vector<std::string>& names) {
    std::vector<Event> events;
    std::istringstream input(all);
    const auto name = [&](const std::string& text) {
        for (std::uint32_t i = 0; i < names.size(); ++i)
            if (names[i] == text) return i;
        names.push_back(text);
        return static_cast<std::uint32_t>(names.size() - 1);
    };
    const auto after = [](const std::string& text, const char* key) {
        const std::size_t at = text.find(key);
        return at == std::string::npos ? std::string{} : text.substr(at + std::strlen(key));
    };
    const auto word = [](std::string text) { return text.substr(0, text.find_first_of(" +,)")); };
    for (std::string line; std::getline(input, line);) {
        if (line.empty() || line[0] == '#') continue;
        // the comm of this recording fills the first 16 columns
        Event e;
        e.task = static_cast<std::uint32_t>(std::stoul(line.substr(17, 7)));
        e.cpu = static_cast<CpuId>(std::stoul(line.substr(26, 3)));
        std::istringstream rest(line.substr(31));
        std::string flags, time;
        rest >> flags >> time;
        const std::size_t dot = time.find('.');
        e.time = std::stoll(time.substr(0, dot)) * 1'000'000'000 + std::stoll(time.substr(dot + 1, 6)) * 1000;
        std::string event;
        std::getline(rest, event);
        event = event.substr(1);
        const std::string payload = after(event, ": ");
        if (event.starts_with("tlb_flush:")) {
            e.kind = EventKind::tlb_flush;
            e.arg = std::stoll(after(payload, "pages:"));
            e.sub = static_cast<std::uint8_t>(std::stoi(payload.substr(payload.rfind('(') + 1)));
        } else if (event.starts_with("csd_")) {
            e.kind = event.starts_with("csd_queue_cpu")        ? EventKind::csd_queue_cpu
                     : event.starts_with("csd_function_entry") ? EventKind::csd_function_entry
                                                               : EventKind::csd_function_exit;
            e.arg = std::stoll(after(payload, "csd="), nullptr, 16);
            if (e.kind == EventKind::csd_queue_cpu)
                e.aux = static_cast<std::uint32_t>(std::stoul(after(payload, "cpu=")));
            e.id = name(word(after(payload, "func=")));
        } else if (event.starts_with("ipi_send_cpu:")) {
            e.kind = EventKind::ipi_send_cpu;
            e.aux = static_cast<std::uint32_t>(std::stoul(after(payload, "cpu=")));
            e.arg = name(word(after(payload, "callsite=")));
            e.id = name(word(after(payload, "callback=")));
        } else if (event.starts_with("call_function_single_")) {
            e.kind = event.starts_with("call_function_single_entry") ? EventKind::call_function_single_entry
                                                                     : EventKind::call_function_single_exit;
            e.arg = std::stoll(after(payload, "vector="));
        } else if (event.starts_with("sched_switch:")) {
            e.kind = EventKind::sched_switch;
            const std::size_t pid = payload.rfind(" next_pid=");
            const std::size_t comm = payload.rfind("next_comm=");
            e.aux = static_cast<std::uint32_t>(std::stoul(payload.substr(pid + 10)));
            e.sub = static_cast<std::uint8_t>(payload[payload.rfind("prev_state=") + 11]);
            e.id = name(payload.substr(comm + 10, pid - comm - 10));
        } else if (event.starts_with("page_fault_user:")) {
            e.kind = EventKind::page_fault_user;
            e.arg = std::stoll(after(payload, "address="), nullptr, 16);
            e.aux = static_cast<std::uint32_t>(std::stoul(after(payload, "error_code="), nullptr, 16));
        } else if (event.starts_with("sys_")) {
            const bool exit = event.find(" -> ") != std::string::npos;
            e.kind = exit ? EventKind::sys_exit : EventKind::sys_enter;
            e.sub = static_cast<std::uint8_t>(event.starts_with("sys_munmap")    ? Syscall::munmap
                                              : event.starts_with("sys_madvise") ? Syscall::madvise
                                                                                 : Syscall::mprotect);
            if (exit) {
                e.arg = static_cast<std::int64_t>(std::stoull(after(event, " -> "), nullptr, 16));
            } else {
                e.arg = std::stoll(after(event, ": "), nullptr, 16);
                e.aux = static_cast<std::uint32_t>(std::stoul(
                    after(event, ", len").substr(after(event, ", len").find(':') + 1), nullptr, 16));
                for (const char* last : {"behavior: ", "prot: "})
                    if (event.find(last) != std::string::npos) e.id = name(last + word(after(event, last)));
            }
        }
        events.push_back(e);
    }
    return events;
}

// Both must have read the same, names compared as text.
bool same(const EventLog& log, const std::vector<Event>& events, const std::vector<std::string>& names) {
    if (log.end_index() != events.size()) return false;
    for (std::size_t i = 0; i < events.size(); ++i) {
        Event a = log[i], b = events[i];
        if (log.names().string(a.id) != names[b.id]) return false;
        if (a.kind == EventKind::ipi_send_cpu) {
            if (log.names().string(static_cast<std::uint32_t>(a.arg)) !=
                names[static_cast<std::size_t>(b.arg)])
                return false;
            a.arg = b.arg = 0;
        }
        a.id = b.id = 0;
        if (a != b) return false;
    }
    return true;
}

void rates(benchmark::State& state, std::size_t lines) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lines));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text().size()));
}

std::size_t line_count() {
    static const std::size_t count = [] {
        std::size_t n = 0;
        for (const char c : text())
            n += c == '\n';
        return n;
    }();
    return count;
}

void import(benchmark::State& state) {
    ImportOptions options;
    options.threads = static_cast<int>(state.range(0));
    text(); // made before the clock runs
    std::uint64_t events = 0;
    for (auto _ : state)
        events = import_text(text(), "bench", options).log.end_index();
    if (events + 12 != line_count()) state.SkipWithError("lines were lost");
    rates(state, line_count());
}

void plain_reference(benchmark::State& state) {
    std::vector<std::string> names;
    std::vector<Event> events;
    text();
    for (auto _ : state) {
        names.assign(1, "");
        events = plain_parse(text(), names);
        benchmark::DoNotOptimize(events.data());
    }
    if (!same(import_text(text(), "bench").log, events, names))
        state.SkipWithError("the two parsers disagree");
    rates(state, line_count());
}

void newlines_alone(benchmark::State& state) {
    text();
    for (auto _ : state) {
        std::size_t n = 0;
        const char* p = text().data();
        const char* const end = p + text().size();
        while ((p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))))) {
            ++n;
            ++p;
        }
        benchmark::DoNotOptimize(n);
    }
    rates(state, line_count());
}

void shootdowns(benchmark::State& state) {
    const ImportedRecording recording = import_text(text(), "bench");
    for (auto _ : state)
        benchmark::DoNotOptimize(find_shootdowns(recording.log).shootdowns.size());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(recording.log.end_index()));
}

void summary(benchmark::State& state) {
    const ImportedRecording recording = import_text(text(), "bench");
    const ShootdownIndex index = find_shootdowns(recording.log);
    for (auto _ : state)
        benchmark::DoNotOptimize(summarize(recording, index, "bench").flushes);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(recording.log.end_index()));
}

} // namespace

BENCHMARK(import)
    ->Name("recording/import/threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(plain_reference)->Name("recording/plain_reference")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(newlines_alone)->Name("recording/newlines_alone")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(shootdowns)->Name("recording/find_shootdowns")->Unit(benchmark::kMillisecond);
BENCHMARK(summary)->Name("recording/summarize")->Unit(benchmark::kMillisecond);
