// Mouse, keyboard and tool tip of TimelineView.
#include "views/format/format.h"
#include "views/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tlbscope {

int TimelineView::labelledCpu(QPoint point) const {
    const Places p = places();
    if (!p.lanes.united(p.labels).contains(point)) return -1;
    const int lane = (point.y() - p.lanes.top() + scroll_->value()) / (p.laneHeight + p.laneGap);
    return lane >= 0 && lane < cpus() ? lane : -1;
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (!hasLog()) return;
    const Places p = places();
    const QPoint turn = event->angleDelta();
    event->accept();
    if (p.labels.contains(event->position().toPoint()) || (event->modifiers() & Qt::AltModifier)) {
        scroll_->setValue(scroll_->value() - (turn.y() ? turn.y() : turn.x()) / 3);
        return;
    }
    const TimeMap map = mapOf(p);
    if ((event->modifiers() & Qt::ShiftModifier) || std::abs(turn.x()) > std::abs(turn.y())) {
        const TimeMap moved = map.moved((turn.x() ? turn.x() : turn.y()) * map.width / 1200);
        setWindow(moved.begin, moved.end);
        return;
    }
    if (turn.y() == 0) return;
    const TimeMap zoomed =
        map.zoomed(std::pow(0.8, turn.y() / 120.0), event->position().x() - p.lanes.left());
    setWindow(zoomed.begin, zoomed.end);
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (!hasLog() || event->button() != Qt::LeftButton) return;
    const Places p = places();
    const QPoint at = event->pos();
    pressed_ = at;
    pressedMap_ = mapOf(p);
    moved_ = false;
    if (p.overview.adjusted(0, -3, 0, 3).contains(at)) {
        drag_ = Drag::overview;
        const auto [begin, end] = runRange();
        const double time = begin + (at.x() - p.overview.left()) / double(p.overview.width()) * (end - begin);
        if (time < map_.begin || time > map_.end) { // beside the window: bring it here
            const double half = map_.span() / 2;
            setWindow(time - half, time + half);
            pressedMap_ = mapOf(p);
        }
    } else if (p.axis.contains(at)) {
        drag_ = Drag::axis;
        scrubTo(at.x());
    } else if (p.lanes.contains(at)) {
        drag_ = Drag::lanes;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!hasLog()) return;
    const Places p = places();
    if (drag_ == Drag::none) {
        const QPoint at = event->pos();
        setCursor(p.overview.contains(at) ? Qt::OpenHandCursor
                  : p.axis.contains(at)   ? Qt::SizeHorCursor
                                          : Qt::ArrowCursor);
        return;
    }
    const int dx = event->pos().x() - pressed_.x();
    if (std::abs(dx) + std::abs(event->pos().y() - pressed_.y()) > 4) moved_ = true;
    if (!moved_) return;
    if (drag_ == Drag::axis) return scrubTo(event->pos().x());
    TimeMap map = pressedMap_;
    if (drag_ == Drag::lanes) {
        map = map.moved(dx);
        setCursor(Qt::ClosedHandCursor);
    } else {
        const auto [begin, end] = runRange();
        const double by = dx / double(p.overview.width()) * (end - begin);
        map.begin += by;
        map.end += by;
    }
    setWindow(map.begin, map.end);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(drag_, Drag::none);
    unsetCursor();
    if (!hasLog() || event->button() != Qt::LeftButton || moved_ || drag != Drag::lanes) return;
    const int cpu = labelledCpu(event->pos());
    if (cpu >= 0) Q_EMIT cpuSelected(cpu);
    scrubTo(event->pos().x());
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const TimeMap map = mapOf(places());
    const auto zoom = [&](double factor) {
        const double x = map.x(double(snapshot_->now));
        const TimeMap zoomed = map.zoomed(factor, x >= 0 && x <= map.width ? x : map.width / 2);
        setWindow(zoomed.begin, zoomed.end);
    };
    if (!hasLog()) return Panel::keyPressEvent(event);
    const auto [begin, end] = runRange();
    switch (event->key()) {
    case Qt::Key_Left:
        shift ? Q_EMIT stepShootdownRequested(-1) : Q_EMIT stepEventRequested(-1);
        break;
    case Qt::Key_Right:
        shift ? Q_EMIT stepShootdownRequested(1) : Q_EMIT stepEventRequested(1);
        break;
    case Qt::Key_Up:
        scroll_->triggerAction(QAbstractSlider::SliderSingleStepSub);
        break;
    case Qt::Key_Down:
        scroll_->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        break;
    case Qt::Key_PageUp:
        setWindow(map_.begin - map_.span() * 0.8, map_.end - map_.span() * 0.8);
        break;
    case Qt::Key_PageDown:
        setWindow(map_.begin + map_.span() * 0.8, map_.end + map_.span() * 0.8);
        break;
    case Qt::Key_Home:
        Q_EMIT seekRequested(static_cast<qint64>(begin));
        break;
    case Qt::Key_End:
        Q_EMIT seekRequested(static_cast<qint64>(end));
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.7);
        break;
    case Qt::Key_Minus:
        zoom(1 / 0.7);
        break;
    case Qt::Key_0:
        showAll();
        break;
    default:
        Panel::keyPressEvent(event);
        return;
    }
    event->accept();
}

bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QString text = tooltipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return Panel::event(event);
}

QString TimelineView::tooltipAt(QPoint point) const {
    if (!hasLog()) return {};
    const Places p = places();
    const double hz = ticksPerSecond();
    if (p.overview.contains(point)) {
        const auto [begin, end] = runRange();
        const double time =
            begin + (point.x() - p.overview.left()) / double(p.overview.width()) * (end - begin);
        return clockText(std::llround(time), hz) +
               tr("\nevents blue, flushes orange; height is the square root of the rate");
    }
    const int cpu = labelledCpu(point);
    const auto& loaded = loader_.lanes();
    if (cpu < 0 || !p.lanes.contains(point) || !loaded) return {};
    const TimeMap map = mapOf(p);
    const double time = map.time(point.x() - p.lanes.left());
    QString text = QStringLiteral("CPU %1 · ").arg(cpu) + clockText(std::llround(time), hz);
    if (!loaded->exact || static_cast<std::size_t>(cpu) >= loaded->lanes.size()) return text;
    const auto& spans = loaded->lanes[static_cast<std::size_t>(cpu)].spans;
    auto at = std::partition_point(spans.begin(), spans.end(),
                                   [&](const Span& s) { return double(s.end) <= time; });
    if (at == spans.end() || double(at->begin) > time) return text;
    // Of several in one pixel name how many there are.
    const double next = map.time(point.x() - p.lanes.left() + 1);
    const auto after =
        std::partition_point(at, spans.end(), [&](const Span& s) { return double(s.begin) < next; });
    text += u'\n' + QLatin1String(to_string(at->kind)) + QStringLiteral(", ") +
            durationText(double(at->end - at->begin), hz);
    if (at->pages != 0 && (at->kind == SpanKind::flush || at->kind == SpanKind::service))
        text += QStringLiteral(", ") + (at->pages < 0 ? tr("full flush") : pagesText(at->pages));
    if (at->task) {
        const std::string& comm = snapshot_->log.names().comm(at->task);
        text += u'\n' + (comm.empty() ? tr("task") : QString::fromStdString(comm)) + u' ' +
                QString::number(at->task);
    }
    if (after - at > 1) text += tr("\n%1 spans in this pixel").arg(after - at);
    return text;
}

} // namespace tlbscope
