// Which logical CPU sits on which core and socket.
#pragma once

#include "engine/core/types.h"

namespace tlbscope {

// Up to 8 sockets and 1024 logical CPUs; 1, 2, 4 or 8 SMT siblings a core. CPUs are numbered as
// Linux numbers them on most x86 machines: first sibling of every core first, so that the siblings
// of core c are c, c + cores, c + 2 * cores, …
struct Topology {
    int sockets = 1;
    int cores_per_socket = 1;
    int threads_per_core = 1;

    int cores() const { return sockets * cores_per_socket; }
    int cpus() const { return cores() * threads_per_core; }
    int core_of(CpuId cpu) const { return cpu % cores(); }
    int sibling_of(CpuId cpu) const { return cpu / cores(); }
    int socket_of(CpuId cpu) const { return core_of(cpu) / cores_per_socket; }
    CpuId cpu_of(int core, int sibling) const { return static_cast<CpuId>(sibling * cores() + core); }

    // Throws Error naming `where` when outside the limits above.
    void validate(const char* where) const;

    bool operator==(const Topology&) const = default;
};

} // namespace tlbscope
