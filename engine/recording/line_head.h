// What every line of a recording begins with: who, where, when, which event. The tokenizers fill it
// and look no further; the payload is for the decoders.
#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <string_view>

namespace tlbscope {

// The line named no task (perf script without comm and tid, texts with the columns cut off).
inline constexpr std::uint32_t kNoTask = 0xffffffff;

enum class TimeUnit : std::uint8_t {
    none,       // no time at all: only the order is known
    seconds,    // seconds with a fraction; LineHead::time is nanoseconds
    latency_us, // latency format, microseconds since the first event; LineHead::time is nanoseconds
    ticks,      // a plain integer: counter, uptime or TSC clock, or trace-cmd report --raw-ts
};

enum class LineShape : std::uint8_t {
    event,        // name: payload
    syscall,      // sys_name(arguments
    syscall_exit, // sys_name -> value
    function,     // name <-caller (function tracer)
    stack,        // <stack trace>: what follows belongs to the event before
};

struct LineHead {
    std::string_view comm;    // without its padding; may hold any byte but newline
    std::string_view event;   // without a subsystem prefix
    std::string_view payload; // begins at a non-blank
    std::int64_t time = 0;
    std::uint32_t task = kNoTask;
    std::uint32_t group = kNoTask; // thread group (tgid), where recorded
    CpuId cpu = kNoCpu;
    TimeUnit unit = TimeUnit::none;
    LineShape shape = LineShape::event;
};

} // namespace tlbscope
