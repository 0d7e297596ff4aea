// The seam between the session and what it runs: a simulated machine as a value on the heap.
#pragma once

#include "engine/core/event.h"
#include "engine/kernel/work_mark.h"
#include "engine/session/snapshot.h"
#include "engine/simulation/scenario.h"

#include <functional>
#include <memory>
#include <vector>

namespace tlbscope {

struct ViewNeeds;

// Called a few times a slice, never once an access. Not thread safe; the worker owns it.
class MachineRun {
public:
    virtual ~MachineRun() = default;

    // Both copies run on alike. The copy listens to nobody.
    virtual std::unique_ptr<MachineRun> clone() const = 0;

    virtual Cycles now() const = 0;
    virtual std::uint64_t event_count() const = 0;
    virtual std::uint64_t event_hash() const = 0;
    // Records are appended to `sink` (not owned; null: nobody listens).
    virtual void listen(std::vector<Event>* sink) = 0;
    // Until n more records are out. Until time `t`, everything at `t` included.
    virtual void run_events(std::uint64_t n) = 0;
    virtual void run_until(Cycles t) = 0;
    // A live change; throws Error and changes nothing when the change needs a new run.
    virtual void apply(const Scenario& scenario) = 0;

    virtual std::shared_ptr<const MachineDescription> description() const = 0;
    // Fills now, event_count, cells, cpus, ipis, decision, counters, title and subtitle; `shootdown` 0:
    // the latest decision.
    virtual void observe(const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out) const = 0;
    // What all CPUs together have done by now; complete between two stretches of user work.
    virtual WorkMark work() const = 0;
    // The same of the first thread and its CPU where it last finished a lap; 0 laps for a program that
    // has none, or none yet.
    virtual WorkMark lap() const = 0;
    // Tasks by number, for the event list and the timeline.
    virtual std::shared_ptr<const Names> names() const = 0;
    // Rough size of one copy, for the bound on the memory of checkpoints.
    virtual std::size_t memory_bytes() const = 0;
};

// Throws Error for an invalid scenario.
using MachineFactory = std::function<std::unique_ptr<MachineRun>(const Scenario&)>;

} // namespace tlbscope
