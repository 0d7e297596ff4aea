// The machine, its kernel and its workload as one value: copy it, and both copies run on alike.
#pragma once

#include "engine/core/bucket.h"
#include "engine/core/event.h"
#include "engine/hardware/processor.h"
#include "engine/hardware/machine.h"
#include "engine/kernel/kernel.h"
#include "engine/simulation/scenario.h"
#include "engine/workload/workload.h"

#include <memory>
#include <vector>

namespace tlbscope {

class Simulation {
public:
    // Throws Error for an invalid scenario. `processor` must be the scenario's.
    Simulation(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor);

    const Scenario& scenario() const { return scenario_; }
    Cycles now() const { return now_; }
    // Records emitted since time 0, whether or not anybody listens.
    std::uint64_t event_count() const { return event_count_; }
    // FNV-1a over all records so far.
    std::uint64_t event_hash() const { return hash_; }

    // Records are appended to `sink` (not owned, may be null: nobody listens).
    void listen(std::vector<Event>* sink) { sink_ = sink; }

    // Until n more records have been emitted, or until simulated time `t`.
    void run_events(std::uint64_t n);
    void run_until(Cycles t);

    // Live change of policy, shift, ceiling, threads, flush_pages, working_set_pages; throws Error,
    // and changes nothing, when another field differs.
    void apply(const Scenario& scenario);

private:
    Scenario scenario_;
    std::shared_ptr<const ProcessorSpec> processor_;
    Cycles now_ = 0;
    std::uint64_t event_count_ = 0;
    std::uint64_t hash_ = 0;
    std::vector<Event>* sink_ = nullptr;
};

} // namespace tlbscope
