// Jumps and steps in a recording show the same as reading it from the start.
#include "engine/core/error.h"
#include "engine/session/recording_player.h"

#include <gtest/gtest.h>

#include <random>

namespace tlbscope {
namespace {

EventLog random_log(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const EventKind kinds[] = {EventKind::sched_switch,
                               EventKind::sys_enter,
                               EventKind::sys_exit,
                               EventKind::tlb_flush,
                               EventKind::call_function_single_entry,
                               EventKind::call_function_single_exit,
                               EventKind::page_fault_user,
                               EventKind::local_timer_entry,
                               EventKind::local_timer_exit,
                               EventKind::ipi_send_cpu,
                               EventKind::lost,
                               EventKind::other};
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    std::int64_t time = 1'000'000;
    for (std::size_t done = 0; done < count;) {
        EventLog::Block block;
        for (; block.size() < EventLog::kBlock && done < count; ++done) {
            Event e;
            e.time = time += static_cast<std::int64_t>(random() % 3) * 500;
            e.cpu = static_cast<CpuId>(random() % 6);
            e.task = static_cast<std::uint32_t>(random() % 5);
            e.kind = kinds[random() % std::size(kinds)];
            e.sub = static_cast<std::uint8_t>(e.kind == EventKind::tlb_flush ? random() % 7 : 0);
            e.arg = static_cast<std::int64_t>(random() % 40) - 1;
            e.aux = static_cast<std::uint32_t>(random() % 6);
            block.push_back(e);
        }
        blocks.push_back(std::make_shared<const EventLog::Block>(std::move(block)));
    }
    return EventLog(blocks, 0, 1e9, std::make_shared<Names>());
}

void expect_same(const Snapshot& a, const Snapshot& b) {
    ASSERT_EQ(a.cursor, b.cursor);
    EXPECT_EQ(a.now, b.now);
    EXPECT_EQ(a.counters.flushes_by_reason, b.counters.flushes_by_reason);
    EXPECT_EQ(a.counters.context_switches, b.counters.context_switches);
    EXPECT_EQ(a.counters.nr_tlb_local_flush_one, b.counters.nr_tlb_local_flush_one);
    ASSERT_EQ(a.cpus.size(), b.cpus.size());
    for (std::size_t i = 0; i < a.cpus.size(); ++i) {
        EXPECT_EQ(a.cpus[i].state, b.cpus[i].state) << i;
        EXPECT_EQ(a.cpus[i].task, b.cpus[i].task) << i;
        EXPECT_EQ(a.cpus[i].buckets, b.cpus[i].buckets) << i;
    }
    EXPECT_EQ(a.buckets_window, b.buckets_window);
    EXPECT_EQ(a.ipis.size(), b.ipis.size());
}

TEST(RecordingPlayer, JumpsShowWhatReadingOnShows) {
    const auto recording = Recording::prepare(random_log(30000, 1), "r", "");
    RecordingPlayer jumper(recording);
    std::mt19937_64 random(2);
    for (int i = 0; i < 300; ++i) {
        const std::uint64_t at = random() % 30000;
        RecordingPlayer walker(recording);
        walker.seek(at > 50 ? at - 50 : 0);
        Snapshot walked, jumped;
        walker.fill(ViewNeeds{}, 0, walked);
        walked = {};
        for (std::uint64_t n = walker.cursor(); n < at; ++n)
            walker.step_events(1);
        walker.fill(ViewNeeds{}, 0, walked);
        jumper.seek(at);
        jumper.fill(ViewNeeds{}, 0, jumped);
        expect_same(walked, jumped);
        if (testing::Test::HasFailure()) return;
    }
}

// The state at an event, worked out anew from the first event.
TEST(RecordingPlayer, CountsWhatIsInTheLogUpToTheCursor) {
    const EventLog log = random_log(20000, 3);
    RecordingPlayer player(Recording::prepare(log, "r", ""));
    for (std::uint64_t at = 0; at<20000; at += at % 4096> 4090 || at % 4096 < 5 ? 1 : 83) {
        std::array<std::uint64_t, 7> reasons{};
        std::uint64_t switches = 0;
        for (std::uint64_t i = 0; i <= at; ++i) {
            if (log[i].kind == EventKind::tlb_flush) ++reasons[std::min<std::size_t>(log[i].sub, 6)];
            switches += log[i].kind == EventKind::sched_switch;
        }
        player.seek(at);
        Snapshot s;
        player.fill(ViewNeeds{}, 0, s);
        EXPECT_EQ(s.counters.flushes_by_reason, reasons);
        EXPECT_EQ(s.counters.context_switches, switches);
        EXPECT_EQ(s.event_count, at + 1);
    }
}

TEST(RecordingPlayer, CyclesHaveAtMostOneOwner) {
    const EventLog log = random_log(20000, 4);
    RecordingPlayer player(Recording::prepare(log, "r", ""));
    player.seek(19999);
    Snapshot s;
    player.fill(ViewNeeds{}, 0, s);
    for (const CpuView& cpu : s.cpus) {
        Cycles sum = 0;
        for (Cycles c : cpu.buckets) {
            EXPECT_GE(c, 0);
            sum += c;
        }
        EXPECT_GT(sum, 0);
        EXPECT_LE(sum, s.now - log[0].time);
    }
}

TEST(RecordingPlayer, TimeAndEventAgree) {
    const EventLog log = random_log(9000, 5);
    RecordingPlayer player(Recording::prepare(log, "r", ""));
    std::mt19937_64 random(6);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t span = log[8999].time - log[0].time;
        const std::int64_t t =
            log[0].time + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span));
        player.seek_time(t);
        EXPECT_LE(log[player.cursor()].time, t);
        if (player.cursor() + 1 < 9000) {
            EXPECT_GT(log[player.cursor() + 1].time, t);
        }
    }
    player.seek_time(std::numeric_limits<std::int64_t>::max());
    EXPECT_TRUE(player.at_end());
    player.seek_time(std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(player.now(), log[0].time);
    player.step_events(-5);
    EXPECT_EQ(player.cursor(), 0u);
    player.step_events(1 << 30);
    EXPECT_EQ(player.cursor(), 8999u);
}

