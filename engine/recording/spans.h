// What each CPU was doing when, derived from events: the lanes of the timeline.
#pragma once

#include "engine/recording/shootdown.h"

namespace tlbscope {

enum class SpanKind : std::uint8_t {
    user,      // a task runs in user mode
    kernel,    // in a system call, not further known
    fault,     // page fault being served (only where its end is known)
    flush,     // local flush, between decision and wait
    wait_acks, // initiator waits for acknowledgements
    service,   // call-function interrupt being served
    interrupt, // any other interrupt
    blocked,   // simulation: waits for mmap_sem, nothing else to run
    idle,
    gap, // events lost
};

struct Span {
    std::int64_t begin = 0, end = 0; // ticks, end > begin
    std::uint64_t event = 0;         // index of the event that began it
    std::int64_t pages = 0;          // flush and service: pages, -1 full
    std::uint32_t task = 0;
    SpanKind kind = SpanKind::idle;

    bool operator==(const Span&) const = default;
};

// Innermost activity wins, so the spans of one CPU never overlap and are sorted.
struct Lane {
    CpuId cpu = 0;
    std::vector<Span> spans;
};

// One lane for every CPU 0 .. cpus-1. Events with index in [first, last). A lane begins with its first
// event and ends with the last event of the range. A recording does not say when an initiator stopped
// waiting, only what it did next; with the `shootdowns` of the log a wait ends at the last
// acknowledgement instead, which matters where few kinds of events were recorded.
std::vector<Lane> build_lanes(const EventLog& log, int cpus, std::uint64_t first, std::uint64_t last,
                              const ShootdownIndex* shootdowns = nullptr);

const char* to_string(SpanKind);

} // namespace tlbscope
