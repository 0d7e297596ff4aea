// The promises a run keeps, whatever the machine, the kernel and the workload.
#include "engine/core/error.h"
#include "engine/recording/event_log.h"
#include "engine/recording/shootdown.h"
#include "engine/simulation/simulation.h"

#include <gtest/gtest.h>

#include <map>

using namespace tlbscope;

namespace {

Simulation make(const Scenario& scenario) {
    return Simulation(scenario, load_processor(TLBSCOPE_RESOURCES, scenario.processor));
}

std::vector<Scenario> scenarios() {
    std::vector<Scenario> list;
    for (const char* processor : {"teaching", "ivybridge-i7-3770", "zen3"})
        for (const char* workload : {"ebizzy", "mummap"})
            for (const char* policy : {"<=3.5", "3.6-3.13", "3.14-3.16", "3.17+"}) {
                Scenario s;
                s.processor = processor;
                s.workload = workload;
                s.policy = policy;
                s.threads = 5;
                s.flush_pages = 20;
                s.working_set_pages = 200;
                s.seed = 11;
                list.push_back(s);
            }
    Scenario s = list.front();
    s.processor = "ivybridge-i7-3770";
    s.threads = 40; // more than CPUs
    s.madvise = 1;
    s.hz = 1000;
    list.push_back(s);
    s.sockets = 2;
    s.threads_per_core = 4;
    s.sibling_tlb = SiblingTlb::split;
    list.push_back(s);
    s.sibling_tlb = SiblingTlb::private_each;
    list.push_back(s);
    return list;
}

std::string name_of(const Scenario& s) {
    return s.processor + ", " + s.workload + ", " + s.policy + ", " + std::to_string(s.threads) + " threads";
}

Cycles millisecond(const Simulation& s) {
    return static_cast<Cycles>(s.processor().hz / 1000);
}

EventLog log_of(const std::vector<Event>& events, double hz) {
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    for (std::size_t i = 0; i < events.size(); i += EventLog::kBlock)
        blocks.push_back(std::make_shared<EventLog::Block>(
            events.begin() + static_cast<std::ptrdiff_t>(i),
            events.begin() + static_cast<std::ptrdiff_t>(std::min(events.size(), i + EventLog::kBlock))));
    return EventLog(std::move(blocks), 0, hz, std::make_shared<Names>());
}

} // namespace

TEST(Simulation, EveryCycleHasOneOwnerAtAnyMoment) {
    for (const Scenario& s : scenarios()) {
        Simulation run = make(s);
        for (int i = 1; i <= 40; ++i) {
            run.run_until(millisecond(run) * i / 20 + i * 37);
            for (CpuId cpu = 0; cpu < run.topology().cpus(); ++cpu) {
                Cycles sum = 0;
                for (const Cycles c : run.kernel().buckets(cpu)) {
                    ASSERT_GE(c, 0);
                    sum += c;
                }
                ASSERT_EQ(sum, run.now()) << name_of(s) << ", CPU " << cpu;
            }
        }
    }
}

TEST(Simulation, HitsAndMissesAddUpToAccesses) {
    for (const Scenario& s : scenarios()) {
        Simulation run = make(s);
        run.run_until(2 * millisecond(run));
        EXPECT_GT(run.totals().mmu.accesses, 100u) << name_of(s);
        for (CpuId cpu = 0; cpu < run.topology().cpus(); ++cpu) {
            const MmuCounters& m = run.kernel().mmu().counters(cpu);
            EXPECT_EQ(m.accesses, m.l1_hits + m.stlb_hits + m.walks + m.faults) << name_of(s);
        }
    }
}

TEST(Simulation, NothingStaleIsUsedAfterItsFlushWasReportedComplete) {
    for (const Scenario& s : scenarios()) {
        Simulation run = make(s);
        run.run_until(4 * millisecond(run));
        EXPECT_EQ(run.totals().mmu.stale_uses, 0u) << name_of(s);
    }
}

