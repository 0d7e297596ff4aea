// How the lead has gone over time: bounded, and true to stepping back.
#pragma once

#include <QPointF>
#include <QString>

#include <deque>

class QPainter;
class QRectF;

namespace tlbscope {

class DeltaHistory {
public:
    static constexpr std::size_t kMax = 2048;

    // `seconds`: simulated. What was at this time or later goes: it comes again. When full, every second
    // sample goes.
    void add(double seconds, double lead);
    void clear() { samples_.clear(); }
    const std::deque<QPointF>& samples() const { return samples_; }
    // Values between which 96 % of the samples lie, with 0: the first moments do not set the scale.
    std::pair<double, double> range() const;

    void paint(QPainter& painter, const QRectF& box) const;

private:
    std::deque<QPointF> samples_;
};

} // namespace tlbscope
