// Two machines on one clock: the same program on both, drawn side by side.
#pragma once

#include "engine/core/bucket.h"
#include "engine/experiment/curve.h"
#include "engine/session/machine_run.h"
#include "engine/session/session.h"
#include "engine/session/snapshot.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tlbscope {

enum class Lockstep : std::uint8_t {
    time, // both show the same simulated time; one is ahead in work
    work, // the right machine has just caught up with the left one's work; their times differ
};

// One machine as it stands, and what it has spent since time 0.
struct DuelSide {
    std::shared_ptr<const Snapshot> snapshot; // never null; without a log of events
    // HINT iterations, accesses, records, as begun: a program does them in stretches of some thousand
    // cycles, so that two machines in lockstep by work differ by up to one stretch.
    std::uint64_t work = 0;
    std::uint64_t laps = 0; // finished
    Cycles time = 0;
    std::uint64_t ticks = 0, cr3_loads = 0, walks = 0; // walks: TLB misses that loaded page tables
    BucketCycles buckets{};                            // all CPUs
    CurveShares shares{};                              // all CPUs
};

// The first thread and its CPU on both machines, at the end of the same lap: exactly the same work, so
// that everything they differ in is the kernel's.
struct DuelLap {
    std::uint64_t laps = 0; // finished by both
    std::uint64_t work = 0;
    std::array<Cycles, 2> time{};
    std::array<CurveShares, 2> shares{};
    std::array<std::uint64_t, 2> ticks{}, cr3_loads{}, walks{};
};

// Immutable once published.
struct DuelSnapshot {
    std::uint64_t run = 0; // changes with every reset()
    std::uint64_t sequence = 0;
    std::uint64_t mark = 0; // see Duel::mark()
    Lockstep lockstep = Lockstep::work;
    std::array<DuelSide, 2> sides; // left, right
    std::optional<DuelLap> lap;    // the newest that both have finished; none: no lap yet
    bool running = false;
    bool moving = false; // a jump is being worked out; what is shown is the place before it
    double speed = 0;    // simulated seconds per host second asked for
    double slowdown = 0; // host seconds per simulated second, measured; 0 while paused
};

class DuelWorker;

// All members may be called from the GUI thread and return at once; one worker thread owns both
// machines. The destructor joins it within a slice (5 ms).
class Duel {
public:
    // `notify` as in Session. Throws Error when a scenario is bad.
    Duel(std::string resources, std::function<void()> notify, const Scenario& left, const Scenario& right);
    // With other machines than the usual.
    Duel(MachineFactory machines, std::function<void()> notify, const Scenario& left, const Scenario& right);
    ~Duel();
    Duel(const Duel&) = delete;
    Duel& operator=(const Duel&) = delete;

    std::shared_ptr<const DuelSnapshot> snapshot() const; // never null
    // Last error of a command; cleared by reading.
    std::string take_error();

    // Both at time 0, paused state, speed and lockstep kept. A bad scenario is an error, and what was
    // there stays.
    void reset(const Scenario& left, const Scenario& right);
    void set_lockstep(Lockstep lockstep);
    void play();
    void pause();
    // Of the left machine, 1e-9 … 1; infinity: as fast as possible.
    void set_speed(double simulated_per_host_second);
    // To the n-th next moment at which either machine (by work: the left one) puts out an event;
    // negative: back. Pauses, like everything below.
    void step_event(int n = 1);
    // To the last cycle before the next timer tick of either machine (by work: of the left one); from
    // there to where both are back in their program.
    void run_to_next_tick();
    void seek_time(Cycles t); // of the left machine
    void set_needs(const ViewNeeds& needs);
    // As in Session.
    std::uint64_t mark();
    bool wait_for(std::uint64_t mark, double seconds);

private:
    std::unique_ptr<DuelWorker> worker_;
};

} // namespace tlbscope
