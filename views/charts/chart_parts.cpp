#include "views/charts/chart_parts.h"

#include "views/charts/decimate.h"

#include <QPainter>

#include <algorithm>

namespace tlbscope {

PlotBudget plotBudget(int width, std::size_t series, std::size_t longest) {
    PlotBudget budget;
    const int columns = std::max(50, width);
    // Up to four points a column. Half the pixels give two a pixel; Qt Charts takes about a microsecond a
    // point, so many long series share 4000 points to stay within a frame.
    budget.columns = std::clamp(1000 / std::max(1, static_cast<int>(series)), 50, std::max(50, columns / 2));
    budget.markers = columns / std::max(1, Theme::current().px(17));
    budget.bands = series * longest <= 2000;
    return budget;
}

PlotSeries plotSeries(const QList<QPointF>& line, const QList<QPointF>& low, const QList<QPointF>& high,
                      SeriesStyle style, const PlotBudget& budget) {
    PlotSeries out;
    out.style = style;
    out.markers = line.size() <= budget.markers;
    out.line = decimate(line, budget.columns);
    if (budget.bands) {
        out.low = decimate(low, budget.columns);
        out.high = decimate(high, budget.columns);
    }
    return out;
}

double valueAt(const QList<QPointF>& line, double x) {
    const auto after =
        std::lower_bound(line.begin(), line.end(), x, [](const QPointF& p, double at) { return p.x() < at; });
    if (after == line.end()) return std::nan("");
    if (after->x() == x) return after->y();
    if (after == line.begin()) return std::nan("");
    const auto before = std::prev(after);
    return before->y() + (after->y() - before->y()) * (x - before->x()) / (after->x() - before->x());
}

void paintLineSample(QPainter& painter, const QLine& line, SeriesStyle style) {
    const Theme& t = Theme::current();
    painter.setPen(QPen(t.series(style.color), std::max(2, t.px(2)), style.pen()));
    painter.drawLine(line);
}

void paintPublishedMark(QPainter& painter, const QPointF& c, double r) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::current().hue.purple, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(
        QPolygonF{c + QPointF(0, -r), c + QPointF(r, 0), c + QPointF(0, r), c + QPointF(-r, 0)});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace tlbscope
