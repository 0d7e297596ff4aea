// The session as the window uses it: commands from one thread, snapshots by notification.
#include "engine/core/error.h"
#include "engine/session/recording_player.h"
#include "engine/session/session.h"
#include "engine/session/simulation_track.h"
#include "tests/session/fake_machine.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <limits>

namespace tlbscope {
namespace {

using test::fake_factory;
using test::FakeMachine;

// Wakes whoever waits for a snapshot. The deadline is only there so that a broken build ends.
class Watch {
public:
    std::function<void()> notify() {
        return [this] {
            const std::lock_guard lock(mutex_);
            ++count_;
            changed_.notify_all();
        };
    }
    template <typename Predicate>
    std::shared_ptr<const Snapshot> until(Session& session, Predicate reached) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        for (;;) {
            int seen;
            {
                const std::lock_guard lock(mutex_);
                seen = count_;
            }
            auto snapshot = session.snapshot();
            if (reached(*snapshot)) return snapshot;
            std::unique_lock lock(mutex_);
            if (!changed_.wait_until(lock, deadline, [&] { return count_ != seen; })) {
                ADD_FAILURE() << "nothing new within the deadline";
                return snapshot;
            }
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int count_ = 0;
};

std::shared_ptr<Recording> small_recording(int events = 10000) {
    EventLog::Block all;
    for (int i = 0; i < events; ++i) {
        Event e;
        e.time = i * 1000;
        e.cpu = static_cast<CpuId>(i % 4);
        e.task = static_cast<std::uint32_t>(i % 4 + 1);
        e.kind = i % 10 == 0 ? EventKind::tlb_flush : EventKind::page_fault_user;
        e.sub = i % 10 == 0 ? 3 : 0;
        e.arg = 1;
        all.push_back(e);
    }
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    for (std::size_t i = 0; i < all.size(); i += EventLog::kBlock)
        blocks.push_back(std::make_shared<const EventLog::Block>(
            all.begin() + static_cast<std::ptrdiff_t>(i),
            all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), i + EventLog::kBlock))));
    return Recording::prepare(EventLog(blocks, 0, 1e9, std::make_shared<Names>()), "small", "summary");
}

std::shared_ptr<const Recording> load(const std::string& path, const LoadBytes&) {
    if (path == "bad") throw Error(path, "this is no trace");
    return small_recording();
}

constexpr double kMax = std::numeric_limits<double>::infinity();

TEST(Session, HasASnapshotFromTheStart) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    const auto s = session.snapshot();
    ASSERT_TRUE(s);
    EXPECT_EQ(s->event_count, 0u);
    EXPECT_FALSE(s->running);
    EXPECT_TRUE(s->machine);
}

TEST(Session, StepsAreTheSameAsOneRun) {
    FakeMachine plain{Scenario{}};
    plain.run_events(500);
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    for (int i = 0; i < 500; ++i)
        session.step_event();
    const auto s =
        watch.until(session, [](const Snapshot& at) { return at.event_count == 500 && !at.moving; });
    EXPECT_EQ(s->counters.page_faults, plain.event_hash());
}

TEST(Session, PlaysPausesAndGoesBack) {
    Watch watch;
    Session session(fake_factory(20), load, watch.notify());
    session.set_speed(kMax);
    session.play();
    const auto playing = watch.until(session, [](const Snapshot& at) {
        return at.event_count > 50000 && at.accesses_per_host_second > 0;
    });
    EXPECT_TRUE(playing->running);
    EXPECT_GT(playing->slowdown, 0);
    session.pause();
    const auto paused = watch.until(session, [](const Snapshot& at) { return !at.running; });
    const std::uint64_t there = paused->event_count;
    session.seek(there / 2 - 1);
    session.step_event(-1);
    const auto back =
        watch.until(session, [&](const Snapshot& at) { return at.event_count == there / 2 - 1; });
    FakeMachine plain{Scenario{}};
    plain.run_events(there / 2 - 1);
    EXPECT_EQ(back->counters.page_faults, plain.event_hash());
    EXPECT_EQ(back->now, plain.now());
    session.seek(there - 1);
    const auto again = watch.until(session, [&](const Snapshot& at) { return at.event_count == there; });
    EXPECT_EQ(again->log.end_index(), paused->log.end_index());
    EXPECT_EQ(session.take_error(), "");
}

