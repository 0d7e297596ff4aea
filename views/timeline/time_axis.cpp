#include "views/timeline/time_axis.h"

#include "views/format/format.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tlbscope {

TimeMap TimeMap::zoomed(double factor, double x) const {
    const double still = time(x);
    TimeMap out = *this;
    out.begin = still - (still - begin) * factor;
    out.end = still + (end - still) * factor;
    return out;
}

TimeMap TimeMap::moved(double pixels) const {
    const double by = pixels * ticksPerPixel();
    TimeMap out = *this;
    out.begin -= by;
    out.end -= by;
    return out;
}

TimeTicks timeTicks(const TimeMap& map, double ticksPerSecond, double minPixels) {
    TimeTicks out;
    if (!(map.width > 0) || !(map.end > map.begin)) return out;
    const bool clock = ticksPerSecond > 0;
    const double unit = clock ? ticksPerSecond / 1e9 : 1; // ticks a nanosecond
    const double begin = map.begin / unit, end = map.end / unit;
    const double wanted = std::max((end - begin) / map.width * minPixels, clock ? 1e-2 : 1.0);
    double step = std::pow(10, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= wanted * 0.999) {
            step *= factor;
            break;
        }
    struct Unit {
        double ns;
        const char* name;
    };
    static constexpr Unit units[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " µs"}, {1, " ns"}};
    Unit used = units[3];
    for (std::size_t i = 0; i < std::size(units); ++i) {
        if (step < units[i].ns * 0.999) continue;
        used = units[i];
        // A larger unit with up to three decimals reads better than a long number.
        while (i > 0 && std::abs(end) / used.ns >= 1e4 && step / units[i - 1].ns >= 0.999e-3)
            used = units[--i];
        break;
    }
    if (!clock) used = {1, ""};
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / used.ns) - 1e-9)));
    double origin = 0;
    if (std::abs(end) / used.ns >= 1e5) { // long numbers: count from a round time at the left
        const double coarse = step * 1000 > end - begin ? std::max(step * 10, used.ns * 1000) : step * 1000;
        origin = std::floor(begin / coarse) * coarse;
        out.base = clockText(std::llround(origin * unit), ticksPerSecond);
    }
    const double first = std::ceil((begin - 1e-6 * step) / step);
    for (int i = 0; i < 1000; ++i) {
        const double at = (first + i) * step;
        if (at > end) break;
        const QString sign = out.base.isEmpty() ? QString() : QStringLiteral("+");
        out.ticks.push_back({at * unit, sign + groupedDecimals((at - origin) / used.ns, decimals) +
                                            QString::fromUtf8(used.name)});
    }
    return out;
}

} // namespace tlbscope
