// Lines without an event head: headers, losses, call chains, and the rest.
#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <string_view>

namespace tlbscope {

struct LooseLine {
    enum class Kind : std::uint8_t { blank, header, lost, stack, other };
    Kind kind = Kind::other;
    CpuId cpu = kNoCpu;      // lost
    std::int64_t count = -1; // lost; -1 unknown
    // header; 0 where it does not say
    int cpus = 0;
    std::uint64_t entries_in_buffer = 0, entries_written = 0;
};

// `perf`: call chain entries have an address and no arrow.
LooseLine read_loose_line(std::string_view line, bool perf);

} // namespace tlbscope
