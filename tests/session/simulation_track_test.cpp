// Going back and forth in a run gives the very same states, parameter changes included.
#include "engine/session/simulation_track.h"
#include "tests/session/fake_machine.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tlbscope {
namespace {

using test::fake_factory;

SimulationTrack::Limits dense() {
    SimulationTrack::Limits limits;
    limits.spacing = std::chrono::microseconds(20);
    limits.checkpoints = 12;
    return limits;
}

void arrive(SimulationTrack& track) {
    while (!track.work(Deadline::in(std::chrono::microseconds(200)))) {
    }
}

TEST(SimulationTrack, StepsOneByOneAsItRuns) {
    SimulationTrack steps(fake_factory(), Scenario{}, dense()), run(fake_factory(), Scenario{}, dense());
    for (int i = 0; i < 5000; ++i) {
        steps.step_events(1);
        arrive(steps);
    }
    run.step_events(5000);
    arrive(run);
    EXPECT_EQ(steps.shown(), 5000u);
    EXPECT_EQ(steps.machine().event_hash(), run.machine().event_hash());
    EXPECT_EQ(steps.machine().now(), run.machine().now());
}

TEST(SimulationTrack, EveryStepBackGivesTheStateThatWasThere) {
    SimulationTrack track(fake_factory(), Scenario{}, dense());
    std::map<std::uint64_t, std::pair<std::uint64_t, Cycles>> seen;
    for (std::uint64_t n = 1; n <= 3000; ++n) {
        track.step_events(1);
        arrive(track);
        seen[n] = {track.machine().event_hash(), track.machine().now()};
    }
    for (std::uint64_t n = 2999; n >= 1; --n) {
        track.step_events(-1);
        arrive(track);
        ASSERT_EQ(track.shown(), n);
        ASSERT_EQ(track.machine().event_hash(), seen[n].first) << n;
        ASSERT_EQ(track.machine().now(), seen[n].second) << n;
    }
    track.step_events(2999);
    arrive(track);
    EXPECT_EQ(track.machine().event_hash(), seen[3000].first);
    EXPECT_EQ(track.replay_mismatches(), 0u);
}

// A random walk over a run whose parameters were changed in between, against a plain list of what
// each number of records looked like the first time.
TEST(SimulationTrack, ParameterChangesAreRepeatedWhereTheyWereMade) {
    SimulationTrack track(fake_factory(), Scenario{}, dense());
    std::map<std::uint64_t, std::uint64_t> hash;
    std::mt19937_64 random(3);
    Scenario scenario;
    for (int part = 0; part < 20; ++part) {
        for (int i = 0; i < 100; ++i) {
            track.step_events(1);
            arrive(track);
            hash[track.shown()] = track.machine().event_hash();
        }
        if (part % 2) { // a place between two records
            track.go_to_time(track.machine().now() + 100);
            arrive(track);
        }
        scenario.shift = static_cast<int>(random() % 10);
        scenario.threads = static_cast<int>(random() % 8) + 1;
        track.apply(scenario);
        // Records that came out on the way to that place.
        while (!hash.empty() && hash.rbegin()->first >= track.shown())
            hash.erase(hash.rbegin()->first);
    }
    const std::uint64_t end = track.shown();
    const Scenario last = track.scenario();
    EXPECT_EQ(last, scenario);
    for (int i = 0; i < 400; ++i) {
        const std::uint64_t to = random() % end + 1;
        track.go_to_events(to);
        arrive(track);
        ASSERT_EQ(track.shown(), to);
        EXPECT_LE(to, track.machine().event_count());
        if (const auto at = hash.find(to); at != hash.end()) {
            ASSERT_EQ(track.machine().event_hash(), at->second) << to;
        }
    }
    track.go_to_events(end);
    arrive(track);
    EXPECT_EQ(track.history().end_index(), end);
    EXPECT_EQ(track.replay_mismatches(), 0u);
}

TEST(SimulationTrack, ANewChangeInThePastForgetsTheFuture) {
    SimulationTrack track(fake_factory(), Scenario{}, dense());
    track.go_to_events(4000);
    arrive(track);
    track.go_to_events(1000);
    arrive(track);
    EXPECT_EQ(track.history().end_index(), 4000u);
    Scenario other;
    other.shift = 5;
    track.apply(other);
    EXPECT_EQ(track.history().end_index(), 1000u);
    track.go_to_events(4000);
    arrive(track);
    EXPECT_EQ(track.history()[3999].arg, 5);

    SimulationTrack plain(fake_factory(), Scenario{}, dense());
    plain.go_to_events(1000);
    arrive(plain);
    plain.apply(other);
    plain.go_to_events(4000);
    arrive(plain);
    EXPECT_EQ(track.machine().event_hash(), plain.machine().event_hash());
}

TEST(SimulationTrack, PlayingInPiecesIsPlayingAtOnce) {
    SimulationTrack pieces(fake_factory(), Scenario{}, dense()), whole(fake_factory(), Scenario{}, dense());
    std::mt19937_64 random(5);
    Cycles t = 0;
    while (t < 300000) {
        t += static_cast<Cycles>(random() % 700);
        while (!pieces.run_to_time(t, Deadline::in(std::chrono::microseconds(50)))) {
        }
        if (random() % 8 == 0) {
            pieces.step_events(-static_cast<std::int64_t>(random() % 30));
            arrive(pieces);
        }
    }
    while (!whole.run_to_time(t, Deadline::in(std::chrono::seconds(1)))) {
    }
    EXPECT_EQ(pieces.machine().now(), whole.machine().now());
    EXPECT_EQ(pieces.machine().event_hash(), whole.machine().event_hash());
    EXPECT_EQ(pieces.replay_mismatches(), 0u);
}

TEST(SimulationTrack, StepsByShootdownBothWays) {
    SimulationTrack track(fake_factory(), Scenario{}, dense());
    std::vector<std::uint64_t> stops;
    for (int i = 0; i < 50; ++i) {
        track.step_shootdowns(1);
        arrive(track);
        const std::uint64_t at = track.shown();
        ASSERT_TRUE(starts_shootdown(track.history()[at - 1]));
        for (std::uint64_t j = stops.empty() ? 0 : stops.back(); j + 1 < at; ++j)
            ASSERT_FALSE(starts_shootdown(track.history()[j])) << "one was passed over";
        stops.push_back(at);
    }
    for (std::size_t i = stops.size() - 1; i-- > 0;) {
        track.step_shootdowns(-1);
        arrive(track);
        ASSERT_EQ(track.shown(), stops[i]);
    }
    track.step_shootdowns(10);
    arrive(track);
    EXPECT_EQ(track.shown(), stops[10]);
    track.step_shootdowns(-3);
    arrive(track);
    EXPECT_EQ(track.shown(), stops[7]);
    track.go_to_next_flush();
    arrive(track);
    EXPECT_EQ(track.history()[track.shown() - 1].kind, EventKind::tlb_flush);
}

TEST(SimulationTrack, HistoryAndCheckpointsStayBounded) {
    SimulationTrack::Limits limits = dense();
    limits.history_blocks = 4;
    SimulationTrack track(fake_factory(), Scenario{}, limits);
    for (int i = 0; i < 30; ++i) {
        track.step_events(3000);
        arrive(track);
        EXPECT_LE(track.history().end_index() - track.history().first_index(), 4 * EventLog::kBlock);
        EXPECT_LE(track.checkpoints().size(), 12u);
    }
    const std::uint64_t hash = track.machine().event_hash();
    // Before what is at hand: the history is made anew around the place.
    track.go_to_events(500);
    arrive(track);
    EXPECT_EQ(track.shown(), 500u);
    EXPECT_LE(track.history().first_index(), 500u);
    track.go_to_events(90000);
    arrive(track);
    EXPECT_EQ(track.machine().event_hash(), hash);
    EXPECT_GE(track.history().end_index(), 90000u);
    EXPECT_EQ(track.replay_mismatches(), 0u);
    track.go_to_time(0);
    arrive(track);
    EXPECT_EQ(track.machine().now(), 0);
}

TEST(SimulationTrack, RefusedChangeChangesNothing) {
    SimulationTrack track(fake_factory(), Scenario{}, dense());
    track.go_to_events(100);
    arrive(track);
    Scenario bad;
    bad.threads = 0;
    EXPECT_THROW(track.apply(bad), Error);
    bad = {};
    bad.processor = "other";
    EXPECT_THROW(track.apply(bad), Error);
    EXPECT_EQ(track.scenario(), Scenario{});
    EXPECT_EQ(track.history().end_index(), 100u);
}

TEST(SimulationTrack, SnapshotTellsThePlace) {
    SimulationTrack track(fake_factory(), Scenario{}, dense());
    track.go_to_events(9000);
    arrive(track);
    track.go_to_events(5000);
    arrive(track);
    Snapshot s;
    track.fill(ViewNeeds{}, 0, s);
    EXPECT_EQ(s.event_count, 5000u);
    EXPECT_EQ(s.cursor, 4999u);
    EXPECT_EQ(s.log.end_index(), 9000u);
    EXPECT_EQ(s.now, s.log[4999].time);
    EXPECT_GT(s.window_cycles, 0);
    EXPECT_EQ(s.buckets_window[0], 4 * s.window_cycles);
}

TEST(History, TruncatesAnywhereAndGrowsAgain) {
    for (std::uint64_t cut : {0u, 1u, 4095u, 4096u, 4097u, 9000u, 9999u, 10000u}) {
        History history;
        std::vector<Event> events(10000);
        for (std::size_t i = 0; i < events.size(); ++i)
            events[i].arg = static_cast<std::int64_t>(i);
        history.append(events.data(), events.size());
        history.truncate(cut);
        ASSERT_EQ(history.end_index(), cut);
        history.append(events.data() + cut, events.size() - cut);
        ASSERT_EQ(history.end_index(), 10000u);
        const EventLog log = history.log(1e9, std::make_shared<Names>());
        for (std::uint64_t i = 0; i < 10000; ++i)
            ASSERT_EQ(log[i].arg, static_cast<std::int64_t>(i));
    }
}

} // namespace
} // namespace tlbscope
