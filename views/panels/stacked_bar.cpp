#include "views/panels/stacked_bar.h"

#include "views/panels/panel.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tlbscope {

void paintSwatch(QPainter& painter, const QRectF& box, const QColor& color, Qt::BrushStyle hatch) {
    painter.fillRect(box, color);
    if (hatch == Qt::NoBrush) return;
    const QColor ink = luminance(color) > 0.18 ? QColor(0, 0, 0, 110) : QColor(255, 255, 255, 130);
    painter.fillRect(box, QBrush(ink, hatch));
}

void paintStackedBar(QPainter& painter, const QRect& bar, const std::vector<BarPart>& parts) {
    const Theme& t = Theme::current();
    painter.save();
    QPainterPath round;
    round.addRoundedRect(QRectF(bar), t.px(3), t.px(3));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(round);
    painter.fillRect(bar, t.emptyCell);
    double total = 0;
    for (const BarPart& part : parts)
        total += std::max(0.0, part.amount);
    double left = bar.left();
    if (total > 0)
        for (const BarPart& part : parts) {
            const double width = bar.width() * std::max(0.0, part.amount) / total;
            if (width <= 0) continue;
            const double gap = width > 4 ? 1 : 0;
            paintSwatch(painter, QRectF(left, bar.top(), width - gap, bar.height()), part.color, part.hatch);
            if (gap > 0) painter.fillRect(QRectF(left + width - 1, bar.top(), 1, bar.height()), t.panel);
            left += width;
        }
    painter.restore();
}

int legendHeight(std::size_t parts, int columns) {
    const Theme& t = Theme::current();
    const int rows = (static_cast<int>(parts) + columns - 1) / columns;
    return rows * (lineHeight(FontRole::small) + t.px(5));
}

int paintLegend(QPainter& painter, const QRect& box, const std::vector<BarPart>& parts, int columns) {
    const Theme& t = Theme::current();
    const int step = lineHeight(FontRole::small) + t.px(5), gap = t.px(18);
    const int width = (box.width() - gap * (columns - 1)) / columns;
    const int rows = (static_cast<int>(parts.size()) + columns - 1) / columns;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int row = static_cast<int>(i) % rows, column = static_cast<int>(i) / rows;
        QRect line(box.left() + column * (width + gap), box.top() + row * step, width, step);
        if (line.bottom() > box.bottom() + 1) continue;
        const int side = t.px(10);
        paintSwatch(painter, QRectF(line.left(), line.center().y() - side / 2, side, side), parts[i].color,
                    parts[i].hatch);
        const int value = textWidth(FontRole::monoSmall, parts[i].value);
        drawLine(painter, line.adjusted(side + t.px(7), 0, -value - t.px(6), 0), FontRole::small, t.dim,
                 parts[i].name);
        drawLine(painter, line, FontRole::monoSmall, t.text, parts[i].value, Qt::AlignRight);
    }
    return rows * step;
}

} // namespace tlbscope