TEST(Simulation, EveryShootdownIsReceivedByExactlyItsTargets) {
    for (const Scenario& s : scenarios()) {
        Simulation run = make(s);
        std::vector<Event> events;
        run.listen(&events);
        run.run_until(4 * millisecond(run));
        struct Count {
            std::uint32_t queued = 0, entered = 0, exited = 0, acknowledged = 0, wanted = 0;
            bool done = false;
        };
        std::map<std::uint32_t, Count> shootdowns;
        for (const Event& e : events) {
            switch (e.kind) {
            case EventKind::csd_queue_cpu:
                ++shootdowns[e.id].queued;
                break;
            case EventKind::csd_function_entry:
                ++shootdowns[e.id].entered;
                break;
            case EventKind::csd_function_exit:
                ++shootdowns[e.id].exited;
                break;
            case EventKind::ipi_ack:
                ++shootdowns[e.id].acknowledged;
                break;
            case EventKind::shootdown_done:
                shootdowns[e.id].done = true;
                shootdowns[e.id].wanted = e.aux;
                break;
            default:
                break;
            }
        }
        std::uint32_t done = 0;
        for (const auto& [id, count] : shootdowns) {
            EXPECT_LE(count.entered, count.queued) << name_of(s) << ", shootdown " << id;
            if (!count.done) continue;
            ++done;
            EXPECT_EQ(count.queued, count.wanted) << name_of(s) << ", shootdown " << id;
            EXPECT_EQ(count.entered, count.queued) << name_of(s) << ", shootdown " << id;
            EXPECT_EQ(count.exited, count.queued) << name_of(s) << ", shootdown " << id;
            EXPECT_EQ(count.acknowledged, count.queued) << name_of(s) << ", shootdown " << id;
        }
        EXPECT_GT(done, 3u) << name_of(s);
        const VmStat& v = run.kernel().vmstat();
        EXPECT_EQ(v.nr_tlb_remote_flush, shootdowns.size()) << name_of(s);
        // Counted when the handler begins; one may be at work on each CPU.
        EXPECT_LE(v.nr_tlb_remote_flush_received,
                  v.csds_received + static_cast<std::uint64_t>(run.topology().cpus()))
            << name_of(s);
        EXPECT_LE(v.csds_received, v.csds_sent) << name_of(s);
    }
}

TEST(Simulation, TimeNeverRunsBackwards) {
    for (const Scenario& s : scenarios()) {
        Simulation run = make(s);
        std::vector<Event> events;
        run.listen(&events);
        run.run_until(2 * millisecond(run));
        ASSERT_EQ(events.size(), run.event_count());
        for (std::size_t i = 1; i < events.size(); ++i)
            ASSERT_LE(events[i - 1].time, events[i].time) << name_of(s);
    }
}

TEST(Simulation, SteppingIsRunning) {
    for (const Scenario& s : scenarios()) {
        Simulation whole = make(s), single = make(s);
        whole.run_to_event(3000);
        for (std::uint64_t n = 1; n <= 3000; ++n)
            single.run_to_event(n);
        EXPECT_EQ(whole.event_count(), single.event_count()) << name_of(s);
        EXPECT_EQ(whole.event_hash(), single.event_hash()) << name_of(s);
        EXPECT_EQ(whole.now(), single.now()) << name_of(s);
    }
}

TEST(Simulation, ACopyRunsOnAsTheOriginalWould) {
    for (const Scenario& s : scenarios()) {
        Simulation run = make(s);
        run.run_to_event(1234);
        Simulation copy = run;
        run.run_to_event(5000); // the original first: they must share nothing
        copy.run_to_event(5000);
        EXPECT_EQ(run.event_hash(), copy.event_hash()) << name_of(s);
        EXPECT_EQ(run.totals().buckets, copy.totals().buckets) << name_of(s);
        EXPECT_EQ(run.totals().mmu.walks, copy.totals().mmu.walks) << name_of(s);
    }
}

TEST(Simulation, ListeningChangesNothing) {
    Scenario s;
    Simulation heard = make(s), unheard = make(s);
    std::vector<Event> events;
    heard.listen(&events);
    heard.run_to_event(5000);
    unheard.run_to_event(5000);
    EXPECT_EQ(heard.event_hash(), unheard.event_hash());
}

TEST(Simulation, AnotherSeedIsAnotherRun) {
    Scenario s;
    Simulation a = make(s);
    s.seed = 8;
    Simulation b = make(s);
    a.run_to_event(5000);
    b.run_to_event(5000);
    EXPECT_NE(a.event_hash(), b.event_hash());
}

TEST(Simulation, TakesLiveChangesAndRefusesOthers) {
    Scenario s;
    Simulation run = make(s);
    run.run_until(millisecond(run));
    Scenario live = s;
    live.shift = 2;
    live.threads = 6;
    live.flush_pages = 40;
    live.working_set_pages = 4000;
    EXPECT_TRUE(run.can_apply(live));
    run.apply(live);
    EXPECT_EQ(run.shift(), 2);
    const std::uint64_t before = run.records();
    run.run_until(6 * millisecond(run));
    EXPECT_GT(run.records(), before);
    live.threads = 1;
    run.apply(live);
    run.run_until(10 * millisecond(run));
    EXPECT_EQ(run.totals().mmu.stale_uses, 0u);

    Scenario other = live;
    other.seed = 99;
    EXPECT_THROW(run.apply(other), Error);
    other = live;
    other.threads = 0;
    EXPECT_THROW(run.apply(other), Error);
    EXPECT_EQ(run.scenario(), live);
}

