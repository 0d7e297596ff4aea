// What one types to jump somewhere: a time or an event.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace tlbscope {

struct Place {
    bool isEvent = false;
    std::int64_t value = 0; // index of an event, or ticks
};

// "#18402" is an event. "612.189734", "1.5 ms", "20 us", "300 ns" and "4366338 cycles" are times; with
// a + they count from `origin`. Without a unit: seconds in a recording, milliseconds in a simulation,
// ticks where the clock only counts (`ticksPerSecond` 0). Digits may be grouped by blanks. Exact: no
// floating point where ticks are nanoseconds.
std::optional<Place> parsePlace(const QString& text, double ticksPerSecond, bool recorded,
                                std::int64_t origin);

} // namespace tlbscope
