// Keys that several subcommands print.
#pragma once

#include "app/cli/figures.h"
#include "engine/core/bucket.h"
#include "engine/simulation/scenario.h"

namespace tlbscope {

// scenario.processor … scenario.seed; shift and ceiling are "default" where the kernel's own applies.
void add_scenario(Figures& figures, const Scenario& scenario);
// cycles.user … cycles.idle
void add_buckets(Figures& figures, const BucketCycles& buckets);

// "user", "cache_miss", …: stable names for files.
const char* key(Bucket bucket);

} // namespace tlbscope