TEST(Session, PacesToTheSpeed) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    const auto begin = std::chrono::steady_clock::now();
    session.set_speed(1e-3); // 1 ms of simulated time, 1e6 ticks, a second
    session.play();
    const auto s = watch.until(session, [](const Snapshot& at) { return at.now >= 200000; });
    const double host = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    // It cannot be ahead of time; how far it is behind depends on the machine.
    EXPECT_LE(static_cast<double>(s->now), host * 1e6);
}

TEST(Session, ParametersActOnTheRunningMachine) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    session.set_speed(kMax);
    session.play();
    Scenario scenario;
    for (int i = 0; i < 50; ++i) {
        scenario.shift = i % 10;
        session.apply(scenario);
        watch.until(session, [&](const Snapshot& at) { return at.edits == session.edits(); });
    }
    scenario.shift = 9;
    session.apply(scenario);
    const auto s = watch.until(session, [](const Snapshot& at) {
        return at.scenario.shift == 9 && !at.log.empty() && at.log[at.cursor].arg == 9;
    });
    EXPECT_EQ(s->run, 1u) << "a live change is no new run";
    EXPECT_EQ(session.scenario(), scenario);

    scenario.seed = 99;
    session.apply(scenario);
    const auto fresh = watch.until(session, [](const Snapshot& at) { return at.scenario.seed == 99; });
    EXPECT_EQ(fresh->run, 2u);
    EXPECT_TRUE(fresh->running);
}

TEST(Session, BadParameterIsAnErrorAndChangesNothing) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    session.step_event(10);
    watch.until(session, [](const Snapshot& at) { return at.event_count == 10; });
    Scenario bad;
    bad.threads = 0;
    session.apply(bad);
    bad.seed = 5;
    session.reset(bad);
    const auto s = watch.until(session, [&](const Snapshot& at) { return at.edits == 2; });
    EXPECT_EQ(s->event_count, 10u);
    EXPECT_EQ(s->scenario, Scenario{});
    EXPECT_EQ(s->run, 1u);
    EXPECT_NE(session.take_error().find("threads"), std::string::npos);
    EXPECT_EQ(session.take_error(), "");
}

TEST(Session, ChangesWaitForAMovementToArrive) {
    Watch watch;
    Session session(fake_factory(200), load, watch.notify());
    session.step_event(30000);
    Scenario scenario;
    scenario.shift = 3;
    session.apply(scenario); // when 30000 have come, not somewhere on the way
    session.step_event(100);
    const auto s =
        watch.until(session, [](const Snapshot& at) { return at.event_count > 30050 && !at.moving; });
    for (std::uint64_t i = 0; i < 30000; ++i)
        ASSERT_NE(s->log[i].arg, 3);
    EXPECT_EQ(s->log[30050].arg, 3);
}

TEST(Session, StepsAfterASeekCountFromItsPlace) {
    Watch watch;
    Session session(fake_factory(50), load, watch.notify());
    session.seek_time(100000);
    session.step_shootdown(1);
    session.step_event(2);
    ASSERT_TRUE(session.wait_for(session.mark(), 60));
    const auto s = session.snapshot();
    EXPECT_GE(s->now, 100000);
    ASSERT_GE(s->event_count, 3u);
    EXPECT_TRUE(starts_shootdown(s->log[s->event_count - 3]));
    EXPECT_LT(s->now, 150000);
}

TEST(Session, SearchWithoutEndGivesUp) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    session.step_shootdown(1 << 30);
    watch.until(session, [&](const Snapshot& at) { return at.event_count > 0 && !at.moving; });
    EXPECT_NE(session.take_error().find("no such flush"), std::string::npos);
}

TEST(Session, OpensStepsAndClosesARecording) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    session.step_event(7);
    session.open_recording("good");
    auto s = watch.until(session, [](const Snapshot& at) { return at.machine->recorded; });
    EXPECT_FALSE(session.load_progress().active);
    EXPECT_EQ(session.load_progress().summary, "summary");
    EXPECT_EQ(s->log.end_index(), 10000u);
    session.seek(5000);
    session.step_event(-1);
    s = watch.until(session, [](const Snapshot& at) { return at.cursor == 4999; });
    EXPECT_EQ(s->now, 4999 * 1000);
    EXPECT_EQ(s->cpus.size(), 4u);
    session.run_to_next_flush();
    watch.until(session, [](const Snapshot& at) { return at.cursor == 5000; });
    session.set_speed(1.0);
    session.play();
    watch.until(session, [](const Snapshot& at) { return at.cursor == 9999 && !at.running; });
    session.close_recording();
    s = watch.until(session, [](const Snapshot& at) { return !at.machine->recorded; });
    EXPECT_EQ(s->event_count, 7u);
}

