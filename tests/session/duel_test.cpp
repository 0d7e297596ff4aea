// Two machines in lockstep: the same place means the same state, however one came there.
#include "engine/core/error.h"
#include "engine/session/duel.h"
#include "engine/session/duel_track.h"
#include "engine/session/simulated_machine.h"
#include "tests/session/fake_machine.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
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

Scenario slower() {
    Scenario scenario;
    scenario.threads = 300; // the fake machine's records come so much later
    return scenario;
}

Deadline short_slice() {
    return Deadline::in(std::chrono::microseconds(30));
}

void arrive(DuelTrack& track) {
    while (!track.work(short_slice())) {
    }
}

struct Place {
    std::array<std::uint64_t, 2> hash{};
    std::array<Cycles, 2> time{};
    std::array<std::uint64_t, 2> work{};

    bool operator==(const Place&) const = default;
};
Place place_of(const DuelTrack& track) {
    Place place;
    for (std::size_t i = 0; i < 2; ++i) {
        const MachineRun& machine = track.side(i).machine();
        place.hash[i] = machine.event_hash();
        place.time[i] = machine.now();
        place.work[i] = machine.work().work;
    }
    return place;
}

class DuelLockstep : public testing::TestWithParam<Lockstep> {};

TEST_P(DuelLockstep, APlaceIsTheSameByEveryWay) {
    std::map<Cycles, Place> direct;
    const std::vector<Cycles> places = {0, 1, 999, 1000, 40'000, 40'001, 777'777, 1'000'000, 2'345'678};
    for (const Cycles t : places) {
        DuelTrack fresh(fake_factory(), Scenario{}, slower(), dense());
        fresh.set_lockstep(GetParam());
        fresh.go_to_time(t);
        arrive(fresh);
        direct[t] = place_of(fresh);
        EXPECT_EQ(direct[t].time[0], t);
    }
    DuelTrack track(fake_factory(), Scenario{}, slower(), dense());
    track.set_lockstep(GetParam());
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const Cycles t = places[random() % places.size()];
        track.go_to_time(t);
        if (i % 3 == 0) track.work(short_slice()); // overtaken by the next movement
        if (i % 3 == 0) continue;
        arrive(track);
        ASSERT_EQ(place_of(track), direct[t]) << "time " << t << ", movement " << i;
    }
}

TEST_P(DuelLockstep, EveryStepBackGivesTheStateThatWasThere) {
    DuelTrack track(fake_factory(), Scenario{}, slower(), dense());
    track.set_lockstep(GetParam());
    std::vector<Place> seen;
    arrive(track);
    for (int n = 0; n < 300; ++n) {
        seen.push_back(place_of(track));
        track.step_events(1);
        arrive(track);
        ASSERT_GT(track.time(), seen.back().time[0]);
    }
    for (int n = 299; n > 0; --n) {
        track.step_events(-1);
        arrive(track);
        ASSERT_EQ(place_of(track), seen[static_cast<std::size_t>(n)]) << n;
    }
    track.step_events(250);
    arrive(track);
    EXPECT_EQ(place_of(track), seen[251]);
    track.step_events(-10000);
    arrive(track);
    EXPECT_EQ(track.time(), 0);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(track.side(i).replay_mismatches(), 0u);
}

TEST_P(DuelLockstep, AStepGoesToTheNextEventAndNoFurther) {
    DuelTrack track(fake_factory(), Scenario{}, slower(), dense());
    track.set_lockstep(GetParam());
    for (int n = 0; n < 200; ++n) {
        const std::uint64_t left = track.side(0).machine().event_count(),
                            right = track.side(1).machine().event_count();
        const Cycles before = track.time();
        track.step_events(1);
        arrive(track);
        bool at_event = false;
        for (std::size_t i = 0; i < (GetParam() == Lockstep::time ? 2u : 1u); ++i) {
            const History& history = track.side(i).history();
            for (std::uint64_t e = i == 0 ? left : right; e < track.side(i).machine().event_count(); ++e) {
                EXPECT_GT(history[e].time, before);
                EXPECT_EQ(history[e].time, track.time());
                at_event = true;
            }
        }
        EXPECT_TRUE(at_event);
    }
}

INSTANTIATE_TEST_SUITE_P(Both, DuelLockstep, testing::Values(Lockstep::time, Lockstep::work),
                         [](const auto& param) { return param.param == Lockstep::time ? "time" : "work"; });

TEST(DuelTrack, ByTimeBothShowTheSameCycle) {
    DuelTrack track(fake_factory(), Scenario{}, slower(), dense());
    track.set_lockstep(Lockstep::time);
    for (Cycles t = 0; t < 3'000'000; t += 123'457) {
        track.go_to_time(t);
        arrive(track);
        EXPECT_EQ(track.side(0).machine().now(), t);
        EXPECT_EQ(track.side(1).machine().now(), t);
    }
}

