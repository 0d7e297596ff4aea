#include "engine/recording/chain.h"
#include "engine/recording/shootdown.h"
#include "tests/recording/log_maker.h"
#include "tests/recording/recordings.h"

#include <gtest/gtest.h>

using namespace tlbscope;
using namespace tlbscope::test;
using Kind = EventKind;

namespace {

// What any index must hold, whatever the log.
void expect_consistent(const EventLog& log, const ShootdownIndex& index) {
    std::uint64_t csd = 0, time = 0, unsent = 0, unmatched = 0;
    std::uint32_t next = 0;
    std::int64_t before = INT64_MIN;
    for (const Shootdown& s : index.shootdowns) {
        EXPECT_EQ(s.first_target, next);
        next += s.target_count;
        EXPECT_LE(before, s.begin);
        EXPECT_LE(s.begin, s.end);
        before = s.begin;
        for (std::uint32_t i = s.first_target; i < next; ++i) {
            const ShootdownTarget& t = index.targets[i];
            if (s.initiator == kNoCpu)
                ++unsent;
            else if (t.pairing == Pairing::by_csd)
                ++csd;
            else if (t.pairing == Pairing::by_time)
                ++time;
            else
                ++unmatched;
            for (const std::uint64_t e : {t.entry, t.flush, t.ack, t.exit})
                if (e != kNoEvent) {
                    EXPECT_EQ(log[e].cpu, t.cpu);
                }
            for (const std::uint64_t e : {t.send, t.ipi})
                if (e != kNoEvent) {
                    EXPECT_EQ(log[e].cpu, s.initiator);
                }
            if (t.pairing == Pairing::by_csd) {
                EXPECT_EQ(log[t.send].aux, t.cpu);
                EXPECT_LE(log[t.entry].time, log[t.exit == kNoEvent ? t.entry : t.exit].time);
            }
            if (t.pairing == Pairing::unmatched && s.initiator != kNoCpu) {
                EXPECT_EQ(t.entry, kNoEvent);
            }
        }
    }
    EXPECT_EQ(next, index.targets.size());
    EXPECT_EQ(csd, index.matched_by_csd);
    EXPECT_EQ(time, index.matched_by_time);
    EXPECT_EQ(unsent, index.receives_unmatched);
    EXPECT_EQ(unmatched, index.sends_unmatched);
    EXPECT_TRUE(std::is_sorted(index.by_event.begin(), index.by_event.end()));
    for (const auto& [event, number] : index.by_event) {
        EXPECT_LT(event, log.end_index());
        EXPECT_LT(number, index.shootdowns.size());
    }
}

} // namespace

