#include "views/panels/delta_history.h"

#include "views/charts/decimate.h"
#include "views/format/format.h"
#include "views/panels/panel.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tlbscope {

void DeltaHistory::add(double seconds, double lead) {
    if (!std::isfinite(seconds) || !std::isfinite(lead)) return;
    while (!samples_.empty() && samples_.back().x() >= seconds)
        samples_.pop_back();
    samples_.push_back({seconds, lead});
    if (samples_.size() <= kMax) return;
    std::deque<QPointF> kept;
    for (std::size_t i = 0; i < samples_.size(); i += 2)
        kept.push_back(samples_[i]);
    samples_ = std::move(kept);
}

std::pair<double, double> DeltaHistory::range() const {
    if (samples_.empty()) return {0, 0};
    std::vector<double> values;
    for (const QPointF& p : samples_)
        values.push_back(p.y());
    std::sort(values.begin(), values.end());
    const std::size_t cut = values.size() / 50;
    return {std::min(0.0, values[cut]), std::max(0.0, values[values.size() - 1 - cut])};
}

void DeltaHistory::paint(QPainter& painter, const QRectF& box) const {
    const Theme& t = Theme::current();
    painter.fillRect(box, t.inset);
    auto [low, high] = range();
    if (high - low < 1e-7) low -= 5e-4, high += 5e-4;
    const double room = (high - low) * 0.15;
    low -= room;
    high += room;
    const auto y = [&](double lead) {
        return box.bottom() - (std::clamp(lead, low, high) - low) / (high - low) * box.height();
    };
    painter.fillRect(QRectF(box.left(), std::round(y(0)), box.width(), 1), t.faint);
    if (samples_.size() < 2) return;
    const double first = samples_.front().x(), last = samples_.back().x();
    QList<QPointF> line;
    for (const QPointF& p : samples_)
        line.push_back({box.left() + (p.x() - first) / (last - first) * box.width(), y(p.y())});
    line = decimate(line, std::max(10, static_cast<int>(box.width())));
    QPolygonF area(line);
    area << QPointF(line.back().x(), y(0)) << QPointF(line.front().x(), y(0));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor glass = t.accent;
    glass.setAlphaF(0.22f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(glass);
    painter.drawPolygon(area);
    painter.setPen(QPen(readable(t.accent, t.inset, 3), std::max(1.5, t.px(2) * 0.8)));
    painter.drawPolyline(QPolygonF(line));
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.text);
    painter.drawEllipse(line.back(), t.px(3), t.px(3));
    painter.restore();
}

} // namespace tlbscope
