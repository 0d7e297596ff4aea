#include "app/window/frame_meter.h"

#include <algorithm>

namespace tlbscope {

void FrameMeter::end(int snapshots, int views) {
    const std::int64_t spent = timer_.nsecsElapsed() / 1000;
    ++frames_;
    snapshots_ += snapshots;
    views_ += views;
    mostViews_ = std::max(mostViews_, views);
    over_ += spent > kBudgetMicroseconds;
    longest_ = std::max(longest_, spent);
    usual_ +=
        (static_cast<double>(spent) - usual_) / static_cast<double>(std::min<std::int64_t>(frames_, 60));
}

void FrameMeter::endPainting() {
    const std::int64_t spent = paintTimer_.nsecsElapsed() / 1000;
    ++paints_;
    over_ += spent > kBudgetMicroseconds;
    longestPaint_ = std::max(longestPaint_, spent);
    usualPaint_ +=
        (static_cast<double>(spent) - usualPaint_) / static_cast<double>(std::min<std::int64_t>(paints_, 60));
}

QString FrameMeter::text() const {
    return QStringLiteral(
               "%1 frames · taking %2 ms, longest %3 · painting %4 ms, longest %5 · over 16 ms: %6")
        .arg(frames_)
        .arg(usual_ / 1000, 0, 'f', 2)
        .arg(static_cast<double>(longest_) / 1000, 0, 'f', 1)
        .arg(usualPaint_ / 1000, 0, 'f', 1)
        .arg(static_cast<double>(longestPaint_) / 1000, 0, 'f', 1)
        .arg(over_);
}

} // namespace tlbscope
