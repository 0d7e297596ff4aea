// What frames cost on the GUI thread: counts for tests, times for the overlay.
#pragma once

#include <QElapsedTimer>
#include <QString>

#include <cstdint>

namespace tlbscope {

class FrameMeter {
public:
    static constexpr std::int64_t kBudgetMicroseconds = 16000;

    void begin() { timer_.start(); }
    // `snapshots` and `views`: how many were taken and given one in this frame.
    void end(int snapshots, int views);
    void beginPainting() { paintTimer_.start(); }
    void endPainting();

    std::int64_t frames() const { return frames_; }
    std::int64_t snapshots() const { return snapshots_; }
    std::int64_t views() const { return views_; }
    int mostViews() const { return mostViews_; } // in one frame
    std::int64_t overBudget() const { return over_; }
    std::int64_t longest() const { return longest_; } // microseconds
    QString text() const;

private:
    QElapsedTimer timer_, paintTimer_;
    std::int64_t frames_ = 0, snapshots_ = 0, views_ = 0, over_ = 0, longest_ = 0;
    int mostViews_ = 0;
    std::int64_t paints_ = 0, longestPaint_ = 0;
    double usual_ = 0, usualPaint_ = 0;
};

} // namespace tlbscope
