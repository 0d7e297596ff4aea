#include "views/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

// WCAG 2.1, "relative luminance".
double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

} // namespace

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto part = [share](float x, float y) {
        return static_cast<float>(std::clamp(x + (y - x) * share, 0.0, 1.0));
    };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()),
                            part(a.blueF(), b.blueF()));
}

QColor readable(const QColor& color, const QColor& background, double ratio) {
    const QColor goal = luminance(background) < 0.18 ? QColor(Qt::white) : QColor(Qt::black);
    for (int step = 0; step <= 20; ++step) {
        const QColor tried = mix(color, goal, step / 20.0);
        if (contrast(tried, background) >= ratio) return tried;
    }
    return goal;
}

} // namespace tlbscope
