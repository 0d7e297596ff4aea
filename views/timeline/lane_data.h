// What the lanes of a stretch of time show, computed once and drawn many times. Immutable.
#pragma once

#include "engine/recording/shootdown.h"
#include "engine/recording/spans.h"

#include <array>
#include <atomic>
#include <memory>

namespace tlbscope {

inline constexpr std::size_t kSpanKinds = 10;

// How much of each bucket of time each kind takes, in 255ths: for stretches with too many spans.
struct Coverage {
    double begin = 0, bucketTicks = 1;
    std::size_t buckets = 0;
    // [lane * buckets + bucket][kind]
    std::vector<std::array<std::uint8_t, kSpanKinds>> shares;
};

struct LaneData {
    std::uint64_t run = 0;
    std::uint64_t firstEvent = 0, lastEvent = 0; // range of the log it was made from
    double begin = 0, end = 0;                   // ticks it covers
    bool exact = true;                           // spans; otherwise coverage
    std::vector<Lane> lanes;
    ShootdownIndex shootdowns; // of the stretch, only where exact
    Coverage coverage;
};

struct LaneRequest {
    EventLog log;
    std::uint64_t run = 0;
    int cpus = 0;
    double begin = 0, end = 0;
};

// Events that the stretch needs: those in it and some before, from which the state at its begin is known.
std::uint64_t eventsNeeded(const LaneRequest& request);
// Any thread; null when `cancel` was set meanwhile.
std::shared_ptr<const LaneData> makeLaneData(const LaneRequest& request, const std::atomic<bool>& cancel);

// Above this many events a stretch is drawn from coverage.
inline constexpr std::uint64_t kExactEvents = 60000;

} // namespace tlbscope