TEST(DuelTrack, ByWorkTheRightOneHasJustCaughtUp) {
    DuelTrack track(fake_factory(), Scenario{}, slower(), dense());
    const auto reference = fake_factory()(slower());
    for (Cycles t = 0; t < 1'500'000; t += 23'457) {
        track.go_to_time(t);
        arrive(track);
        const std::uint64_t goal = track.side(0).machine().work().work;
        // The definition, by a machine that only runs forward.
        while (reference->work().work < goal)
            reference->run_until(reference->now() + DuelTrack::kGrain);
        EXPECT_EQ(track.side(1).machine().now(), reference->now()) << "left at " << t;
        EXPECT_EQ(track.side(1).machine().event_hash(), reference->event_hash());
    }
    EXPECT_GT(reference->now(), 1'500'000) << "the right one is slower";
}

TEST(DuelTrack, LapsAreComparedWhereBothHaveDoneTheSame) {
    DuelTrack track(fake_factory(), Scenario{}, slower(), dense());
    track.go_to_time(2'000'000);
    arrive(track);
    DuelSnapshot out;
    track.fill({true, false, false}, out);
    ASSERT_TRUE(out.lap);
    EXPECT_EQ(out.lap->laps, std::min(out.sides[0].laps, out.sides[1].laps));
    EXPECT_EQ(out.lap->work, out.lap->laps * 16);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto reference = fake_factory()(i == 0 ? Scenario{} : slower());
        reference->run_events(out.lap->laps * 64);
        EXPECT_EQ(out.lap->time[i], reference->lap().time);
        EXPECT_EQ(std::accumulate(out.lap->shares[i].begin(), out.lap->shares[i].end(), Cycles{0}),
                  out.lap->time[i]);
    }
    // Back before the first lap there is none to compare, though one is known.
    track.go_to_time(10);
    arrive(track);
    DuelSnapshot early;
    track.fill({true, false, false}, early);
    EXPECT_FALSE(early.lap);
}

// Real machines.
Scenario small() {
    Scenario scenario;
    scenario.processor = "teaching";
    scenario.threads = 2;
    scenario.hz = 1000;
    return scenario;
}

TEST(DuelTrack, TicksAreSteppedOverInTwo) {
    Scenario left = small(), right = small();
    right.flush_pages = 20;
    DuelTrack track(simulated_machines(TLBSCOPE_RESOURCES), left, right);
    track.set_lockstep(Lockstep::time);
    for (int tick = 0; tick < 3; ++tick) {
        const auto entries = [&] {
            std::size_t n = 0;
            for (std::size_t i = 0; i < 2; ++i)
                for (std::uint64_t e = 0; e < track.side(i).machine().event_count(); ++e)
                    n += track.side(i).history()[e].kind == EventKind::local_timer_entry;
            return n;
        };
        const std::size_t before = entries();
        track.go_to_next_tick();
        arrive(track);
        EXPECT_EQ(entries(), before) << "just before it";
        const Cycles t = track.time();
        track.go_to_next_tick();
        arrive(track);
        EXPECT_GT(entries(), before);
        EXPECT_GT(track.time(), t);
    }
}

