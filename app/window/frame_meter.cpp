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

QString FrameMeter::text() const {
    return QStringLiteral("frames %1, usual %2 ms, longest %3 ms, over 16 ms: %4")
        .arg(frames_)
        .arg(usual_ / 1000, 0, 'f', 2)
        .arg(static_cast<double>(longest_) / 1000, 0, 'f', 1)
        .arg(over_);
}

} // namespace tlbscope
