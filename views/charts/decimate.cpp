#include "views/charts/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tlbscope {

QList<QPointF> decimate(const QList<QPointF>& all, int columns) {
    QList<QPointF> points;
    points.reserve(all.size());
    for (const QPointF& p : all)
        if (std::isfinite(p.x()) && std::isfinite(p.y())) points.push_back(p);
    if (columns < 1 || points.size() <= qsizetype{2} * columns) return points;
    const double first = points.front().x(), width = points.back().x() - first;
    if (!(width > 0)) return points;
    QList<QPointF> out;
    for (qsizetype i = 0; i < points.size();) {
        const int column = std::min(columns - 1, static_cast<int>((points[i].x() - first) / width * columns));
        qsizetype low = i, high = i, end = i;
        while (end < points.size() && std::min(columns - 1, static_cast<int>((points[end].x() - first) /
                                                                             width * columns)) == column) {
            if (points[end].y() < points[low].y()) low = end;
            if (points[end].y() > points[high].y()) high = end;
            ++end;
        }
        std::array<qsizetype, 4> keep = {i, low, high, end - 1};
        std::sort(keep.begin(), keep.end());
        for (std::size_t k = 0; k < keep.size(); ++k)
            if (k == 0 || keep[k] != keep[k - 1]) out.push_back(points[keep[k]]);
        i = end;
    }
    return out;
}

} // namespace tlbscope
