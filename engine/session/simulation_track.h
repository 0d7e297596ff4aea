// One simulated run with its past: runs forward, goes back, and goes forward again to the same events.
#pragma once

#include "engine/session/checkpoints.h"
#include "engine/session/deadline.h"
#include "engine/session/history.h"
#include "engine/session/session.h"

#include <deque>
#include <optional>
#include <utility>

namespace tlbscope {

// Going back restores a checkpoint and re-runs to the exact record, parameter changes included; the
// future that was already seen stays in the history until a new parameter change makes it another.
// Movements are asked for and then worked on in slices, so that the caller stays responsive; until
// one arrives, the machine shown is the one before it. Not thread safe.
class SimulationTrack {
public:
    struct Limits {
        std::size_t history_blocks = 256;
        std::size_t checkpoints = 48;
        std::size_t checkpoint_bytes = std::size_t{256} << 20;
        // Host time of re-run between two checkpoints; more when copying is expensive.
        Deadline::Clock::duration spacing = std::chrono::milliseconds(10);
    };

    // Throws Error for an invalid scenario.
    SimulationTrack(MachineFactory factory, const Scenario& scenario);
    SimulationTrack(MachineFactory factory, const Scenario& scenario, Limits limits);

    const MachineRun& machine() const { return *machine_; }
    const Scenario& scenario() const { return scenario_; } // in effect where the run stands

    // Records regarded as happened. A machine may put out several in one step; one can stand between
    // them, and the machine is then the one after that step.
    std::uint64_t shown() const { return shown_; }

    // Records already out at the place to reach. 0: the start.
    void go_to_events(std::uint64_t events);
    void go_to_time(Cycles t);
    // Relative to the place being moved to, else to where the run stands.
    void step_events(std::int64_t n);
    // To the next (previous) decision that sends IPIs. Forward it gives up after 200 ms of simulated
    // time: gave_up() is true then, once.
    void step_shootdowns(std::int64_t n);
    // To the next tlb_flush on any CPU.
    void go_to_next_flush();
    bool moving() const { return goal_.kind != Goal::Kind::none; }
    bool stepping() const { return goal_.kind == Goal::Kind::events; }
    bool searching() const { return goal_.kind == Goal::Kind::shootdown || goal_.kind == Goal::Kind::flush; }
    bool gave_up() { return std::exchange(gave_up_, false); }
    void stop_moving();
    // Works on the movement. True when it has arrived (or when there was none).
    bool work(const Deadline& deadline);

    // Plays on towards `t`; true when reached. Not while moving.
    bool run_to_time(Cycles t, const Deadline& deadline);

    // A live change here and now; the known future is forgotten. Throws Error and changes nothing
    // when the machine refuses. Not while moving.
    void apply(const Scenario& scenario);

    // Everything but run, sequence, rates and running.
    void fill(const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out);

    const History& history() const { return history_; }
    const Checkpoints& checkpoints() const { return checkpoints_; }
    // Records that came out differently when they were run again; not 0 means a broken promise.
    std::uint64_t replay_mismatches() const { return mismatches_; }

private:
    struct Goal {
        enum class Kind : std::uint8_t { none, events, time, shootdown, flush } kind = Kind::none;
        std::uint64_t count = 0; // events; shootdown and flush: next record to look at
        Cycles time = 0;         // time; shootdown and flush: where to give up
        std::int64_t left = 0;   // shootdown: how many more
    };
    struct Change {
        Position at;
        Scenario scenario;
        std::uint64_t records = 0; // workload records done before it
    };
    // A machine on its way, with what it has taken of the journal.
    struct Run {
        std::unique_ptr<MachineRun> machine;
        std::size_t journal = 0;
        Position at;
    };

    Run& active() { return scratch_ ? *scratch_ : current_; }
    void restore(const Checkpoint& checkpoint, std::uint64_t goal_events);
    bool approach(Run& run, const Position& place);
    bool advance(Run& run, const Position& place, const Deadline& deadline);
    bool advance_match(Run& run, const Deadline& deadline);
    void chunk(Run& run, bool by_events, std::uint64_t events, Cycles t);
    void take_change(Run& run);
    void drain(Run& run);
    void consider_checkpoint(Run& run, Deadline::Clock::duration spent);
    Cycles search_end() const;
    void arrive();
    void fill_window(Snapshot& out);

    Limits limits_;
    Scenario first_scenario_, scenario_;
    Run current_;
    MachineRun* machine_ = nullptr; // current_.machine
    std::optional<Run> scratch_;
    Goal goal_;
    std::vector<Change> journal_;
    History history_;
    Checkpoints checkpoints_;
    std::vector<Event> buffer_;
    std::uint64_t events_a_chunk_ = 64;
    Cycles cycles_a_chunk_ = 2000;
    Deadline::Clock::duration since_checkpoint_{}, copy_cost_{};
    std::uint64_t shown_ = 0, mismatches_ = 0;
    bool gave_up_ = false;
    bool sampling_ = false; // while playing: a jump would leave samples wherever it was looked at
    struct BucketSample {
        Cycles now = 0;
        BucketCycles sum{};
    };
    std::deque<BucketSample> samples_;
    EventLog log_;
    std::uint64_t log_version_ = ~std::uint64_t{0};
};

// A decision that sends IPIs, in a simulation.
bool starts_shootdown(const Event& event);

} // namespace tlbscope
