// Made-up sweep results for charts.
#pragma once

#include "engine/experiment/sweep.h"

#include <cmath>

namespace tlbscope::synthetic {

inline SweepPoint sweep_point(int value, double median, double spread) {
    SweepPoint p;
    p.value = value;
    p.seeds = 3;
    p.median = median;
    p.low = median - spread;
    p.high = median + spread;
    return p;
}

inline std::vector<SweepPoint> shift_points(int count, int threads = 4) {
    std::vector<SweepPoint> points;
    for (int i = 0; i < count; ++i) {
        const int shift = -1 + i * 9 / std::max(1, count - 1);
        points.push_back(
            sweep_point(shift, 8000 + 300 * threads - (shift == 0 || shift == 1 ? 1300 : 0) + 40 * shift,
                        130 + 20 * threads));
    }
    return points;
}

inline std::vector<SweepPoint> set_points(int kind) {
    std::vector<SweepPoint> points;
    for (int i = 0; i <= 20; ++i) {
        const double at = 4 + i * 0.4;
        points.push_back(sweep_point(static_cast<int>(std::lround(std::exp2(at))),
                                     9000 / (1 + std::exp((at - 8 + 0.5 * kind) * 2.2)) + 700, 200));
    }
    return points;
}

} // namespace tlbscope::synthetic