// Whatever a thread is in the middle of, it ends the way it began, and its arena outlives the change:
// no thread is ever left with memory that another way of freeing has unmapped.
TEST(Simulation, TheWayOfFreeingChangesBackAndForth) {
    Scenario s = scenarios().front();
    s.processor = "ivybridge-i7-3770";
    s.threads = 4;
    s.flush_pages = 40;
    Simulation run = make(s);
    for (int i = 0; i < 60; ++i) {
        const std::uint64_t before = run.records();
        const Cycles end = run.now() + millisecond(run) / 3 + i * 977;
        while (run.now() < end) {
            run.step();
            for (TaskId id = 1; id < run.kernel().tasks(); ++id) {
                const Task& task = run.kernel().task(id);
                if (task.op.kind == OpKind::fault) {
                    ASSERT_NE(run.kernel().mm(task.mm).find_vma(task.op.start), nullptr)
                        << "task " << id << " after " << i << " changes";
                }
            }
        }
        EXPECT_GT(run.records(), before) << "after " << i << " changes";
        s.madvise = 1 - s.madvise;
        run.apply(s);
    }
}

TEST(Simulation, TheFlushChosenFollowsTheRule) {
    for (const auto& [shift, full] : {std::pair{1, false}, {2, true}, {-1, true}, {0, false}}) {
        Scenario s;
        s.policy = "3.6-3.13";
        s.shift = shift;
        Simulation run = make(s);
        std::vector<Event> events;
        run.listen(&events);
        run.run_until(2 * millisecond(run));
        int decisions = 0;
        for (const Event& e : events)
            if (e.kind == EventKind::flush_decision) {
                EXPECT_EQ(e.sub != 0, full) << "129 pages of 512 entries, shift " << shift;
                ++decisions;
            }
        EXPECT_GT(decisions, 5);
        const VmStat& v = run.kernel().vmstat();
        EXPECT_EQ(v.nr_tlb_local_flush_one % 129, 0u);
        EXPECT_EQ(v.nr_tlb_local_flush_one > 0, !full);
        EXPECT_EQ(v.nr_tlb_local_flush_all > 0, full && shift >= 0); // shift -1 is not counted in this era
    }
}

TEST(Simulation, ReassembledShootdownsAreTheOnesThatHappened) {
    Scenario s;
    Simulation run = make(s);
    std::vector<Event> events;
    run.listen(&events);
    run.run_until(5 * millisecond(run));
    const EventLog log = log_of(events, run.processor().hz);
    const ShootdownIndex index = find_shootdowns(log);
    std::uint64_t decided = 0, sends = 0;
    for (const Event& e : events) {
        decided += e.kind == EventKind::flush_decision && e.aux > 0;
        sends += e.kind == EventKind::csd_queue_cpu;
    }
    std::uint64_t with_targets = 0;
    for (const Shootdown& shootdown : index.shootdowns)
        with_targets += shootdown.target_count > 0;
    EXPECT_EQ(with_targets, run.kernel().vmstat().nr_tlb_remote_flush);
    EXPECT_LE(with_targets, decided);
    EXPECT_EQ(index.sends, sends);
    EXPECT_EQ(index.matched_by_time, 0u) << "csd pointers are exact";
    EXPECT_LE(index.sends - index.matched_by_csd, static_cast<std::uint64_t>(run.topology().cpus()));
}

TEST(Simulation, RefusesWhatIsOutOfRange) {
    const auto refused = [](auto&& change) {
        Scenario s;
        change(s);
        EXPECT_THROW(make(s), Error);
    };
    refused([](Scenario& s) { s.threads = 0; });
    refused([](Scenario& s) { s.flush_pages = 0; });
    refused([](Scenario& s) { s.flush_pages = 100000; });
    refused([](Scenario& s) { s.shift = 13; });
    refused([](Scenario& s) { s.policy = "2.4"; });
    refused([](Scenario& s) { s.workload = "doom"; });
    refused([](Scenario& s) { s.sockets = 9; });
    refused([](Scenario& s) { s.cores_per_socket = 1024; });
    refused([](Scenario& s) { s.processor = "../../etc/passwd"; });
}

TEST(Simulation, TheLargestMachineRuns) {
    Scenario s;
    s.sockets = 8;
    s.cores_per_socket = 64;
    s.threads_per_core = 2;
    s.threads = 1024;
    s.flush_pages = 1;
    s.working_set_pages = 64;
    Simulation run = make(s);
    EXPECT_EQ(run.topology().cpus(), 1024);
    run.run_to_event(200000);
    Cycles sum = 0;
    for (const Cycles c : run.totals().buckets)
        sum += c;
    EXPECT_EQ(sum, run.now() * 1024);
    EXPECT_EQ(run.totals().mmu.stale_uses, 0u);
}
