#include "app/window/stops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tlbscope {

Stops linearStops(int first, int last) {
    Stops stops(static_cast<std::size_t>(last - first + 1));
    std::iota(stops.begin(), stops.end(), first);
    return stops;
}

Stops logStops(int first, int last, int perDoubling, const std::vector<int>& also) {
    Stops stops = also;
    for (int i = 0;; ++i) {
        const double value = first * std::exp2(static_cast<double>(i) / perDoubling);
        if (value >= last) break;
        stops.push_back(static_cast<int>(std::lround(value)));
    }
    stops.push_back(last);
    std::sort(stops.begin(), stops.end());
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    std::erase_if(stops, [&](int v) { return v > last; });
    return stops;
}

int nearestStop(const Stops& stops, int value) {
    const auto above = std::lower_bound(stops.begin(), stops.end(), value);
    if (above == stops.begin()) return 0;
    if (above == stops.end()) return static_cast<int>(stops.size()) - 1;
    const int high = *above, low = *(above - 1);
    const bool ratio = low > 0;
    const double up = ratio ? static_cast<double>(high) / value : high - value;
    const double down = ratio ? static_cast<double>(value) / low : value - low;
    const auto at = up <= down ? above : above - 1;
    return static_cast<int>(at - stops.begin());
}

} // namespace tlbscope
