// One scenario run for a while: what it achieved and where the cycles went.
#pragma once

#include "engine/core/bucket.h"
#include "engine/simulation/scenario.h"

#include <atomic>
#include <functional>
#include <optional>

namespace tlbscope {

// Of the measured part of one run, without the warm-up. Rates are per simulated second.
struct Measurement {
    double records_per_second = 0;
    double flushes_per_second = 0; // shootdowns: nr_tlb_remote_flush
    double ipis_per_second = 0;
    double full_share = 0;  // 0 … 1: full flushes among the flush decisions; 0 when there were none
    BucketCycles buckets{}; // all CPUs

    bool operator==(const Measurement&) const = default;
};

// Nothing when `cancel` was set before the end; must look at it every few milliseconds. May run on
// several threads at once.
using Measure = std::function<std::optional<Measurement>(const Scenario&, const std::atomic<bool>& cancel)>;

} // namespace tlbscope
