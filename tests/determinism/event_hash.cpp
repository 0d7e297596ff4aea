// Prints one line for each of several scenarios: events, their hash, workload records. The lines must
// not depend on compiler or optimisation level; tests/determinism/compare holds them together.
#include "engine/core/error.h"
#include "engine/hardware/processor.h"
#include "engine/kernel/address_split.h"
#include "engine/kernel/flush_policy.h"
#include "engine/kernel/page_placement.h"
#include "engine/simulation/simulation.h"

#include <cinttypes>
#include <cstdio>
#include <vector>

using namespace tlbscope;

namespace {

std::vector<Scenario> scenarios() {
    std::vector<Scenario> all;
    for (const FlushPolicy& policy : flush_policies())
        for (const char* workload : {"ebizzy", "mummap"}) {
            Scenario s;
            s.policy = policy.id;
            s.workload = workload;
            s.threads = 3;
            all.push_back(s);
        }
    for (const std::string& processor : list_processors(TLBSCOPE_RESOURCES)) {
        Scenario s;
        s.processor = processor;
        s.threads = 7;
        s.flush_pages = 33;
        all.push_back(s);
    }
    Scenario s;
    s.madvise = 1;
    s.threads = 12; // more than CPUs
    all.push_back(s);
    s = {};
    s.sockets = 2;
    s.threads_per_core = 4;
    s.threads = 20;
    s.sibling_tlb = SiblingTlb::split;
    s.seed = 99;
    all.push_back(s);
    s.sibling_tlb = SiblingTlb::private_each;
    s.shift = 4;
    s.working_set_pages = 20000;
    all.push_back(s);
    const std::span<const PagePlacementInfo> placements = page_placements();
    std::size_t next = 0;
    for (const AddressSplit& split : address_splits())
        for (const char* workload : {"hint-double", "hint-int", "random-walk", "lseek", "ebizzy"}) {
            s = {};
            s.processor = split.long_mode ? "skylake-kpti" : "xeon-2.5-512k";
            s.split = split.id;
            s.pae = !split.long_mode && next % 2;
            s.workload = workload;
            s.placement = placements[next++ % placements.size()].id;
            s.threads = 1;
            s.hz = 1000;
            s.interrupts = 2000;
            s.subintervals = 700 + 300 * static_cast<int>(next);
            all.push_back(s);
        }
    return all;
}

} // namespace

int main() {
    try {
        int number = 0;
        for (const Scenario& scenario : scenarios()) {
            const auto processor = load_processor(TLBSCOPE_RESOURCES, scenario.processor);
            Simulation simulation(scenario, processor);
            simulation.run_until(static_cast<Cycles>(processor->hz * 0.002));
            // A change while it runs is part of the run.
            Scenario changed = scenario;
            changed.flush_pages += 10;
            simulation.apply(changed);
            simulation.run_until(static_cast<Cycles>(processor->hz * 0.003));
            std::printf("%2d %-18s %-9s %-11s events %" PRIu64 " hash %016" PRIx64 "\n", ++number,
                        scenario.processor.c_str(), scenario.policy.c_str(), scenario.workload.c_str(),
                        simulation.event_count(), simulation.event_hash());
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
