#include "app/window/speed_scale.h"

#include "views/format/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlbscope {
namespace {

constexpr int kSlowest = -7, kFastest = 0; // powers of ten

// Rounds a ratio to two digits: 2154 -> 2200.
double rounded(double ratio) {
    const double digit = std::pow(10.0, std::floor(std::log10(ratio)) - 1);
    return ratio < 10 ? std::round(ratio * 10) / 10 : std::round(ratio / digit) * digit;
}

} // namespace

int SpeedScale::last() {
    return (kFastest - kSlowest) * kPerDecade + 1;
}

double SpeedScale::speedAt(int position) {
    if (position >= last()) return std::numeric_limits<double>::infinity();
    const double ratio =
        std::pow(10.0, -(kSlowest + static_cast<double>(std::max(position, 0)) / kPerDecade));
    return 1 / rounded(ratio);
}

int SpeedScale::positionOf(double speed) {
    if (std::isinf(speed)) return last();
    const double decades = std::log10(std::max(speed, 1e-12)) - kSlowest;
    return std::clamp(static_cast<int>(std::lround(decades * kPerDecade)), 0, last() - 1);
}

QString SpeedScale::text(double speed) {
    if (std::isinf(speed)) return QStringLiteral("as fast as possible");
    const double ratio = 1 / speed;
    if (ratio < 10 && std::abs(ratio - std::round(ratio)) > 0.01)
        return QStringLiteral("1 : %1").arg(ratio, 0, 'f', 1);
    return QStringLiteral("1 : ") + grouped(static_cast<std::int64_t>(std::llround(ratio)));
}

double SpeedScale::defaultSpeed() {
    return speedAt(positionOf(1.0 / 50000));
}

} // namespace tlbscope