TEST(RecordingPlayer, WalksFlushesForward) {
    const EventLog log = random_log(5000, 7);
    RecordingPlayer player(Recording::prepare(log, "r", ""));
    player.seek(0);
    std::uint64_t seen = log[0].kind == EventKind::tlb_flush, all = 0;
    for (std::uint64_t i = 0; i < 5000; ++i)
        all += log[i].kind == EventKind::tlb_flush;
    for (std::uint64_t last = 0;; last = player.cursor(), ++seen) {
        player.go_to_next_flush();
        if (player.cursor() == last) break;
        ASSERT_EQ(log[player.cursor()].kind, EventKind::tlb_flush);
    }
    EXPECT_EQ(seen, all);
}

TEST(RecordingPlayer, NothingInItIsAnError) {
    EXPECT_THROW(Recording::prepare(EventLog{}, "empty.txt", ""), Error);
}

// One flush by the book: send, interrupt, flush on the target, return.
TEST(RecordingPlayer, ShowsAnIpiOnItsWay) {
    EventLog::Block b;
    const auto add = [&](std::int64_t time, CpuId cpu, EventKind kind, int sub, std::int64_t arg,
                         unsigned aux) {
        Event e;
        e.time = time;
        e.cpu = cpu;
        e.kind = kind;
        e.sub = static_cast<std::uint8_t>(sub);
        e.arg = arg;
        e.aux = aux;
        e.task = cpu + 100u;
        b.push_back(e);
    };
    add(1000, 0, EventKind::sys_enter, 2, 0, 4096);
    add(2000, 0, EventKind::tlb_flush, 4, 1, 0);
    add(3000, 0, EventKind::csd_queue_cpu, 0, 0x1234, 1);
    add(4000, 0, EventKind::ipi_send_cpu, 0, 0, 1);
    add(24000, 1, EventKind::call_function_single_entry, 0, 251, 0);
    add(25000, 1, EventKind::csd_function_entry, 0, 0x1234, 0);
    add(26000, 1, EventKind::tlb_flush, 1, 1, 0);
    add(27000, 1, EventKind::csd_function_exit, 0, 0x1234, 0);
    add(28000, 1, EventKind::call_function_single_exit, 0, 251, 0);
    add(30000, 0, EventKind::sys_exit, 2, 0, 0);
    RecordingPlayer player(Recording::prepare(
        EventLog({std::make_shared<const EventLog::Block>(b)}, 0, 1e9, std::make_shared<Names>()), "r", ""));
    const auto at = [&](std::int64_t t) {
        player.seek_time(t);
        Snapshot s;
        player.fill(ViewNeeds{}, 0, s);
        return s;
    };
    EXPECT_TRUE(at(1500).ipis.empty());
    EXPECT_EQ(at(1500).cpus[0].state, CpuState::syscall);
    const Snapshot half = at(14000);
    ASSERT_EQ(half.ipis.size(), 1u);
    EXPECT_EQ(half.ipis[0].phase, IpiPhase::travelling);
    EXPECT_GT(half.ipis[0].progress, 0.4f);
    EXPECT_LT(half.ipis[0].progress, 0.6f);
    EXPECT_EQ(half.cpus[0].state, CpuState::waiting);
    EXPECT_EQ(half.cpus[0].acks_needed, 1);
    EXPECT_EQ(half.cpus[0].acks_got, 0);
    const Snapshot served = at(26500);
    ASSERT_EQ(served.ipis.size(), 1u);
    EXPECT_EQ(served.ipis[0].phase, IpiPhase::servicing);
    EXPECT_EQ(served.cpus[1].state, CpuState::servicing);
    EXPECT_EQ(served.decision.pages, 1);
    EXPECT_EQ(served.decision.targets, 1);
    EXPECT_EQ(at(30000).cpus[0].state, CpuState::user);
    EXPECT_EQ(at(30000).counters.nr_tlb_remote_flush_received, 1u);
}

} // namespace
} // namespace tlbscope