TEST(DuelTrack, RealMachinesKeepTheirBooksAndComeBack) {
    Scenario right = small();
    right.working_set_pages = 4000;
    DuelTrack track(simulated_machines(TLBSCOPE_RESOURCES), small(), right);
    std::vector<Place> seen;
    for (Cycles t = 0; t <= 4'000'000; t += 500'000) {
        track.go_to_time(t);
        arrive(track);
        seen.push_back(place_of(track));
        DuelSnapshot out;
        track.fill({true, false, false}, out);
        for (const DuelSide& side : out.sides) {
            const auto cpus = static_cast<Cycles>(side.snapshot->cpus.size());
            EXPECT_EQ(std::accumulate(side.buckets.begin(), side.buckets.end(), Cycles{0}), cpus * side.time);
            EXPECT_EQ(std::accumulate(side.shares.begin(), side.shares.end(), Cycles{0}), cpus * side.time);
        }
        EXPECT_GE(out.sides[1].work, out.sides[0].work);
    }
    for (std::size_t i = seen.size(); i-- > 0;) {
        track.go_to_time(static_cast<Cycles>(i) * 500'000);
        arrive(track);
        EXPECT_EQ(place_of(track), seen[i]);
    }
}

TEST(DuelTrack, HintDoesTheSameWorkUnderBothKernels) {
    Scenario left, right;
    left.processor = "xeon-2.5-512k";
    left.workload = "hint-double";
    left.subintervals = 2000;
    left.threads = 1;
    left.hz = 1000;
    left.split = "3:1";
    right = left;
    right.split = "4:4";
    DuelTrack track(simulated_machines(TLBSCOPE_RESOURCES), left, right);
    track.go_to_time(12'000'000);
    arrive(track);
    DuelSnapshot out;
    track.fill({true, false, false}, out);
    ASSERT_TRUE(out.lap);
    EXPECT_EQ(out.lap->work, out.lap->laps * (2000 - 1));
    EXPECT_LT(out.lap->time[0], out.lap->time[1]);
    EXPECT_EQ(out.lap->cr3_loads[0], 0u);
    // Two an entry from user mode; a tick that meets the idle task is none.
    EXPECT_GE(out.lap->cr3_loads[1], 2 * 3u);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(std::accumulate(out.lap->shares[i].begin(), out.lap->shares[i].end(), Cycles{0}),
                  out.lap->time[i]);
    const auto difference = static_cast<std::int64_t>(out.sides[1].work - out.sides[0].work);
    EXPECT_GE(difference, 0);
    EXPECT_LE(difference, 100) << "more than a stretch of some thousand cycles";
}

class DuelTest : public testing::Test {
protected:
    std::unique_ptr<Duel> make(MachineFactory factory = fake_factory()) {
        return std::make_unique<Duel>(
            std::move(factory), [this] { ++notified_; }, Scenario{}, slower());
    }
    static std::shared_ptr<const DuelSnapshot> settle(Duel& duel) {
        EXPECT_TRUE(duel.wait_for(duel.mark(), 60));
        return duel.snapshot();
    }
    std::atomic<int> notified_{0};
};

TEST_F(DuelTest, ShowsBothMachinesFromTheStart) {
    const auto duel = make();
    const auto s = duel->snapshot();
    ASSERT_TRUE(s && s->sides[0].snapshot && s->sides[1].snapshot);
    EXPECT_EQ(s->sides[0].snapshot->machine->processor, "fake");
    EXPECT_EQ(s->sides[0].time, 0);
    EXPECT_FALSE(s->running);
}

TEST_F(DuelTest, CommandsAreDoneInOrder) {
    const auto duel = make();
    duel->set_lockstep(Lockstep::time);
    duel->seek_time(500'000);
    auto s = settle(*duel);
    EXPECT_EQ(s->sides[0].time, 500'000);
    EXPECT_EQ(s->sides[1].time, 500'000);
    const std::uint64_t hash = s->sides[1].snapshot->counters.page_faults;
    duel->step_event(5);
    duel->step_event(-5);
    duel->seek_time(1'000'000);
    duel->seek_time(500'000);
    s = settle(*duel);
    EXPECT_EQ(s->sides[0].time, 500'000);
    EXPECT_EQ(s->sides[1].snapshot->counters.page_faults, hash);
    EXPECT_GT(notified_.load(), 0);
}

TEST_F(DuelTest, PlaysAndPauses) {
    const auto duel = make();
    duel->set_speed(std::numeric_limits<double>::infinity());
    duel->play();
    for (std::shared_ptr<const DuelSnapshot> s; !s || s->sides[0].time < 5'000'000;) {
        s = duel->snapshot();
        EXPECT_GE(s->sides[1].work, s->sides[0].work) << "a half-done step was shown";
        duel->wait_for(~std::uint64_t{0}, 0.001);
    }
    duel->pause();
    const auto a = settle(*duel), b = settle(*duel);
    EXPECT_FALSE(a->running);
    EXPECT_EQ(a->sides[0].time, b->sides[0].time);
}

TEST_F(DuelTest, PlayingGoesOnFromWhereAMovementEnded) {
    const auto duel = make();
    duel->set_speed(1e-3);
    duel->seek_time(20'000'000); // twenty host seconds at that speed
    duel->play();
    std::shared_ptr<const DuelSnapshot> s;
    do {
        duel->wait_for(~std::uint64_t{0}, 0.001);
        s = duel->snapshot();
    } while (s->sides[0].time <= 20'000'000);
    EXPECT_TRUE(s->running);
}

TEST_F(DuelTest, ABadScenarioIsAnErrorAndNothingChanges) {
    const auto duel = make();
    duel->seek_time(1000);
    settle(*duel);
    Scenario bad;
    bad.threads = 0;
    duel->reset(Scenario{}, bad);
    const auto s = settle(*duel);
    EXPECT_NE(duel->take_error().find("threads"), std::string::npos);
    EXPECT_EQ(s->run, 1u);
    EXPECT_EQ(s->sides[0].time, 1000);
    duel->set_speed(-1);
    settle(*duel);
    EXPECT_NE(duel->take_error().find("speed"), std::string::npos);
    duel->reset(slower(), Scenario{});
    EXPECT_EQ(settle(*duel)->run, 2u);
    EXPECT_EQ(settle(*duel)->sides[0].time, 0);
    EXPECT_THROW(Duel(fake_factory(), {}, Scenario{}, bad), Error);
}

TEST_F(DuelTest, EndsWithinASliceWhateverItDoes) {
    const int before = test::live_machines.load();
    for (int i = 0; i < 6; ++i) {
        const auto duel = make(fake_factory(200));
        duel->set_speed(std::numeric_limits<double>::infinity());
        if (i % 2) duel->play();
        duel->seek_time(Cycles{1} << 50);
        if (i % 3 == 0) duel->step_event(1'000'000'000);
        if (i % 2) duel->play();
    } // would take for ever
    EXPECT_EQ(test::live_machines.load(), before);
}

} // namespace
} // namespace tlbscope
