// The values a slider can take: dense where it matters, to a wide end.
#pragma once

#include <vector>

namespace tlbscope {

// Sorted, no duplicates.
using Stops = std::vector<int>;

// Every integer from first to last.
Stops linearStops(int first, int last);
// About `perDoubling` a doubling from first (at least 1) to last, and every value of `also`.
Stops logStops(int first, int last, int perDoubling, const std::vector<int>& also = {});
// Index of the stop nearest to `value`; by ratio where both are positive.
int nearestStop(const Stops& stops, int value);

} // namespace tlbscope
