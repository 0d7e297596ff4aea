// Time on a horizontal axis: position to time and back, and where the marks stand.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace tlbscope {

// Linear; `begin` and `end` in ticks at pixel 0 and `width`.
struct TimeMap {
    double begin = 0, end = 1;
    double width = 1;

    double span() const { return end - begin; }
    double x(double ticks) const { return (ticks - begin) / (end - begin) * width; }
    double time(double x) const { return begin + x / width * (end - begin); }
    double ticksPerPixel() const { return (end - begin) / width; }
    // The same width of pixels, `factor` times the time, with the time at pixel x staying there.
    TimeMap zoomed(double factor, double x) const;
    TimeMap moved(double pixels) const; // contents move to the right by `pixels`
    bool operator==(const TimeMap&) const = default;
};

struct TimeTick {
    double ticks = 0;
    QString label;
};

// Marks at 1, 2 or 5 times a power of ten (ns, µs, ms, s), at least `minPixels` apart. Where the
// numbers would be long, labels count from `origin`, which `base` then names ("612.189 700 s +").
struct TimeTicks {
    std::vector<TimeTick> ticks;
    QString base; // empty: labels are absolute
};
TimeTicks timeTicks(const TimeMap& map, double ticksPerSecond, double minPixels);

} // namespace tlbscope
