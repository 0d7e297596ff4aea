#pragma once

#include <cstdint>

namespace tlbscope {

struct WorkloadConfig {
    int threads = 4;
    std::uint32_t flush_pages = 129;        // pages of one munmap or madvise
    std::uint32_t working_set_pages = 1290; // pages read besides
    bool madvise = false;                   // ebizzy: free by madvise(MADV_DONTNEED)
    std::uint32_t subintervals = 6095;      // HINT: n

    bool operator==(const WorkloadConfig&) const = default;
};

} // namespace tlbscope
