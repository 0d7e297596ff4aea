#include "views/charts/label_layout.h"

#include <algorithm>
#include <limits>

namespace tlbscope {

std::vector<StripPlace> layoutStrip(std::span<const StripLabel> labels, double left, double right,
                                    double gap) {
    struct Used {
        double first, last;
    };
    std::vector<std::vector<Used>> rows;
    std::vector<StripPlace> out;
    for (const StripLabel& label : labels) {
        StripPlace place;
        const double bar = label.last - label.first;
        const double highest = std::max(left, right - label.width);
        place.inside = bar <= 0 || label.width + 5 * gap <= bar;
        if (place.inside)
            place.left = std::clamp((label.first + label.last - label.width) / 2, left, highest);
        else if (label.last + gap + label.width <= right)
            place.left = label.last + gap;
        else
            place.left = std::clamp(label.first - gap - label.width, left, highest);
        const Used mine{std::min(label.first, place.left), std::max(label.last, place.left + label.width)};
        const auto free = [&](const std::vector<Used>& row) {
            return std::none_of(row.begin(), row.end(), [&](const Used& used) {
                return mine.first < used.last + gap && used.first < mine.last + gap;
            });
        };
        const auto row = std::find_if(rows.begin(), rows.end(), free);
        place.row = static_cast<int>(row - rows.begin());
        if (row == rows.end()) rows.emplace_back();
        rows[static_cast<std::size_t>(place.row)].push_back(mine);
        out.push_back(place);
    }
    return out;
}

namespace {

// Liang–Barsky.
bool crosses(const QPointF& a, const QPointF& b, const QRectF& box) {
    double from = 0, to = 1;
    const double dx = b.x() - a.x(), dy = b.y() - a.y();
    const double p[] = {-dx, dx, -dy, dy};
    const double q[] = {a.x() - box.left(), box.right() - a.x(), a.y() - box.top(), box.bottom() - a.y()};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0) return false;
            continue;
        }
        const double r = q[i] / p[i];
        if (p[i] < 0)
            from = std::max(from, r);
        else
            to = std::min(to, r);
    }
    return from <= to;
}

} // namespace

bool touches(const QPolygonF& line, const QRectF& box) {
    if (line.size() == 1) return box.contains(line.front());
    for (qsizetype i = 1; i < line.size(); ++i)
        if (crosses(line[i - 1], line[i], box)) return true;
    return false;
}

QRectF freePlace(std::span<const QRectF> candidates, const QRectF& area, std::span<const QPolygonF> lines,
                 std::span<const QRectF> taken) {
    QRectF best = candidates.front();
    double least = std::numeric_limits<double>::infinity();
    for (const QRectF& box : candidates) {
        double cost = 0;
        if (!area.contains(box)) cost += 100;
        for (const QPolygonF& line : lines)
            if (touches(line, box)) cost += 1;
        for (const QRectF& other : taken)
            if (other.intersects(box)) cost += 10;
        if (cost < least) least = cost, best = box;
        if (cost == 0) break;
    }
    return best;
}

} // namespace tlbscope
