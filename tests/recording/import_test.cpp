#include "engine/core/error.h"
#include "tests/recording/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

using namespace tlbscope;
using namespace tlbscope::test;

namespace {

std::map<int, int> reasons(const EventLog& log) {
    std::map<int, int> counts;
    for (const Event& e : events(log))
        if (e.kind == EventKind::tlb_flush) ++counts[e.sub];
    return counts;
}

std::string error_of(const std::string& name) {
    try {
        open(name);
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

std::vector<std::int64_t> times(const EventLog& log, std::int64_t divide = 1) {
    std::vector<std::int64_t> all;
    for (const Event& e : events(log))
        all.push_back(e.time / divide);
    return all;
}

} // namespace

TEST(Import, EveryLineIsAccountedFor) {
    for (const auto& entry : std::filesystem::directory_iterator(data_path(""))) {
        ImportedRecording r;
        try {
            r = import_file(entry.path().string());
        } catch (const Error&) {
            continue;
        }
        EXPECT_EQ(accounted_lines(r.report), r.report.lines) << entry.path();
        const std::string text = file_text(entry.path().string());
        EXPECT_EQ(r.report.lines, static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')))
            << entry.path();
        EXPECT_EQ(r.report.parsed + r.report.lost_lines, r.log.end_index()) << entry.path();
        EXPECT_EQ(r.report.unparsed, 0u) << entry.path();
        EXPECT_TRUE(r.report.undecoded.empty()) << entry.path();
    }
}

// One kernel buffer, printed with five sets of options.
TEST(Import, KernelOptionsChangeNothing) {
    const ImportedRecording plain = open("kernel_default.txt");
    ASSERT_EQ(plain.log.end_index(), 60u);
    for (const char* name : {"kernel_noirqinfo.txt", "kernel_verbose.txt"})
        EXPECT_EQ(difference(lines(open(name).log), lines(plain.log)), "") << name;
    // The option fields prints pointers unhashed.
    const auto without_pointers = [](const EventLog& log) {
        std::vector<std::string> all = lines(log);
        for (std::string& line : all)
            line = line.substr(0, line.find("csd="));
        return all;
    };
    EXPECT_EQ(difference(without_pointers(open("kernel_fields.txt").log), without_pointers(plain.log)), "");
    const ImportedRecording latency = open("kernel_latency.txt");
    EXPECT_EQ(latency.report.unit, TimeUnit::latency_us);
    EXPECT_EQ(payloads(latency.log),
              payloads(plain.log)); // and with them the comms, which are cut to 8 bytes there
    const std::int64_t first = plain.log[0].time - latency.log[0].time;
    for (std::uint64_t i = 0; i < 60; ++i) {
        EXPECT_EQ(latency.log[i].cpu, plain.log[i].cpu);
        EXPECT_EQ(latency.log[i].task, plain.log[i].task);
        EXPECT_NEAR(static_cast<double>(latency.log[i].time + first), static_cast<double>(plain.log[i].time),
                    1000);
    }
}

TEST(Import, TraceCmdOptionsChangeNothing) {
    const ImportedRecording precise = open("tracecmd_t.txt");
    ASSERT_EQ(precise.log.end_index(), 120u);
    EXPECT_EQ(precise.report.format, RecordingFormat::trace_cmd_report);
    EXPECT_EQ(precise.cpus, 2);
    EXPECT_EQ(difference(lines(open("tracecmd_rawts.txt").log), lines(precise.log)), "");
    for (const char* name : {"tracecmd_default.txt", "tracecmd_N.txt", "tracecmd_l.txt"}) {
        const ImportedRecording other = open(name);
        EXPECT_EQ(difference(payloads(other.log), payloads(precise.log)), "") << name;
        EXPECT_EQ(times(other.log, 1'000'000), times(precise.log, 1'000'000)) << name;
        EXPECT_EQ(other.log.names().tasks, precise.log.names().tasks) << name;
    }
}

TEST(Import, PerfColumnsChangeNothing) {
    const ImportedRecording plain = open("perf_default.txt");
    ASSERT_EQ(plain.log.end_index(), 60u);
    EXPECT_EQ(plain.report.format, RecordingFormat::perf_script);
    EXPECT_EQ(difference(lines(open("perf_flags.txt").log), lines(plain.log)), "");
    EXPECT_EQ(difference(lines(open("perf_pid_tid.txt").log), lines(plain.log)), "");
    for (const char* name : {"perf_no_comm.txt", "perf_cpu_time_only.txt", "perf_tid_no_cpu.txt"}) {
        const ImportedRecording other = open(name);
        EXPECT_EQ(difference(payloads(other.log), payloads(plain.log)), "") << name;
        EXPECT_EQ(times(other.log), times(plain.log)) << name;
    }
    EXPECT_EQ(times(open("perf_ns.txt").log, 1000), times(plain.log, 1000));
    const ImportedRecording relative = open("perf_reltime.txt");
    EXPECT_EQ(relative.log[0].time, 0);
    const ImportedRecording threads = open("perf_tid_no_cpu.txt");
    EXPECT_TRUE(threads.report.lanes_are_threads);
    EXPECT_EQ(threads.cpus, 1);
    EXPECT_FALSE(plain.report.lanes_are_threads);
}

TEST(Import, Clocks) {
    const ImportedRecording counter = open("kernel_clock_counter.txt");
    EXPECT_EQ(counter.log[0].time, 3);
    EXPECT_EQ(counter.log.ticks_per_second(), 0);
    EXPECT_TRUE(counter.report.clock.starts_with("counter"));
    EXPECT_TRUE(open("kernel_clock_counter_latency.txt").report.clock.starts_with("counter"));
    const ImportedRecording uptime = open("kernel_clock_uptime.txt");
    EXPECT_EQ(uptime.log[0].time, 61330);
    EXPECT_TRUE(uptime.report.clock.starts_with("uptime"));
    const ImportedRecording tsc = open("kernel_clock_tsc.txt");
    EXPECT_EQ(tsc.log[0].time, 1598012566670);
    EXPECT_EQ(tsc.log.ticks_per_second(), 0);
    EXPECT_TRUE(tsc.report.clock.starts_with("x86-tsc"));
    ImportOptions known;
    known.ticks_per_second = 2.6e9;
    EXPECT_EQ(open("kernel_clock_tsc.txt", known).log.ticks_per_second(), 2.6e9);
    EXPECT_EQ(open("kernel_clock_tai.txt").log[0].time, 1796059892277266000);
}

TEST(Import, LossesBecomeEvents) {
    const ImportedRecording pipe = open("kernel_pipe_lost.txt");
    EXPECT_EQ(pipe.report.parsed, 894u);
    EXPECT_EQ(pipe.report.lost_lines, 4u);
    EXPECT_EQ(pipe.report.lost_events, 212'973u);
    std::int64_t sum = 0;
    const std::vector<Event> all = events(pipe.log);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].kind == EventKind::lost) {
            sum += all[i].arg;
            ASSERT_LT(i + 1, all.size());
            EXPECT_EQ(all[i].time, all[i + 1].time);
            EXPECT_EQ(all[i].cpu, all[i + 1].cpu); // the next event of the file is the first after the gap
        }
    EXPECT_EQ(sum, 212'973);
    EXPECT_EQ(all.front().kind, EventKind::lost);

    const ImportedRecording overrun = open("kernel_overrun.txt");
    EXPECT_EQ(overrun.report.parsed, 483u);
    EXPECT_EQ(overrun.report.overwritten, 79'139u - 483u);
    EXPECT_EQ(overrun.report.losses_of_unknown_size, 1u);

    const ImportedRecording dropped = open("tracecmd_dropped.txt");
    EXPECT_EQ(dropped.report.lost_lines, 2u);
    EXPECT_EQ(dropped.report.lost_events, 27'213u);
    EXPECT_EQ(dropped.report.losses_of_unknown_size, 1u);
    EXPECT_EQ(dropped.log[1].task, 24239u); // the line after a loss has no instance prefix
    EXPECT_EQ(dropped.log.names().comm(24239), "tab\there");

    const ImportedRecording perf =
        import_text("    wl 1 [001] 1.000000: PERF_RECORD_LOST lost 1182\n"
                    "    wl 1 [001] 2.000000: tlb:tlb_flush: pages:1 reason:x (3)\n",
                    "perf");
    EXPECT_EQ(perf.report.lost_events, 1182u);
    EXPECT_EQ(perf.log[0].kind, EventKind::lost);
    EXPECT_EQ(perf.log[0].time, 1'000'000'000);
}

TEST(Import, MarkersHoldAnything) {
    for (const char* name : {"kernel_marker.txt", "tracecmd_marker.txt"}) {
        const ImportedRecording r = open(name);
        EXPECT_EQ(r.report.markers, 9u) << name;
        EXPECT_EQ(r.report.lost_lines, 0u) << name;
        EXPECT_TRUE(reasons(r.log).empty()) << name;
        EXPECT_EQ(r.log.names().texts[1], "hello: [LOST 5 EVENTS] tlb_flush: pages:9 reason:fake (7)")
            << name;
        EXPECT_EQ(r.log.names().texts[7], "utf8 \xc3\xa9\xe2\x82\xac \xff bad") << name;
    }
    const ImportedRecording lines_of_one =
        import_text("   bash-1 [000] ..... 1.000000: tracing_mark_write: one\n"
                    "two: three\n"
                    "   bash-1 [000] ..... 2.000000: tlb_flush: pages:1 reason:x (3)\n"
                    "neither\n",
                    "marker");
    EXPECT_EQ(lines_of_one.log.names().texts[1], "one\ntwo: three");
    EXPECT_EQ(lines_of_one.report.continuation, 1u);
    EXPECT_EQ(lines_of_one.report.unparsed, 1u);
    ASSERT_EQ(lines_of_one.report.examples.size(), 1u);
    EXPECT_EQ(lines_of_one.report.examples[0].line, 4u);
    EXPECT_EQ(lines_of_one.report.examples[0].text, "neither");
}

TEST(Import, PrefixesOfInstancesAndFiles) {
    const ImportedRecording r = import_text(
        "cpus=2\n"
        "a.dat: tlbvis:             bash-1 [000]     1.000000: tlb_flush:            pages=1 reason= (4)\n"
        "a.dat:                 kworker/0:1-2 [001]     2.000000: bprint:               0xc0: f: one\n"
        " gid=4\n"
        "           swapper/1-3 [001]     3.000000: new:                  x\n",
        "prefixes");
    EXPECT_EQ(r.report.parsed, 3u);
    EXPECT_EQ(r.report.unparsed, 0u);
    EXPECT_EQ(r.log.names().comm(1), "bash");
    EXPECT_EQ(r.log.names().comm(2), "kworker/0:1");
    EXPECT_EQ(r.log.names().comm(3), "swapper/1");
    EXPECT_EQ(r.log.names().texts[1], "0xc0: f: one\n gid=4");
}

TEST(Import, StacksGroupsAndHeaders) {
    EXPECT_EQ(open("kernel_stack.txt").report.stack, 110u);
    EXPECT_EQ(open("tracecmd_stack.txt").report.stack, 71u);
    EXPECT_EQ(open("perf_callchain.txt").report.stack, 52u);
    EXPECT_EQ(open("perf_mmap_events.txt").report.ignored, 7u);
    EXPECT_EQ(open("perf_header.txt").report.headers, 39u);
    EXPECT_EQ(open("perf_header.txt").cpus, 2); // nrcpus, though only CPU 0 has events
    const ImportedRecording grouped = open("kernel_tgid.txt");
    ASSERT_FALSE(grouped.log.names().groups.empty());
    EXPECT_EQ(grouped.log.names().groups[0], (std::pair<std::uint32_t, std::uint32_t>{17707, 17707}));
    const ImportedRecording empty =
        import_text("CPU 0 is empty\nCPU 1 is empty\nCPU 2 is empty\ncpus=4\n"
                    "          <idle>-0     [003]    29.704387: call_function_single_entry: "
                    "vector=251\n",
                    "four");
    EXPECT_EQ(empty.cpus, 4);
    EXPECT_EQ(empty.report.format, RecordingFormat::trace_cmd_report);
}

TEST(Import, CommsComeFromHeadsElseFromSwitches) {
    const ImportedRecording r = open("kernel_shootdowns.txt");
    EXPECT_EQ(r.log.names().comm(17714), "<evil>-77 ");
    EXPECT_EQ(r.log.names().comm(17712), "a b:c-1 [001]");
    EXPECT_EQ(r.log.names().comm(17719), "tab\there");
    EXPECT_EQ(r.log.names().comm(4711), "");
    const ImportedRecording late =
        import_text("   <...>-9 [000] ..... 1.000000: tlb_flush: pages:1 reason:x (3)\n"
                    "   a-8 [000] ..... 2.000000: sched_switch: prev_comm=a prev_pid=8 prev_prio=1 "
                    "prev_state=S ==> next_comm=late "
                    "next_pid=9 next_prio=1\n",
                    "late");
    EXPECT_EQ(late.log.names().comm(9), "late");
}

TEST(Import, BackwardStepsAreSortedAndCounted) {
    std::string text;
    for (int round = 0; round < 20; ++round) // enough for a sort that is not stable to show
        for (const char* t : {"2.000000", "1.000000", "3.000000", "1.000000", "1.000000"})
            text += "   a-1 [000] ..... " + std::string(t) +
                    ": tlb_flush: pages:" + std::to_string(text.size()) + " reason:x (3)\n";
    for (const std::size_t piece : {std::size_t{10}, std::size_t{1} << 20}) {
        ImportOptions options;
        options.piece_bytes = piece;
        const ImportedRecording r = import_text(text, "steps", options);
        EXPECT_EQ(r.report.backward_steps, 40u);
        EXPECT_EQ(r.report.largest_backward_step, 2'000'000'000);
        const auto sorted = events(r.log);
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            EXPECT_LE(sorted[i - 1].time, sorted[i].time);
            if (sorted[i - 1].time == sorted[i].time) {
                EXPECT_LT(sorted[i - 1].arg, sorted[i].arg); // stable
            }
        }
    }
}

TEST(Import, UnknownEventsAreCountedByName) {
    const ImportedRecording r = import_text("   a-1 [000] ..... 1.000000: sched_waking: comm=a\n"
                                            "   a-1 [000] ..... 1.000000: sched_waking: comm=b\n"
                                            "   a-1 [000] ..... 1.000001: tlb_flush: [FAILED TO PARSE] x\n",
                                            "unknown");
    EXPECT_EQ(r.report.unknown.at("sched_waking"), 2u);
    EXPECT_EQ(r.report.undecoded.at("tlb_flush"), 1u);
    EXPECT_EQ(r.log.end_index(), 3u);
    EXPECT_EQ(describe(r.log[2], r.log), "tlb_flush");
}

TEST(Import, RefusalsNameWhatWasFound) {
    EXPECT_NE(error_of("kernel_nocontext.txt").find("context-info"), std::string::npos);
    EXPECT_NE(error_of("kernel_raw.txt").find("option raw"), std::string::npos);
    EXPECT_NE(error_of("kernel_stats.txt").find("stats file"), std::string::npos);
    EXPECT_NE(error_of("tracecmd_stat.txt").find("--stat"), std::string::npos);
    EXPECT_NE(error_of("perf_report.txt").find("perf report"), std::string::npos);
    EXPECT_NE(error_of("no_such_file").find("no_such_file: cannot be opened"), std::string::npos);
    EXPECT_NE(error_of("").find("directory"), std::string::npos);
    const auto refuse = [](std::string_view bytes) -> std::string {
        try {
            import_text(bytes, "it");
        } catch (const Error& e) {
            return e.problem();
        }
        return "no error";
    };
    using namespace std::string_view_literals;
    EXPECT_NE(refuse("").find("empty"), std::string::npos);
    EXPECT_NE(refuse("\x1f\x8b\x08"sv).find("gzip"), std::string::npos);
    EXPECT_NE(refuse("\xfd"
                     "7zXZ\0"sv)
                  .find("xz"),
              std::string::npos);
    EXPECT_NE(refuse("\x28\xb5\x2f\xfd"sv).find("zstd"), std::string::npos);
    EXPECT_NE(refuse("\x17\x08\x44tracing6\0"sv).find("trace.dat"), std::string::npos);
    EXPECT_NE(refuse("PERFILE2"sv).find("perf.data"), std::string::npos);
    EXPECT_NE(refuse("{\"traceEvents\":[{\"ph\":\"B\"}]}"sv).find("Chrome"), std::string::npos);
    EXPECT_NE(refuse("[\n{\"ph\":\"X\"}"sv).find("Chrome"), std::string::npos);
    EXPECT_NE(refuse("==1== Lackey, an example Valgrind tool\nI  0401ab70,3\n"sv).find("lackey"),
              std::string::npos);
    EXPECT_NE(refuse("I  0401ab70,3\n S 1fff0006f8,8\n"sv).find("memory trace"), std::string::npos);
    EXPECT_NE(refuse("[    1.000000] Linux version 6.18\n[    1.1] x\n"sv).find("dmesg"), std::string::npos);
    EXPECT_NE(refuse("TLB: 1 2 TLB shootdowns\n"sv).find("/proc/interrupts"), std::string::npos);
    EXPECT_NE(refuse("# tracer: nop\n#\n"sv).find("not a single event"), std::string::npos);
    EXPECT_NE(refuse("\0\1\2\3"sv).find("binary"), std::string::npos);
    EXPECT_NE(refuse("  41.19%  pages:1 reason:local MM shootdown (3)\n"sv).find("percentages"),
              std::string::npos);
    EXPECT_NE(refuse("# tracer: function_graph\n 0)   0.123 us    |  /* tlb_flush: pages:1 */\n"sv)
                  .find("function_graph"),
              std::string::npos);
    EXPECT_NE(refuse("a poem\nof two lines\n"sv).find("begins with \"a poem\""), std::string::npos);
}
