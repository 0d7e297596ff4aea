// What the window shows when nobody asked for anything else.
#pragma once

#include "engine/simulation/scenario.h"

namespace tlbscope {

// ebizzy on the i7-3770 with malloc arenas that give memory back by madvise(MADV_DONTNEED): it holds
// mmap_sem for reading only, so that shootdowns meet CPUs at work. With munmap most threads sleep on
// mmap_sem, as they did in the measurements of 2013, and most targets are idle.
inline Scenario openingScenario() {
    Scenario scenario;
    scenario.madvise = 1;
    return scenario;
}

} // namespace tlbscope
