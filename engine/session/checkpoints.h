// Copies of a running machine, so that going back costs a short re-run instead of a long one.
#pragma once

#include "engine/session/machine_run.h"

namespace tlbscope {

// A reproducible place in a run. `by_events`: the moment record number `events` came out; otherwise
// everything up to `time` has happened.
struct Position {
    Cycles time = 0;
    std::uint64_t events = 0;
    bool by_events = false;
};

struct Checkpoint {
    Position at;
    std::size_t journal = 0; // parameter changes already taken
    std::unique_ptr<MachineRun> machine;
};

// Sorted by position; the first (the start of the run) is never dropped. When there are too many,
// the one goes whose neighbours are closest relative to its age: dense near the present, sparse
// in the past.
class Checkpoints {
public:
    explicit Checkpoints(std::size_t max_count = 48, std::size_t max_bytes = std::size_t{256} << 20);

    void clear();
    // `machine` is copied. Ignored where a checkpoint already stands.
    void take(const Position& at, std::size_t journal, const MachineRun& machine);
    // Forgets those at or after the place where a new branch begins.
    void drop_after(const Position& at);

    // The last from which `events` records, or time `t`, can still be reached; null: none.
    const Checkpoint* before_events(std::uint64_t events) const;
    const Checkpoint* before_time(Cycles t) const;

    std::size_t size() const { return list_.size(); }
    std::size_t bytes() const;
    const Checkpoint& operator[](std::size_t i) const { return list_[i]; }

private:
    void thin();

    std::vector<Checkpoint> list_;
    std::size_t max_count_, max_bytes_;
};

} // namespace tlbscope
