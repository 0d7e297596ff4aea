// The clock of benchmarks that take turns with the program they are compared to.
#pragma once

#include <ctime>

namespace tlbscope {

// Thread CPU time in seconds: other programs on the machine do not count.
inline double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace tlbscope
