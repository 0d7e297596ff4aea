#include "engine/hardware/topology.h"

#include "engine/core/error.h"

namespace tlbscope {

void Topology::validate(const char* where) const {
    if (sockets < 1 || sockets > 8) throw Error(where, "sockets is " + std::to_string(sockets), "1 to 8");
    if (threads_per_core != 1 && threads_per_core != 2 && threads_per_core != 4 && threads_per_core != 8)
        throw Error(where, "threads_per_core is " + std::to_string(threads_per_core), "1, 2, 4 or 8");
    if (cores_per_socket < 1 || cores_per_socket > 1024 || cpus() > 1024)
        throw Error(
            where,
            std::to_string(cores_per_socket) + " cores a socket give " +
                std::to_string(static_cast<long long>(sockets) * cores_per_socket * threads_per_core) +
                " logical CPUs",
            "1 to 1024 logical CPUs in all");
}

} // namespace tlbscope