TEST(Shootdowns, TheGoldenChain) {
    const ImportedRecording r = open("kernel_shootdowns.txt");
    const ShootdownIndex index = find_shootdowns(r.log);
    expect_consistent(r.log, index);
    EXPECT_EQ(index.shootdowns.size(), 19u);
    EXPECT_EQ(index.matched_by_csd, 18u);
    EXPECT_EQ(index.sends_unmatched, 0u);
    const auto number = shootdown_at(index, 612'189'734'000);
    ASSERT_TRUE(number);
    const Shootdown& s = index.shootdowns[*number];
    EXPECT_EQ(s.begin, 612'189'734'000);
    EXPECT_EQ(s.initiator, 0);
    EXPECT_EQ(s.pages, 1);
    ASSERT_EQ(s.target_count, 1u);
    const ShootdownTarget& t = index.targets[s.first_target];
    EXPECT_EQ(t.cpu, 1);
    EXPECT_EQ(t.pairing, Pairing::by_csd);
    EXPECT_EQ(delivery_time(r.log, s, t), 20'000);
    EXPECT_EQ(service_time(r.log, t), 2'000);
    EXPECT_EQ(wait_time(r.log, index, s), 5'000);
    EXPECT_EQ(r.log[t.entry].task, 17719u);
    EXPECT_EQ(r.log[s.done].kind, Kind::sys_exit);
    EXPECT_EQ(static_cast<Syscall>(r.log[s.syscall].sub), Syscall::madvise);
    for (const std::uint64_t e :
         {s.announce, t.send, t.ipi, s.local_flush, t.entry, t.flush, t.ack, t.exit, s.done})
        EXPECT_EQ(index.of_event(e), number);
    EXPECT_FALSE(index.of_event(0));

    const std::vector<std::string> chain = describe_chain(r.log, index, *number);
    ASSERT_EQ(chain.size(), 16u);
    EXPECT_EQ(chain[0],
              "shootdown 1 of 19 at 612.189734: tlb main-17709 on CPU 0, sys_madvise, 1 page, 1 target");
    EXPECT_EQ(chain[2], "  +0 ns   CPU 0  tlb main-17709  tlb_flush: pages:1 reason:remote ipi send (4)");
    EXPECT_EQ(chain[14], "CPU 1: delivered after 20 us, served in 2 us, paired by csd pointer");
    EXPECT_EQ(chain[15], "the initiator waited 5 us and went on after 23 us");
}

TEST(Shootdowns, EveryRecordingIsConsistent) {
    for (const char* name :
         {"kernel_overrun.txt", "kernel_pipe_lost.txt", "tracecmd_dropped.txt", "tracecmd_t.txt",
          "perf_systemwide.txt", "perf_header.txt", "kernel_clock_counter.txt"}) {
        SCOPED_TRACE(name);
        const ImportedRecording r = open(name);
        expect_consistent(r.log, find_shootdowns(r.log));
    }
}

TEST(Shootdowns, WithoutSendsTargetsAreFoundByTime) {
    const ImportedRecording r = open("perf_systemwide.txt"); // tlb_flush alone
    const ShootdownIndex index = find_shootdowns(r.log);
    EXPECT_GT(index.matched_by_time, 20u);
    EXPECT_EQ(index.matched_by_csd, 0u);
    for (const Shootdown& s : index.shootdowns)
        for (std::uint32_t i = s.first_target; i < s.first_target + s.target_count; ++i)
            EXPECT_EQ(index.targets[i].entry, kNoEvent); // no interrupt recorded: no delivery time is made up
}

// CPU 0 interrupts 1 and 2 with one call, CPU 2 at the same time 1: one interrupt serves two csds.
TEST(Shootdowns, SeveralInitiatorsAndTargets) {
    LogMaker m;
    const std::uint32_t func = m.string("flush_tlb_func");
    const std::int64_t a = 0x100, b = 0x200, c = 0x300;
    m.flush(10, 0, FlushReason::remote_send_ipi, 3);
    m.add(11, 0, Kind::csd_queue_cpu, a, func, 1);
    m.add(11, 0, Kind::csd_queue_cpu, b, func, 2);
    m.flush(12, 2, FlushReason::remote_send_ipi, -1);
    m.add(13, 2, Kind::csd_queue_cpu, c, func, 1);
    m.add(20, 1, Kind::call_function_single_entry, 251);
    m.add(21, 1, Kind::csd_function_entry, a, func);
    m.flush(22, 1, FlushReason::remote_shootdown, 3);
    m.add(23, 1, Kind::csd_function_exit, a, func);
    m.add(24, 1, Kind::csd_function_entry, c, func);
    m.flush(25, 1, FlushReason::remote_shootdown, -1);
    m.add(26, 1, Kind::csd_function_exit, c, func);
    m.add(27, 1, Kind::call_function_single_exit, 251);
    m.add(30, 2, Kind::call_function_single_entry, 251);
    m.add(31, 2, Kind::csd_function_entry, b, func);
    m.flush(32, 2, FlushReason::remote_wrong_cpu, 0);
    m.add(33, 2, Kind::csd_function_exit, b, func);
    m.add(34, 2, Kind::call_function_single_exit, 251);
    const EventLog log = m.log();
    const ShootdownIndex index = find_shootdowns(log);
    expect_consistent(log, index);
    ASSERT_EQ(index.shootdowns.size(), 2u);
    ASSERT_EQ(index.shootdowns[0].target_count, 2u);
    ASSERT_EQ(index.shootdowns[1].target_count, 1u);
    EXPECT_EQ(index.matched_by_csd, 3u);
    EXPECT_EQ(log[index.targets[0].flush].time, 22);
    EXPECT_EQ(log[index.targets[1].flush].time, 32);
    EXPECT_EQ(log[index.targets[2].flush].time, 25);
    EXPECT_EQ(log[index.targets[2].entry].time, 20);
    EXPECT_EQ(log[index.targets[2].exit].time, 27);
    EXPECT_EQ(index.shootdowns[1].pages, -1);
    EXPECT_EQ(wait_time(log, index, index.shootdowns[0]), 33 - 11);
}

TEST(Shootdowns, OtherFunctionCallsAreNotShootdowns) {
    LogMaker m;
    const std::uint32_t poke = m.string("do_sync_core"), kick = m.string("nohz_full_kick_func");
    m.add(10, 0, Kind::csd_queue_cpu, 0x100, poke, 1);
    m.add(11, 0, Kind::ipi_send_cpu, 0, m.string("generic_smp_call_function_single_interrupt"), 1);
    m.add(20, 1, Kind::call_function_single_entry, 251);
    m.add(21, 1, Kind::csd_function_entry, 0x100, poke);
    m.add(22, 1, Kind::csd_function_exit, 0x100, poke);
    m.add(23, 1, Kind::call_function_single_exit, 251);
    m.add(30, 1, Kind::call_function_single_entry, 251); // nothing says what it did
    m.add(31, 1, Kind::call_function_single_exit, 251);
    m.add(40, 0, Kind::ipi_send_cpu, 0, kick, 1);
    const ShootdownIndex index = find_shootdowns(m.log());
    EXPECT_TRUE(index.shootdowns.empty());
    EXPECT_EQ(index.sends, 0u);
    EXPECT_EQ(index.receives_unmatched, 0u);
}

TEST(Shootdowns, AWakeupDuringTheWaitIsNotASend) {
    LogMaker m;
    const std::uint32_t func = m.string("flush_tlb_func");
    const std::uint32_t generic = m.string("generic_smp_call_function_single_interrupt");
    m.flush(10, 0, FlushReason::remote_send_ipi);
    m.add(11, 0, Kind::csd_queue_cpu, 0x100, func, 1);
    m.add(12, 0, Kind::ipi_send_cpu, 0, generic, 1);
    m.add(13, 0, Kind::local_timer_entry, 236);
    m.add(14, 0, Kind::csd_queue_cpu, 0x900, m.string("sched_ttwu_pending"), 2);
    m.add(15, 0, Kind::ipi_send_cpu, 0, generic, 2);
    m.add(16, 0, Kind::local_timer_exit, 236);
    m.add(17, 0, Kind::ipi_send_cpu, m.string("ttwu_queue_wakelist"), generic, 3);
    const ShootdownIndex index = find_shootdowns(m.log());
    ASSERT_EQ(index.shootdowns.size(), 1u);
    EXPECT_EQ(index.shootdowns[0].target_count, 1u);
    EXPECT_EQ(index.sends_unmatched, 1u);
}

TEST(Shootdowns, OldKernelsNameTheFunctionInTheIpi) {
    LogMaker m;
    m.names().masks.push_back({14, 17, 21});
    m.add(10, 3, Kind::ipi_send_cpumask, 1, m.string("flush_tlb_func"));
    for (const CpuId cpu : {CpuId{14}, CpuId{17}}) {
        m.add(20 + cpu, cpu, Kind::call_function_entry, 252);
        m.flush(21 + cpu, cpu, FlushReason::remote_shootdown);
        m.add(22 + cpu, cpu, Kind::call_function_exit, 252);
    }
    const EventLog log = m.log();
    const ShootdownIndex index = find_shootdowns(log);
    expect_consistent(log, index);
    ASSERT_EQ(index.shootdowns.size(), 1u);
    EXPECT_EQ(index.shootdowns[0].target_count, 3u);
    EXPECT_EQ(index.matched_by_time, 2u);
    EXPECT_EQ(index.sends_unmatched, 1u);
}

TEST(Shootdowns, AReceiveAfterTheInitiatorWentOnAnswersSomebodyElse) {
    LogMaker m;
    const std::uint32_t func = m.string("flush_tlb_func");
    m.add(5'000, 0, Kind::sys_enter);
    m.flush(10'000, 0, FlushReason::remote_send_ipi);
    m.add(11'000, 0, Kind::csd_queue_cpu, 0x100, func, 1);
    m.add(30'000, 0, Kind::sys_exit);
    m.add(90'000, 1, Kind::call_function_single_entry, 251);
    m.add(91'000, 1, Kind::csd_function_entry, 0x100, func);
    m.flush(92'000, 1, FlushReason::remote_shootdown);
    m.add(93'000, 1, Kind::csd_function_exit, 0x100, func);
    m.add(94'000, 1, Kind::call_function_single_exit, 251);
    const EventLog log = m.log();
    const ShootdownIndex index = find_shootdowns(log);
    expect_consistent(log, index);
    EXPECT_EQ(index.sends_unmatched, 1u);
    EXPECT_EQ(index.receives_unmatched, 1u);
    EXPECT_EQ(index.shootdowns[1].initiator, kNoCpu);
    EXPECT_FALSE(delivery_time(log, index.shootdowns[0], index.targets[0]));
}

TEST(Shootdowns, ALossBreaksPairingOnItsCpuOnly) {
    for (const CpuId lost_on : {CpuId{1}, CpuId{2}}) {
        LogMaker m;
        const std::uint32_t func = m.string("flush_tlb_func");
        m.flush(10, 0, FlushReason::remote_send_ipi);
        m.add(11, 0, Kind::csd_queue_cpu, 0x100, func, 1);
        m.add(15, lost_on, Kind::lost, 100);
        m.add(20, 1, Kind::call_function_single_entry, 251);
        m.add(21, 1, Kind::csd_function_entry, 0x100, func);
        m.add(22, 1, Kind::csd_function_exit, 0x100, func);
        const EventLog log = m.log();
        const ShootdownIndex index = find_shootdowns(log);
        expect_consistent(log, index);
        EXPECT_EQ(index.matched_by_csd, lost_on == 1 ? 0u : 1u);
        EXPECT_EQ(index.sends_unmatched, lost_on == 1 ? 1u : 0u);
        EXPECT_EQ(index.receives_unmatched, lost_on == 1 ? 1u : 0u);
    }
}

TEST(Shootdowns, AnnouncedButEveryCpuLazy) {
    LogMaker m;
    m.flush(10, 0, FlushReason::remote_send_ipi);
    m.flush(11, 0, FlushReason::local_mm_shootdown);
    m.add(12, 0, Kind::sys_exit);
    const ShootdownIndex index = find_shootdowns(m.log());
    ASSERT_EQ(index.shootdowns.size(), 1u);
    EXPECT_EQ(index.shootdowns[0].target_count, 0u);
    EXPECT_EQ(index.sends_unmatched, 0u);
}

// In the order in which a simulation emits: local flush first, numbers in id.
TEST(Shootdowns, SimulatedEventsPairExactly) {
    LogMaker m(3.4e9);
    m.string("a name that is not one");
    m.add(5, 0, Kind::sys_enter, 0x1000, 0, 4096, static_cast<std::uint8_t>(Syscall::munmap), 1);
    m.add(10, 0, Kind::flush_decision, 33, 1, 2, 0);
    m.flush(20, 0, FlushReason::local_mm_shootdown, 33, 1);
    m.flush(20, 0, FlushReason::remote_send_ipi, 33, 1);
    m.add(20, 0, Kind::csd_queue_cpu, csd(1, 1), 1, 1);
    m.add(20, 0, Kind::ipi_send_cpu, 0, 0, 1);
    m.add(20, 0, Kind::csd_queue_cpu, csd(1, 2), 1, 2);
    m.add(20, 0, Kind::ipi_send_cpu, 0, 0, 2);
    m.add(30, 0, Kind::shootdown_wait, 0, 1, 2);
    for (const CpuId cpu : {CpuId{1}, CpuId{2}}) {
        const std::int64_t t = 40 + 100 * cpu;
        m.add(t, cpu, Kind::call_function_single_entry, 251, 0, 0, 0, cpu + 1u);
        m.add(t + 5, cpu, Kind::csd_function_entry, csd(1, cpu), 1, 0, 0, cpu + 1u);
        if (cpu == 1)
            m.flush(t + 9, cpu, FlushReason::remote_shootdown, 33, 1);
        else
            m.add(t + 9, cpu, Kind::leave_mm, 1, 1);
        m.add(t + 9, cpu, Kind::csd_function_exit, csd(1, cpu), 1);
        m.add(t + 9, cpu, Kind::ipi_ack, 0, 1, 0);
        m.add(t + 12, cpu, Kind::call_function_single_exit, 251);
    }
    m.add(400, 0, Kind::shootdown_done, 0, 1, 2);
    m.add(410, 0, Kind::sys_exit, 0, 0, 0, static_cast<std::uint8_t>(Syscall::munmap));
    m.add(500, 0, Kind::flush_decision, 1, 2, 0, 0); // nobody else has the mm: no shootdown
    m.flush(510, 0, FlushReason::local_mm_shootdown, 1, 2);
    const EventLog log = m.log();
    const ShootdownIndex index = find_shootdowns(log);
    expect_consistent(log, index);
    ASSERT_EQ(index.shootdowns.size(), 1u);
    const Shootdown& s = index.shootdowns[0];
    EXPECT_EQ(log[s.decision].kind, Kind::flush_decision);
    EXPECT_EQ(log[s.local_flush].time, 20);
    EXPECT_EQ(log[s.done].kind, Kind::shootdown_done);
    EXPECT_EQ(s.begin, 10);
    EXPECT_EQ(s.end, 400);
    EXPECT_EQ(s.pages, 33);
    ASSERT_EQ(s.target_count, 2u);
    EXPECT_EQ(index.matched_by_csd, 2u);
    EXPECT_EQ(wait_time(log, index, s), 370);
    for (std::uint32_t i = 0; i < 2; ++i) {
        const ShootdownTarget& t = index.targets[i];
        EXPECT_EQ(t.cpu, i + 1);
        EXPECT_EQ(delivery_time(log, s, t), 20 + 100 * (i + 1));
        EXPECT_EQ(service_time(log, t), 12);
        EXPECT_EQ(log[t.flush].kind, i == 0 ? Kind::tlb_flush : Kind::leave_mm);
        EXPECT_EQ(log[t.ack].kind, Kind::ipi_ack);
    }
}

TEST(Shootdowns, NextAndPrevious) {
    const ImportedRecording r = open("kernel_shootdowns.txt");
    const ShootdownIndex index = find_shootdowns(r.log);
    std::uint64_t at = 0;
    for (std::uint32_t n = 0; n < index.shootdowns.size(); ++n) {
        const auto next = next_shootdown(r.log, index, at);
        ASSERT_EQ(next, n);
        at = first_event(index, *next);
    }
    EXPECT_FALSE(next_shootdown(r.log, index, at));
    for (std::uint32_t n = static_cast<std::uint32_t>(index.shootdowns.size()) - 1; n-- > 0;) {
        const auto previous = previous_shootdown(r.log, index, at);
        ASSERT_EQ(previous, n);
        at = first_event(index, *previous);
    }
    EXPECT_FALSE(previous_shootdown(r.log, index, at));
    EXPECT_EQ(shootdown_at(index, INT64_MAX), index.shootdowns.size() - 1);
    EXPECT_FALSE(shootdown_at(ShootdownIndex{}, 0));
}
