#include "engine/experiment/curve_features.h"

#include "engine/experiment/statistics.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

constexpr double kLeastFall = 0.05; // of a knee, of the plateau before
constexpr double kScatters = 2.5;   // a fall is that many times what is left unexplained, at least

struct Place {
    double x = 0, y = 0; // ln of bytes; throughput, or loss
};

std::vector<Place> places(std::span<const CurvePoint> points) {
    std::vector<Place> out;
    for (const CurvePoint& point : points)
        if (point.seeds > 0 && point.working_set > 0 && point.median > 0)
            out.push_back({std::log(point.working_set), point.median});
    std::sort(out.begin(), out.end(), [](const Place& a, const Place& b) { return a.x < b.x; });
    return out;
}

// Two plateaus and a ramp from the first to the second of `low` and `high`.
struct Ramp {
    double low = 0, high = 0;
    double before = 0, after = 0;
    double squares = 0; // what it leaves unexplained

    double weight(double x) const { return std::clamp((x - low) / (high - low), 0.0, 1.0); }
};

// The plateaus' heights by least squares. Nothing where they are not determined.
std::optional<Ramp> fit(const std::vector<Place>& curve, double low, double high) {
    Ramp ramp{low, high};
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
    for (const Place& place : curve) {
        const double b = ramp.weight(place.x), a = 1 - b;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ay += a * place.y;
        by += b * place.y;
    }
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 1e-9 * aa * bb)) return std::nullopt;
    ramp.before = (ay * bb - by * ab) / determinant;
    ramp.after = (by * aa - ay * ab) / determinant;
    for (const Place& place : curve) {
        const double b = ramp.weight(place.x);
        const double rest = place.y - ramp.before * (1 - b) - ramp.after * b;
        ramp.squares += rest * rest;
    }
    return ramp;
}

// How much b loses against a at b's working sets, as far as a reaches.
std::vector<Place> interpolated_losses(std::span<const CurvePoint> a, std::span<const CurvePoint> b) {
    const std::vector<Place> base = places(a);
    std::vector<Place> out;
    if (base.empty()) return out;
    for (const Place& place : places(b)) {
        if (place.x < base.front().x || place.x > base.back().x) continue;
        const auto right = std::lower_bound(base.begin(), base.end(), place.x,
                                            [](const Place& one, double x) { return one.x < x; });
        double height = right->y;
        if (right->x > place.x) {
            const auto left = std::prev(right);
            height = std::lerp(left->y, right->y, (place.x - left->x) / (right->x - left->x));
        }
        out.push_back({place.x, 1 - place.y / height});
    }
    return out;
}

// Size by size where both have the same sizes, so that find_loss() applies.
std::vector<Place> losses(std::span<const CurvePoint> a, std::span<const CurvePoint> b) {
    std::vector<Place> out;
    for (const CurvePoint& to : b) {
        if (to.seeds == 0 || !(to.working_set > 0)) continue;
        const auto from = std::find_if(a.begin(), a.end(), [&](const CurvePoint& point) {
            return point.working_set == to.working_set && point.seeds > 0;
        });
        if (from == a.end()) return interpolated_losses(a, b);
        if (const auto loss = find_loss(*from, to)) out.push_back({std::log(to.working_set), loss->median});
    }
    std::sort(out.begin(), out.end(), [](const Place& one, const Place& other) { return one.x < other.x; });
    return out;
}

std::size_t largest(const std::vector<Place>& curve) {
    return static_cast<std::size_t>(
        std::max_element(curve.begin(), curve.end(),
                         [](const Place& a, const Place& b) { return a.y < b.y; }) -
        curve.begin());
}

// Where the straight line between two places passes `y`.
double passing(const Place& from, const Place& to, double y) {
    const double share = to.y != from.y ? (y - from.y) / (to.y - from.y) : 0;
    return std::exp(std::lerp(from.x, to.x, std::clamp(share, 0.0, 1.0)));
}

} // namespace

