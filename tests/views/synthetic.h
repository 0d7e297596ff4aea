// Made-up but consistent snapshots and logs, for tests, pictures and benchmarks of the views.
// Same spec, same value, bit for bit. No number here comes from a machine.
#pragma once

#include "engine/session/snapshot.h"

#include <memory>

namespace tlbscope::synthetic {

enum class Arrays { none, teaching, ivybridge, skylake, zen3 };

struct Spec {
    Topology topology{1, 4, 2};
    Arrays arrays = Arrays::ivybridge;
    bool recorded = false; // no arrays, ticks are nanoseconds
    std::uint64_t seed = 1;
    std::size_t events = 20000;
    int frame = 0;         // moves ages, IPIs and the cursor
    bool shootdown = true; // one is in flight
    int busy_cpus = 0;     // that run user code; 0: half of them, at least two
};

std::shared_ptr<Snapshot> snapshot(const Spec& spec);
EventLog log(const Spec& spec);
MachineDescription machine(const Spec& spec);

// splitmix64, after Steele, Lea and Flood (2014).
struct Random {
    std::uint64_t state;
    std::uint64_t next() {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

} // namespace tlbscope::synthetic