TEST(Session, BadRecordingKeepsWhatWasOpen) {
    Watch watch;
    Session session(fake_factory(), load, watch.notify());
    session.step_event(7);
    session.open_recording("bad");
    watch.until(session, [&](const Snapshot&) { return !session.load_progress().error.empty(); });
    EXPECT_FALSE(session.snapshot()->machine->recorded);
    session.open_recording("good");
    const auto s = watch.until(session, [](const Snapshot& at) { return at.machine->recorded; });
    session.open_recording("bad");
    watch.until(session, [&](const Snapshot&) { return !session.load_progress().error.empty(); });
    EXPECT_EQ(session.snapshot()->run, s->run);
}

// A load that goes on until it is told to stop.
struct EndlessLoad {
    std::atomic<int> started{0}, stopped{0};
    std::shared_ptr<const Recording> operator()(const LoadBytes& progress) {
        ++started;
        std::uint64_t done = 0;
        while (progress(++done, 1u << 30))
            std::this_thread::yield();
        ++stopped;
        return nullptr;
    }
};

TEST(Session, CancelsALoadAndStartsAnother) {
    EndlessLoad endless;
    Watch watch;
    Session session(
        fake_factory(),
        [&](const std::string& path, const LoadBytes& progress) {
            return path == "endless" ? endless(progress) : load(path, progress);
        },
        watch.notify());
    session.open_recording("endless");
    watch.until(session, [&](const Snapshot&) { return session.load_progress().bytes_done > 0; });
    session.cancel_load();
    watch.until(session, [&](const Snapshot&) { return !session.load_progress().active; });
    session.open_recording("endless");
    session.open_recording("good");
    watch.until(session, [](const Snapshot& at) { return at.machine->recorded; });
}

// A loader that does not look at what it is told, and comes back when nobody wants it any more.
TEST(Session, AResultNobodyWaitsForIsDropped) {
    std::promise<void> started, release;
    Watch watch;
    Session session(
        fake_factory(),
        [&](const std::string& path, const LoadBytes& progress) {
            if (path != "late") return load(path, progress);
            started.set_value();
            release.get_future().wait();
            return load(path, progress);
        },
        watch.notify());
    session.open_recording("late");
    started.get_future().wait();
    session.cancel_load();
    watch.until(session, [&](const Snapshot&) { return !session.load_progress().active; });
    release.set_value();
    session.open_recording("bad"); // loads one after another: when this one has ended, so has the late one
    watch.until(session, [&](const Snapshot&) { return !session.load_progress().error.empty(); });
    session.step_event(3);
    const auto s = watch.until(session, [](const Snapshot& at) { return at.event_count == 3; });
    EXPECT_FALSE(s->machine->recorded);
}

TEST(Session, ClosesDuringALoad) {
    EndlessLoad endless;
    for (int i = 0; i < 20; ++i) {
        Watch watch;
        Session session(
            fake_factory(), [&](const std::string&, const LoadBytes& p) { return endless(p); },
            watch.notify());
        session.open_recording("endless");
        if (i % 2)
            watch.until(session, [&](const Snapshot&) { return session.load_progress().bytes_done > 0; });
    }
    EXPECT_EQ(endless.started, endless.stopped);
}

TEST(Session, OpensAndClosesAHundredTimes) {
    for (int i = 0; i < 100; ++i) {
        Watch watch;
        Session session(fake_factory(50), load, watch.notify());
        session.set_speed(i % 3 ? kMax : 1e-3);
        session.play();
        session.step_event(1000);
        session.step_event(-300);
        if (i % 2) session.play();
        if (i % 4 == 0) session.open_recording("good");
        if (i % 5 == 0) watch.until(session, [](const Snapshot& at) { return at.event_count > 0; });
        Scenario scenario;
        scenario.threads = i % 8 + 1;
        session.apply(scenario);
    }
    EXPECT_EQ(test::live_machines, 0);
}

TEST(Session, NotifiesOnceATakenSnapshot) {
    std::atomic<int> calls{0};
    Watch watch;
    const auto inner = watch.notify();
    Session session(fake_factory(), load, [&] {
        ++calls;
        inner();
    });
    session.set_speed(kMax);
    session.play();
    int taken = 0;
    std::uint64_t sequence = 0;
    for (int i = 0; i < 20; ++i)
        watch.until(session, [&](const Snapshot& at) {
            ++taken;
            return std::exchange(sequence, at.sequence) < at.sequence;
        });
    EXPECT_LE(calls, taken + 1);
}

} // namespace
} // namespace tlbscope