std::optional<Loss> find_loss(const CurvePoint& a, const CurvePoint& b) {
    std::vector<double> losses;
    for (std::size_t i = 0; i < std::min(a.by_seed.size(), b.by_seed.size()); ++i)
        if (a.by_seed[i] > 0 && b.by_seed[i] > 0) losses.push_back(1 - b.by_seed[i] / a.by_seed[i]);
    if (a.by_seed.empty() && b.by_seed.empty() && a.median > 0 && b.median > 0)
        losses.push_back(1 - b.median / a.median);
    if (losses.empty()) return std::nullopt;
    return Loss{quantile(losses, 0.5), quantile(losses, 0.05), quantile(losses, 0.95),
                static_cast<int>(losses.size())};
}

std::optional<Loss> find_loss(std::span<const CurvePoint> a, std::span<const CurvePoint> b, double bytes) {
    struct At {
        double x = 0;
        Loss loss;
    };
    std::optional<At> below, above;
    for (const CurvePoint& to : b)
        for (const CurvePoint& from : a) {
            if (from.working_set != to.working_set || !(to.working_set > 0)) continue;
            const auto loss = find_loss(from, to);
            if (!loss) continue;
            if (to.working_set <= bytes && (!below || to.working_set > below->x))
                below = At{to.working_set, *loss};
            if (to.working_set >= bytes && (!above || to.working_set < above->x))
                above = At{to.working_set, *loss};
        }
    if (!below || !above) return std::nullopt;
    if (below->x == above->x) return below->loss;
    const double t = std::log(bytes / below->x) / std::log(above->x / below->x);
    return Loss{
        std::lerp(below->loss.median, above->loss.median, t), std::lerp(below->loss.low, above->loss.low, t),
        std::lerp(below->loss.high, above->loss.high, t), std::min(below->loss.seeds, above->loss.seeds)};
}

std::optional<Knee> find_knee(std::span<const CurvePoint> points) {
    const std::vector<Place> curve = places(points);
    if (curve.size() < 4) return std::nullopt;
    std::optional<Ramp> best;
    for (std::size_t i = 1; i + 2 < curve.size(); ++i) {
        for (std::size_t j = i + 1; j + 1 < curve.size(); ++j) {
            if (!(curve[j].x > curve[i].x)) continue;
            const auto ramp = fit(curve, curve[i].x, curve[j].x);
            if (ramp && ramp->after < ramp->before && (!best || ramp->squares < best->squares)) best = ramp;
        }
    }
    if (!best) return std::nullopt;
    const double fall = best->before - best->after;
    const double scatter = std::sqrt(best->squares / static_cast<double>(curve.size()));
    if (fall < kLeastFall * best->before || fall < kScatters * scatter) return std::nullopt;
    return Knee{std::exp((best->low + best->high) / 2), best->before, best->after};
}

std::optional<Window> find_window(std::span<const CurvePoint> a, std::span<const CurvePoint> b,
                                  double share) {
    const std::vector<Place> loss = losses(a, b);
    if (loss.empty()) return std::nullopt;
    const std::size_t worst = largest(loss);
    if (!(loss[worst].y > share)) return std::nullopt;
    const auto inside = [&](std::size_t i) { return i < loss.size() && loss[i].y > share; };
    std::size_t first = worst, last = worst;
    while (first > 0 && (inside(first - 1) || (first > 1 && inside(first - 2))))
        --first;
    while (inside(last + 1) || inside(last + 2))
        ++last;
    Window window;
    window.first = first > 0 ? passing(loss[first - 1], loss[first], share) : std::exp(loss[first].x);
    window.last =
        last + 1 < loss.size() ? passing(loss[last], loss[last + 1], share) : std::exp(loss[last].x);
    window.worst = std::exp(loss[worst].x);
    window.loss = loss[worst].y;
    return window;
}

std::optional<double> find_crossing(std::span<const CurvePoint> a, std::span<const CurvePoint> b,
                                    double share) {
    const std::vector<Place> loss = losses(a, b);
    if (loss.empty()) return std::nullopt;
    std::size_t i = largest(loss);
    if (!(loss[i].y > share)) return std::nullopt;
    while (i > 0 && loss[i - 1].y > share)
        --i;
    if (i == 0) return std::nullopt;
    return passing(loss[i - 1], loss[i], share);
}

} // namespace tlbscope
