// Measuring one scenario by running its simulation.
#pragma once

#include "engine/experiment/measurement.h"
#include "engine/experiment/sweep.h"

namespace tlbscope {

// Simulates warm-up and measured part of one value and seed. Reads the processor at once; throws
// Error when it cannot.
Measure simulate_measure(const SweepSpec& spec, const std::string& resources);

} // namespace tlbscope
