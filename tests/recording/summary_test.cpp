#include "engine/recording/summary.h"
#include "tests/recording/log_maker.h"
#include "tests/recording/recordings.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tlbscope;
using namespace tlbscope::test;
namespace json = boost::json;

namespace {

Summary of(const std::string& name) {
    const ImportedRecording r = open(name);
    return summarize(r, find_shootdowns(r.log), name);
}

} // namespace

TEST(Summary, NumbersOfTheRecording) {
    const Summary s = of("kernel_shootdowns.txt");
    EXPECT_EQ(s.events, 999u);
    EXPECT_EQ(s.cpus, 2);
    ASSERT_EQ(s.reasons.size(), 6u);
    const std::uint64_t counts[] = {1, 18, 0, 18, 19, 0};
    for (std::size_t code = 0; code < 6; ++code)
        EXPECT_EQ(s.reasons[code].count, counts[code]) << code;
    EXPECT_EQ(s.full_flushes, 6u);
    EXPECT_EQ(s.shootdowns, 19u);
    EXPECT_EQ(s.without_target, 1u);
    EXPECT_EQ(s.matched_by_csd, 18u);
    EXPECT_EQ(s.announced_without_receive, 1u);
    EXPECT_EQ(s.delivery.count, 18u);
    EXPECT_EQ(s.delivery.max, 20'000);
    ASSERT_EQ(s.initiators.size(), 1u);
    EXPECT_EQ(s.initiators[0].comm, "tlb main");
    EXPECT_EQ(s.initiators[0].targets, 18u);
    EXPECT_EQ(s.callbacks[0].function, "flush_tlb_func");
    EXPECT_EQ(s.callbacks[0].executed, 18u);
    EXPECT_EQ(s.callbacks[0].executed_locally, 18u);
    EXPECT_EQ(s.syscalls.size(), 3u);
}

TEST(Summary, SumsAgree) {
    for (const char* name :
         {"kernel_shootdowns.txt", "kernel_pipe_lost.txt", "kernel_overrun.txt", "tracecmd_dropped.txt",
          "perf_systemwide.txt", "perf_default.txt", "perf_tid_no_cpu.txt", "kernel_clock_counter.txt"}) {
        SCOPED_TRACE(name);
        const Summary s = of(name);
        std::uint64_t kinds = 0, flushes = 0, full = 0, on_cpus = 0, cpu_events = 0, received = 0, lost = 0;
        for (const auto& [kind, count] : s.kinds) {
            kinds += count;
            if (kind == EventKind::lost) lost = count;
        }
        for (const ReasonCount& r : s.reasons) {
            flushes += r.count;
            full += r.full;
        }
        for (const CpuCount& c : s.per_cpu) {
            on_cpus += c.flushes;
            cpu_events += c.events;
            received += c.shootdowns_received;
        }
        EXPECT_EQ(kinds, s.events);
        EXPECT_EQ(flushes, s.flushes);
        EXPECT_EQ(full, s.full_flushes);
        EXPECT_EQ(on_cpus, s.flushes);
        EXPECT_EQ(cpu_events + lost, s.events);
        EXPECT_EQ(s.sends, s.matched_by_csd + s.matched_by_time + s.sends_unmatched);
        EXPECT_EQ(received, s.matched_by_csd + s.matched_by_time + s.receives_unmatched);
        EXPECT_LE(s.delivery.count, s.matched_by_csd + s.matched_by_time);
    }
}

TEST(Summary, DistributionsByNearestRank) {
    EXPECT_EQ(distribution({}).count, 0u);
    std::vector<std::int64_t> values;
    for (int i = 100; i >= 1; --i)
        values.push_back(i);
    const Distribution d = distribution(values);
    EXPECT_EQ(d.min, 1);
    EXPECT_EQ(d.median, 50);
    EXPECT_EQ(d.p95, 95);
    EXPECT_EQ(d.p99, 99);
    EXPECT_EQ(d.max, 100);
    EXPECT_EQ(d.total, 5050);
    EXPECT_DOUBLE_EQ(d.mean, 50.5);
    const Distribution one = distribution({7});
    EXPECT_EQ(one.median, 7);
    EXPECT_EQ(one.p99, 7);
    EXPECT_EQ(distribution({1, 2, 3}).median, 2);
}

TEST(Summary, SwitchToFlush) {
    LogMaker m;
    m.add(17'006'430'048'000, 0, EventKind::sched_switch, 0, 0, 2, 'S', 1);
    m.flush(17'006'430'111'000, 0, FlushReason::task_switch, 0);
    m.flush(17'006'430'211'000, 0, FlushReason::task_switch, 0); // no switch since
    m.add(17'006'430'300'000, 1, EventKind::sched_switch, 0, 0, 2, 'S', 1);
    m.flush(17'006'430'301'000, 0, FlushReason::task_switch, 0); // another CPU's
    const EventLog log = m.log();
    const Summary s = summarize(log, 2, find_shootdowns(log), "x");
    EXPECT_EQ(s.switch_to_flush.count, 1u);
    EXPECT_EQ(s.switch_to_flush.max, 63'000);
}

TEST(Summary, CyclesBecomeNanoseconds) {
    LogMaker m(2e9);
    m.add(1000, 0, EventKind::workload_record);
    m.add(5001, 0, EventKind::workload_record);
    const EventLog log = m.log();
    const Summary s = summarize(log, 1, find_shootdowns(log), "run");
    EXPECT_TRUE(s.nanoseconds);
    EXPECT_EQ(s.first_time, 500);
    EXPECT_EQ(s.last_time, 2501);
    EXPECT_EQ(s.format, "simulation");
    EXPECT_FALSE(of("kernel_clock_counter.txt").nanoseconds);
}

TEST(Summary, JsonHasTheDocumentedKeys) {
    const json::object o = to_json(of("kernel_pipe_lost.txt"));
    for (const char* key : {"schema",
                            "file",
                            "format",
                            "clock",
                            "time_unit",
                            "cpus",
                            "lanes_are_threads",
                            "events",
                            "first_time",
                            "last_time",
                            "duration",
                            "import",
                            "flushes",
                            "shootdowns",
                            "delivery",
                            "service",
                            "wait",
                            "switch_to_flush",
                            "initiators",
                            "victims",
                            "per_cpu",
                            "syscalls",
                            "callbacks",
                            "kinds"})
        EXPECT_TRUE(o.contains(key)) << key;
    EXPECT_EQ(o.size(), 24u);
    EXPECT_EQ(o.at("import").at("lost_events").to_number<std::uint64_t>(), 212'973u);
    EXPECT_EQ(o.at("flushes").at("by_reason").as_array().size(), 6u);
    EXPECT_EQ(o.at("time_unit"), "ns");
    // What is written can be read again, whatever bytes the recording holds.
    const json::object strange = to_json(summarize(
        import_text("   a\xff\xed\xa0\x80 b-1 [000] ..... 1.000000: new_event: x\nstray \xc3\x28 bytes\n",
                    "\xfe.txt"),
        {}, "\xfe.txt"));
    boost::system::error_code failure;
    const json::value again = json::parse(json::serialize(strange), failure);
    EXPECT_FALSE(failure) << failure.message();
    EXPECT_EQ(again, strange);
    EXPECT_FALSE(to_json(summarize(EventLog{}, 0, {}, "none")).contains("import"));
}

TEST(Summary, CsvHoldsTheSameNumbers) {
    const Summary s = of("kernel_shootdowns.txt");
    const std::string csv = to_csv(s);
    std::set<std::string> keys;
    std::size_t rows = 0;
    for (std::size_t at = 0, end; (end = csv.find('\n', at)) != std::string::npos; at = end + 1, ++rows) {
        const std::string row = csv.substr(at, end - at);
        const std::string key = row.substr(0, row.rfind(','));
        if (key.find('"') == std::string::npos) {
            EXPECT_TRUE(keys.insert(key).second) << row;
        }
    }
    EXPECT_EQ(csv.find("section,name,measure,value\n"), 0u);
    EXPECT_NE(csv.find("\nflushes,by_reason.4,count,19\n"), std::string::npos);
    EXPECT_NE(csv.find("\ndelivery,,max,20000\n"), std::string::npos);
    EXPECT_NE(csv.find("\nper_cpu,1,shootdowns_received,18\n"), std::string::npos);
    EXPECT_GT(rows, 100u);
}

TEST(Summary, TextSaysWhatWasNotUnderstood) {
    const std::string text = to_text(of("kernel_pipe_lost.txt"));
    EXPECT_NE(text.find("lost events: 212,973 in 4 losses"), std::string::npos);
    const ImportedRecording r = import_text("   a-1 [000] ..... 1.000000: new_event: x\nstray\n", "x");
    const std::string other = to_text(summarize(r, find_shootdowns(r.log), "x"));
    EXPECT_NE(other.find("line 2: stray"), std::string::npos);
    EXPECT_NE(other.find("new_event 1"), std::string::npos);
}
