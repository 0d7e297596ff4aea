// Two runs with their pasts, moved together.
#pragma once

#include "engine/session/duel.h"
#include "engine/session/simulation_track.h"

#include <array>
#include <map>
#include <optional>

namespace tlbscope {

// The left machine is the clock. By time the right one is brought to the same cycle; by work to the
// first multiple of kGrain cycles at which it has begun as much work. Both places depend on the left
// one's time alone, never on how the way there was sliced. Movements are asked for and then worked on
// in slices, as in SimulationTrack. Not thread safe.
class DuelTrack {
public:
    static constexpr Cycles kGrain = 1000;

    // Throws Error for an invalid scenario.
    DuelTrack(const MachineFactory& factory, const Scenario& left, const Scenario& right,
              SimulationTrack::Limits limits = small_limits());
    static SimulationTrack::Limits small_limits();

    Lockstep lockstep() const { return lockstep_; }
    void set_lockstep(Lockstep lockstep); // moves the right machine
    Cycles time() const { return time_; } // the left machine's place, or the one moved to
    double hz() const { return sides_[0]->machine().description()->hz; }

    void go_to_time(Cycles t);
    void step_events(int n);
    void go_to_next_tick();
    bool moving() const { return goal_ != Goal::none; }
    // Whether the last search found nothing within 200 ms of simulated time; once.
    bool gave_up() { return std::exchange(gave_up_, false); }
    void stop_moving();
    // Works on the movement; true when it has arrived.
    bool work(const Deadline& deadline);

    // Only at rest: fills sides and lap.
    void fill(const ViewNeeds& needs, DuelSnapshot& out);
    const SimulationTrack& side(std::size_t i) const { return *sides_[i]; }

private:
    enum class Goal : std::uint8_t { none, place, step, tick };
    struct Sample {
        Cycles time = 0;
        std::uint64_t work = 0;
    };

    bool find(const Deadline& deadline);
    bool find_step(const Deadline& deadline);
    bool find_tick(const Deadline& deadline);
    // The first event later than t of side i that `wanted` takes; runs ahead where it is not known yet.
    // Nothing: the deadline is over, or gave_up_.
    template <typename Wanted>
    std::optional<Cycles> next(std::size_t i, Cycles t, const Deadline& deadline, Wanted wanted);
    std::optional<Cycles> previous(std::size_t i, Cycles t) const;
    std::size_t clocks() const { return lockstep_ == Lockstep::time ? 2 : 1; }

    void begin_placing(Cycles t);
    bool place(std::size_t i, Cycles t, const Deadline& deadline);
    bool catch_up(const Deadline& deadline);
    void note(std::size_t i); // laps and work of a machine that has just moved

    std::array<std::unique_ptr<SimulationTrack>, 2> sides_;
    Lockstep lockstep_ = Lockstep::work;
    Goal goal_ = Goal::none;
    Cycles time_ = 0;
    int steps_ = 0;
    bool left_placed_ = false, gave_up_ = false;
    std::array<bool, 2> started_{};
    Sample before_{-kGrain, 0}; // where the right machine stood before its last step of kGrain
    std::array<std::map<std::uint64_t, WorkMark>, 2> laps_;
    std::vector<Sample> samples_; // of the right machine, ascending, thinned out
    Cycles sample_spacing_ = 16 * kGrain;
};

} // namespace tlbscope
