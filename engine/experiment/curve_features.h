// What the eye sees in a curve, found by the program.
#pragma once

#include "engine/experiment/curve.h"

#include <optional>
#include <span>

namespace tlbscope {

// The knee: where throughput, as a function of the logarithm of the working set, falls fastest on its
// way from the plateau in the cache to that in memory.
struct Knee {
    double working_set = 0;       // bytes of the axis, where it has fallen half the way
    double before = 0, after = 0; // throughput of the two plateaus
};
// `points`: one variant's, by working set. Nothing when it falls by less than 5 %.
std::optional<Knee> find_knee(std::span<const CurvePoint> points);

// The window in which `b` is slower than `a` by more than `share` of a.
struct Window {
    double first = 0, last = 0; // bytes of the axis
    double worst = 0;           // working set of the largest loss
    double loss = 0;            // there, 0 … 1
};
std::optional<Window> find_window(std::span<const CurvePoint> a, std::span<const CurvePoint> b,
                                  double share = 0.02);

// The largest working set at which b goes from not slower to slower.
std::optional<double> find_crossing(std::span<const CurvePoint> a, std::span<const CurvePoint> b);

} // namespace tlbscope
