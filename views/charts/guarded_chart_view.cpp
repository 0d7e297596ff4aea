#include "views/charts/guarded_chart_view.h"

#include <QMouseEvent>

namespace tlbscope {

GuardedChartView::GuardedChartView(QWidget* parent) : QChartView(parent) {
    setMouseTracking(true);
    setFrameShape(QFrame::NoFrame);
    setRubberBand(QChartView::NoRubberBand);
}

// The chart has nothing to press; positions go to the owner, which knows its points.
void GuardedChartView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        Q_EMIT pointed(mapToScene(event->pos()), event->globalPosition().toPoint(), true);
        Q_EMIT dragged(mapToScene(event->pos()));
    }
    event->accept();
}

void GuardedChartView::mouseMoveEvent(QMouseEvent* event) {
    Q_EMIT pointed(mapToScene(event->pos()), event->globalPosition().toPoint(), false);
    if (event->buttons() & Qt::LeftButton) Q_EMIT dragged(mapToScene(event->pos()));
    event->accept();
}

void GuardedChartView::mouseReleaseEvent(QMouseEvent* event) {
    event->accept();
}

void GuardedChartView::drawBackground(QPainter* painter, const QRectF& rect) {
    QChartView::drawBackground(painter, rect);
    if (backdrop_) backdrop_(*painter);
}

void GuardedChartView::drawForeground(QPainter* painter, const QRectF& rect) {
    QChartView::drawForeground(painter, rect);
    if (overlay_) overlay_(*painter);
}

void GuardedChartView::leaveEvent(QEvent* event) {
    Q_EMIT left();
    QChartView::leaveEvent(event);
}

} // namespace tlbscope
