// Two machines on one clock: the same work on both, drawn side by side.
#pragma once

#include "engine/core/bucket.h"
#include "engine/experiment/curve.h"
#include "engine/session/machine_run.h"
#include "engine/session/session.h"
#include "engine/session/snapshot.h"

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace tlbscope {

enum class Lockstep : std::uint8_t {
    time, // both show the same simulated time; one is ahead in work
    work, // both have done the same work; one is ahead in time
};

// One machine as it stands, and what it has spent since time 0.
struct DuelSide {
    std::shared_ptr<const Snapshot> snapshot; // never null
    std::uint64_t work = 0;                   // HINT iterations, accesses, records
    Cycles time = 0;
    std::uint64_t ticks = 0, cr3_loads = 0, walks = 0; // walks: TLB misses that loaded page tables
    BucketCycles buckets{};
    CurveShares shares{};
};

// Immutable once published.
struct DuelSnapshot {
    std::uint64_t sequence = 0;
    Lockstep lockstep = Lockstep::work;
    std::array<DuelSide, 2> sides; // left, right
    bool running = false;
    double speed = 0; // simulated seconds per host second asked for
};

class DuelWorker;

// All members may be called from the GUI thread and return at once; one worker thread owns both
// machines. The destructor joins it within a slice (5 ms).
class Duel {
public:
    // `notify` as in Session. Throws Error when a scenario is bad.
    Duel(std::string resources, std::function<void()> notify, const Scenario& left, const Scenario& right);
    ~Duel();
    Duel(const Duel&) = delete;
    Duel& operator=(const Duel&) = delete;

    std::shared_ptr<const DuelSnapshot> snapshot() const; // never null
    std::string take_error();

    void reset(const Scenario& left, const Scenario& right); // both at time 0, paused state kept
    void set_lockstep(Lockstep lockstep);
    void play();
    void pause();
    void set_speed(double simulated_per_host_second);
    // Both machines on by so many events of the slower one; negative: back.
    void step_event(int n = 1);
    // To just before the next timer tick of either machine, or just after it.
    void run_to_next_tick();
    void set_needs(const ViewNeeds& needs);
    std::uint64_t mark();
    bool wait_for(std::uint64_t mark, double seconds);

private:
    std::unique_ptr<DuelWorker> worker_;
};

} // namespace tlbscope
