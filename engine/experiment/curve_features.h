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
// `points`: one variant's, in any order; those without a seed yet do not count. The line of two plateaus
// with a ramp between that fits best, each plateau with two points at least. Nothing when it falls by less
// than 5 %, or by no more than the points scatter about that line.
std::optional<Knee> find_knee(std::span<const CurvePoint> points);

// The window in which `b` is slower than `a` by more than `share` of a: the stretch around the largest
// loss, whose ends are where the loss passes `share`, or the ends of the curve. A single point with less
// does not end it. Where the curves' points differ, a is taken by straight lines between its own.
struct Window {
    double first = 0, last = 0; // bytes of the axis
    double worst = 0;           // working set of the largest loss
    double loss = 0;            // there, 0 … 1
};
std::optional<Window> find_window(std::span<const CurvePoint> a, std::span<const CurvePoint> b,
                                  double share = 0.02);

// What b loses against a at the same size, seed by seed, so that a placement which both share does not
// count. Share of a, 0 … 1; negative: b is faster.
struct Loss {
    double median = 0, low = 0, high = 0; // low and high: 5 and 95 % quantile
    int seeds = 0;
};
// Nothing when they have no seed in common; by the medians where neither point knows its seeds.
std::optional<Loss> find_loss(const CurvePoint& a, const CurvePoint& b);

// The same between the sizes that both have, by the logarithm of the working set; nothing beyond them.
std::optional<Loss> find_loss(std::span<const CurvePoint> a, std::span<const CurvePoint> b, double bytes);

// Where b falls behind a on the way to its largest loss: the last working set below that at which b is not
// slower by more than `share`. Nothing when b is slower from the first point on, or nowhere.
std::optional<double> find_crossing(std::span<const CurvePoint> a, std::span<const CurvePoint> b,
                                    double share = 0.005);

} // namespace tlbscope
