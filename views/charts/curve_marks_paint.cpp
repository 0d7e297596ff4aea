#include "views/charts/chart_parts.h"
#include "views/charts/curve_marks.h"
#include "views/panels/panel.h"

#include <QPainter>

#include <algorithm>

namespace tlbscope {

namespace {

void paintBar(QPainter& painter, const CurveMarks::Shape& shape, double reach) {
    const double y = shape.box.center().y(), end = Theme::current().px(4);
    const QRectF bar = shape.box;
    painter.setPen(QPen(shape.color, std::max(1.5, Theme::current().px(2) * 0.75)));
    painter.drawLine(QPointF(bar.left(), y), QPointF(bar.right(), y));
    for (const double x : {bar.left(), bar.right()})
        painter.drawLine(QPointF(x, y - end), QPointF(x, y + end));
    QColor faint = shape.color;
    faint.setAlphaF(0.55f);
    painter.setPen(QPen(faint, 1, Qt::DotLine));
    for (const double x : {bar.left(), bar.right()})
        painter.drawLine(QPointF(x, y + end), QPointF(x, reach));
}

void paintArrow(QPainter& painter, const CurveMarks::Shape& shape) {
    const double head = Theme::current().px(5), way = shape.box.height() < 0 ? -1 : 1;
    const QPointF from = shape.box.topLeft(), to(from.x(), from.y() + shape.box.height());
    painter.setPen(QPen(shape.color, std::max(2.0, Theme::current().px(2) * 1.0)));
    painter.drawLine(from, to - QPointF(0, way * head));
    painter.drawLine(from - QPointF(head, 0), from + QPointF(head, 0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(shape.color);
    painter.drawPolygon(
        QPolygonF{to, to + QPointF(-head, -way * head * 1.8), to + QPointF(head, -way * head * 1.8)});
}

void paintError(QPainter& painter, const CurveMarks::Shape& shape) {
    if (shape.box.isNull()) return;
    const QRectF box = shape.box;
    painter.setPen(QPen(shape.color, std::max(1.5, Theme::current().px(2) * 0.75)));
    painter.drawLine(QPointF(box.center().x(), box.top()), QPointF(box.center().x(), box.bottom()));
    for (const double y : {box.top(), box.bottom()})
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
}

void paintText(QPainter& painter, const CurveMarks::Shape& shape) {
    if (shape.text.isEmpty()) return;
    const Theme& t = Theme::current();
    painter.fillRect(shape.text.adjusted(-t.px(3), t.px(1), t.px(3), -t.px(1)), t.panel);
    QRect box = shape.text.toAlignedRect();
    if (shape.style) {
        const int y = box.center().y();
        box.adjust(t.px(4), 0, 0, 0);
        paintLineSample(painter, QLine(box.left(), y, box.left() + t.px(15), y), *shape.style);
        box.setLeft(box.left() + t.px(19));
    }
    const bool inPlot = shape.kind == CurveMarks::Shape::Kind::arrow ||
                        shape.kind == CurveMarks::Shape::Kind::diamond ||
                        shape.kind == CurveMarks::Shape::Kind::error;
    drawLine(painter, box, FontRole::small, shape.color, shape.label,
             inPlot ? Qt::AlignHCenter : Qt::AlignLeft);
}

} // namespace

void CurveMarks::paintBack(QPainter& painter) const {
    for (const auto& [box, color] : bands_)
        painter.fillRect(box, color);
    if (loss_.size() < 3) return;
    QColor glass = lossColor_;
    glass.setAlphaF(0.5f);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(glass, Qt::BDiagPattern));
    painter.drawPolygon(loss_);
}

void CurveMarks::paintFront(QPainter& painter) const {
    const Theme& t = Theme::current();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Shape& shape : shapes_) {
        switch (shape.kind) {
        case Shape::Kind::tick: {
            QColor line = shape.color;
            line.setAlphaF(0.8f);
            painter.setPen(QPen(line, std::max(1.0, t.px(2) * 0.6), Qt::DashLine));
            painter.drawLine(
                QPointF(shape.box.left(), shape.text.isEmpty() ? area_.top() : shape.text.bottom() - t.px(2)),
                QPointF(shape.box.left(), shape.box.bottom()));
            break;
        }
        case Shape::Kind::bar:
            if (!shape.text.isEmpty()) paintBar(painter, shape, area_.bottom());
            break;
        case Shape::Kind::arrow:
            paintArrow(painter, shape);
            break;
        case Shape::Kind::error:
            paintError(painter, shape);
            break;
        case Shape::Kind::diamond:
            paintPublishedMark(painter, shape.box.center(), shape.box.width() / 2);
            painter.setRenderHint(QPainter::Antialiasing);
            break;
        case Shape::Kind::knee: {
            const double r = t.px(5);
            painter.setPen(QPen(shape.color, std::max(1.0, t.px(2) * 0.6), Qt::DashLine));
            painter.drawLine(shape.box.topLeft(), shape.box.bottomLeft());
            painter.setPen(QPen(t.text, std::max(1.5, t.px(2) * 0.75)));
            painter.setBrush(t.series(shape.style ? shape.style->color : 0));
            painter.drawEllipse(shape.box.topLeft(), r, r);
            break;
        }
        }
    }
    for (const Shape& shape : shapes_)
        paintText(painter, shape);
    painter.restore();
}

} // namespace tlbscope
