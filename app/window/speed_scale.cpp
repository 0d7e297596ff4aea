#include "app/window/speed_scale.h"

#include "views/format/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tlbscope {
namespace {

constexpr int kSlowest = -7, kFastest = 0; // powers of ten

// Ten preferred numbers a decade (ISO 3, R10): 1 : 50 000, not 1 : 50 119.
constexpr std::array kPreferred{1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0};
static_assert(kPreferred.size() == SpeedScale::kPerDecade);

} // namespace

int SpeedScale::last() {
    return (kFastest - kSlowest) * kPerDecade + 1;
}

double SpeedScale::speedAt(int position) {
    if (position >= last()) return std::numeric_limits<double>::infinity();
    // Counted from the fast end: the ratio is what is shown.
    const int steps = last() - 1 - std::max(position, 0);
    return 1 / (kPreferred[static_cast<std::size_t>(steps % kPerDecade)] *
                std::pow(10.0, steps / kPerDecade - kFastest));
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
    return speedAt(positionOf(1.0 / 25000));
}

} // namespace tlbscope
