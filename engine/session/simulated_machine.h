// A Simulation behind the session's seam, and what the window sees of it.
#pragma once

#include "engine/session/machine_run.h"
#include "engine/simulation/simulation.h"

#include <string>

namespace tlbscope {

// Arrays and topology as the views draw them.
MachineDescription describe_machine(const Simulation& simulation);

// Fills cells, cpus, ipis, decision, counters, title and subtitle from the simulation as it stands.
void observe_simulation(const Simulation& simulation, const MachineDescription& machine,
                        const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out);

// Machines whose processors are in `resources`/processors/.
MachineFactory simulated_machines(std::string resources);

} // namespace tlbscope
