#pragma once

#include "engine/session/snapshot.h"
#include "engine/simulation/simulation.h"

namespace tlbscope {

// Fills out.cells and adds valid_entries to out.cpus, which must have one element a CPU.
void observe_cells(const Simulation& simulation, const MachineDescription& machine, Snapshot& out);

} // namespace tlbscope
