#include "engine/recording/spans.h"
#include "tests/recording/log_maker.h"
#include "tests/recording/recordings.h"

#include <gtest/gtest.h>

using namespace tlbscope;
using namespace tlbscope::test;
using Kind = EventKind;

namespace {

void expect_well_formed(const std::vector<Lane>& lanes, const EventLog& log) {
    for (std::size_t cpu = 0; cpu < lanes.size(); ++cpu) {
        EXPECT_EQ(lanes[cpu].cpu, cpu);
        std::int64_t before = INT64_MIN;
        for (const Span& s : lanes[cpu].spans) {
            EXPECT_LT(s.begin, s.end);
            EXPECT_LE(before, s.begin);
            EXPECT_LT(s.event, log.end_index());
            before = s.end;
        }
    }
}

// "kind begin-end", in order
std::vector<std::string> words(const Lane& lane) {
    std::vector<std::string> all;
    for (const Span& s : lane.spans)
        all.push_back(std::string(to_string(s.kind)) + " " + std::to_string(s.begin) + "-" +
                      std::to_string(s.end));
    return all;
}

using Words = std::vector<std::string>;

} // namespace

TEST(Lanes, ARecordedShootdown) {
    const ImportedRecording r = open("kernel_shootdowns.txt");
    const auto lanes = build_lanes(r.log, r.cpus, 0, r.log.end_index());
    ASSERT_EQ(lanes.size(), 2u);
    expect_well_formed(lanes, r.log);
    const auto at = [&](int cpu, std::int64_t us) {
        for (const Span& s : lanes[static_cast<std::size_t>(cpu)].spans)
            if (s.begin <= us * 1000 && us * 1000 < s.end) return s;
        return Span{};
    };
    EXPECT_EQ(at(0, 612'189'727).kind, SpanKind::kernel);
    EXPECT_EQ(at(0, 612'189'735).kind, SpanKind::flush);
    EXPECT_EQ(at(0, 612'189'735).pages, 1);
    EXPECT_EQ(at(0, 612'189'752).kind, SpanKind::wait_acks);
    EXPECT_EQ(at(0, 612'189'760).kind, SpanKind::user);
    EXPECT_EQ(at(1, 612'189'750).kind, SpanKind::user);
    EXPECT_EQ(at(1, 612'189'750).task, 17719u);
    EXPECT_EQ(at(1, 612'189'755).kind, SpanKind::service);
    EXPECT_EQ(at(1, 612'189'755).pages, 1);
    EXPECT_EQ(at(1, 612'189'755).begin, 612'189'754'000);
    EXPECT_EQ(at(1, 612'189'755).end, 612'189'756'000);
}

TEST(Lanes, NestingInnermostWins) {
    LogMaker m;
    m.add(0, 0, Kind::sys_enter, 0, 0, 0, 0, 5);
    m.add(10, 0, Kind::local_timer_entry, 236, 0, 0, 0, 5);
    m.add(12, 0, Kind::call_function_single_entry, 251, 0, 0, 0, 5);
    m.add(15, 0, Kind::call_function_single_exit, 251, 0, 0, 0, 5);
    m.add(20, 0, Kind::local_timer_exit, 236, 0, 0, 0, 5);
    m.add(30, 0, Kind::sys_exit, 0, 0, 0, 0, 5);
    m.add(40, 0, Kind::sched_switch, 0, 0, 0, 'S', 5);
    m.add(50, 0, Kind::sched_switch, 0, 0, 6, 'R', 0);
    m.add(60, 0, Kind::lost, 3);
    m.add(70, 0, Kind::sched_switch, 0, 0, 7, 'R', 6);
    m.add(80, 0, Kind::marker, 0, 0, 0, 0, 7);
    const EventLog log = m.log();
    EXPECT_EQ(words(build_lanes(log, 1, 0, 11)[0]),
              (Words{"kernel 0-10", "interrupt 10-12", "service 12-15", "interrupt 15-20", "kernel 20-30",
                     "user 30-40", "idle 40-50", "gap 50-60", "user 70-80"}));
    EXPECT_EQ(words(build_lanes(log, 1, 3, 7)[0]), (Words{"user 15-40"})); // a range knows nothing before it
    EXPECT_TRUE(build_lanes(log, 2, 0, 11)[1].spans.empty());
    EXPECT_TRUE(build_lanes(log, 0, 0, 11).empty());
    EXPECT_TRUE(build_lanes(log, 1, 5, 2)[0].spans.empty());
}

TEST(Lanes, SystemCallsMigrate) {
    LogMaker m;
    m.add(0, 0, Kind::sys_enter, 0, 0, 0, 0, 5);
    m.add(10, 0, Kind::sched_switch, 0, 0, 0, 'R', 5);
    m.add(20, 1, Kind::sched_switch, 0, 0, 5, 'R', 0);
    m.add(30, 1, Kind::sys_exit, 0, 0, 0, 0, 5);
    m.add(40, 1, Kind::marker, 0, 0, 0, 0, 5);
    EXPECT_EQ(words(build_lanes(m.log(), 2, 0, 5)[1]), (Words{"kernel 20-30", "user 30-40"}));
}

TEST(Lanes, ASimulatedShootdown) {
    LogMaker m(3.4e9);
    m.add(0, 0, Kind::page_fault_user, 0x1000);
    m.add(5, 0, Kind::page_fault_exit, 0x1000);
    m.add(8, 0, Kind::sys_enter);
    m.add(10, 0, Kind::flush_decision, 33, 1, 1, 0);
    m.flush(20, 0, FlushReason::local_mm_shootdown, 33, 1);
    m.flush(20, 0, FlushReason::remote_send_ipi, 33, 1);
    m.add(20, 0, Kind::csd_queue_cpu, csd(1, 1), 1, 1);
    m.add(20, 0, Kind::ipi_send_cpu, 0, 0, 1);
    m.add(25, 0, Kind::shootdown_wait, 0, 1, 1);
    m.add(40, 0, Kind::shootdown_done, 0, 1, 1);
    m.add(45, 0, Kind::flush_decision, 4, 2, 0, 1); // local alone
    m.flush(50, 0, FlushReason::local_mm_shootdown, 4, 2);
    m.add(60, 0, Kind::mmap_sem_blocked, 1, 0, 0, 1);
    m.add(60, 0, Kind::sched_switch, 0, 0, 0, 'S');
    m.add(70, 1, Kind::mmap_sem_acquired, 1, 0, 0, 1);
    m.add(80, 0, Kind::sched_switch, 0, 0, 1, 'R', 0);
    m.add(90, 0, Kind::sys_exit);
    m.add(95, 0, Kind::workload_record);
    const EventLog log = m.log();
    const auto lanes = build_lanes(log, 2, 0, log.end_index());
    expect_well_formed(lanes, log);
    EXPECT_EQ(words(lanes[0]), (Words{"fault 0-5", "user 5-8", "kernel 8-10", "flush 10-20", "flush 20-25",
                                      "wait_acks 25-40", "kernel 40-45", "flush 45-50", "kernel 50-60",
                                      "blocked 60-70", "idle 70-80", "kernel 80-90", "user 90-95"}));
    EXPECT_EQ(lanes[0].spans[3].pages, 33);
    EXPECT_EQ(lanes[0].spans[7].pages, kTlbFlushAll);
}

// Nothing but tlb_flush recorded: the wait ends with the acknowledgement, not with the next flush.
TEST(Lanes, TheIndexEndsAWait) {
    LogMaker m;
    m.flush(1000, 0, FlushReason::remote_send_ipi, 4);
    m.flush(2000, 0, FlushReason::local_mm_shootdown, 4);
    m.flush(5000, 1, FlushReason::remote_shootdown, 4);
    m.flush(900'000, 0, FlushReason::local_mm_shootdown, 4);
    const EventLog log = m.log();
    const ShootdownIndex index = find_shootdowns(log);
    EXPECT_EQ(words(build_lanes(log, 2, 0, 4, &index)[0]),
              (Words{"flush 1000-2000", "wait_acks 2000-5000", "user 5000-900000"}));
}

TEST(Lanes, EveryRecordingIsWellFormed) {
    for (const char* name :
         {"kernel_overrun.txt", "kernel_pipe_lost.txt", "tracecmd_dropped.txt", "perf_systemwide.txt",
          "perf_tid_no_cpu.txt", "kernel_clock_counter.txt", "kernel_clock_uptime.txt"}) {
        const ImportedRecording r = open(name);
        const ShootdownIndex index = find_shootdowns(r.log);
        expect_well_formed(build_lanes(r.log, r.cpus, 0, r.log.end_index()), r.log);
        expect_well_formed(build_lanes(r.log, r.cpus, 0, r.log.end_index(), &index), r.log);
    }
    const ImportedRecording lost = open("kernel_pipe_lost.txt");
    int gaps = 0;
    for (const Lane& lane : build_lanes(lost.log, lost.cpus, 0, lost.log.end_index()))
        for (const Span& s : lane.spans)
            gaps += s.kind == SpanKind::gap;
    EXPECT_EQ(gaps, 3); // four losses; nothing is known before the first
}
