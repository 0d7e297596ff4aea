#include "views/machine/state_glyph.h"

#include <QPainter>
#include <QPainterPath>

namespace tlbscope {

namespace {

QPolygonF shape(const QRectF& r, std::initializer_list<QPointF> unit) {
    QPolygonF out;
    for (const QPointF& p : unit)
        out << QPointF(r.x() + p.x() * r.width(), r.y() + p.y() * r.height());
    return out;
}

} // namespace

void paintStateGlyph(QPainter& painter, const QRectF& box, CpuState state, const Theme& theme,
                     const QColor& hole) {
    const QColor color = theme.state(state);
    const double line = std::max(1.2, box.width() * 0.16);
    const QRectF ring = box.adjusted(line / 2, line / 2, -line / 2, -line / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (state) {
    case CpuState::user:
        painter.drawEllipse(box);
        break;
    case CpuState::idle:
    case CpuState::lazy:
        painter.setPen(QPen(color, line));
        painter.setBrush(hole);
        painter.drawEllipse(ring);
        if (state == CpuState::lazy) { // half full: it still holds a borrowed mm
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPie(box, 90 * 16, 180 * 16);
        }
        break;
    case CpuState::syscall:
        painter.drawRect(box.adjusted(line / 2, line / 2, -line / 2, -line / 2));
        break;
    case CpuState::fault:
        painter.drawPolygon(shape(box, {{0.5, 0}, {1, 0.95}, {0, 0.95}}));
        break;
    case CpuState::blocked: // no way through
        painter.setPen(QPen(color, line));
        painter.setBrush(hole);
        painter.drawEllipse(ring);
        painter.drawLine(shape(ring, {{0.18, 0.82}, {0.82, 0.18}}).at(0),
                         shape(ring, {{0.18, 0.82}, {0.82, 0.18}}).at(1));
        break;
    case CpuState::flushing:
        painter.drawPolygon(shape(box, {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}));
        break;
    case CpuState::waiting: // hourglass
        painter.drawPolygon(shape(box, {{0.05, 0}, {0.95, 0}, {0.5, 0.5}}));
        painter.drawPolygon(shape(box, {{0.05, 1}, {0.95, 1}, {0.5, 0.5}}));
        break;
    case CpuState::servicing:
        painter.drawPolygon(shape(box, {{0, 0.05}, {1, 0.05}, {0.5, 1}}));
        break;
    case CpuState::interrupt: // bolt
        painter.drawPolygon(
            shape(box, {{0.62, 0}, {0.1, 0.6}, {0.46, 0.6}, {0.36, 1}, {0.9, 0.38}, {0.54, 0.38}}));
        break;
    case CpuState::switching:
        painter.drawPolygon(shape(box, {{0, 0.28}, {0.6, 0.28}, {0.6, 0}, {1, 0.4}, {0, 0.4}}));
        painter.drawPolygon(shape(box, {{1, 0.72}, {0.4, 0.72}, {0.4, 1}, {0, 0.6}, {1, 0.6}}));
        break;
    case CpuState::unknown:
        painter.setPen(QPen(color, line, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(ring);
        break;
    }
    painter.restore();
}

} // namespace tlbscope
