// Mouse, keyboard, tool tip and accessibility of MachineView.
#include "views/format/format.h"
#include "views/machine/machine_view.h"

#include <QAccessible>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPinchGesture>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace tlbscope {

bool MachineView::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = tooltipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    case QEvent::Leave:
        hovered_ = kNoCpu;
        viewport()->update();
        break;
    case QEvent::Gesture: {
        auto* pinch =
            static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
        if (!pinch) break;
        if (pinch->state() == Qt::GestureStarted) pinch_ = 1;
        pinch_ *= pinch->scaleFactor();
        const int steps = static_cast<int>(std::log(std::max(0.01, pinch_)) / std::log(1.25));
        if (steps != 0) {
            pinch_ = 1;
            zoom(steps, viewport()->mapFromGlobal(pinch->hotSpot().toPoint()));
        }
        return true;
    }
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void MachineView::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    const int turn = event->angleDelta().y();
    if (turn) zoom(turn > 0 ? 1 : -1, event->position().toPoint());
    event->accept();
}

void MachineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressed_ = event->pos();
    pressedScroll_ = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
    dragging_ = false;
}

void MachineView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        const QPoint moved = event->pos() - pressed_;
        if (!dragging_ && moved.manhattanLength() > 6) {
            dragging_ = true;
            viewport()->setCursor(Qt::ClosedHandCursor);
        }
        if (dragging_) {
            horizontalScrollBar()->setValue(pressedScroll_.x() - moved.x());
            verticalScrollBar()->setValue(pressedScroll_.y() - moved.y());
        }
        return;
    }
    const CpuId over = cpuAt(event->pos());
    const bool header = !layout().empty() && layout().socketHeaderAt(event->pos() + contentOffset()) >= 0;
    viewport()->setCursor(over != kNoCpu || header ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (over != hovered_) {
        hovered_ = over;
        viewport()->update();
    }
}

void MachineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    viewport()->unsetCursor();
    if (std::exchange(dragging_, false) || layout().empty()) return;
    const QPoint content = event->pos() + contentOffset();
    const int socket = layout().socketHeaderAt(content);
    if (socket >= 0)
        setFolded(socket, !isFolded(socket));
    else
        selectCpu(layout().cpuAt(content));
}

void MachineView::keyPressEvent(QKeyEvent* event) {
    if (!snapshot_ || layout().empty()) return QAbstractScrollArea::keyPressEvent(event);
    const auto move = [this](int dx, int dy) {
        selectCpu(selected_ == kNoCpu ? CpuId{0} : layout().neighbour(selected_, dx, dy));
        if (!layout().visible(snapshot_->machine->topology.core_of(selected_))) return;
        const QRect box = layout().cpuRect(selected_).translated(-contentOffset());
        if (box.left() < 0 || box.right() > viewport()->width())
            horizontalScrollBar()->setValue(horizontalScrollBar()->value() + box.center().x() -
                                            viewport()->width() / 2);
        if (box.top() < 0 || box.bottom() > viewport()->height())
            verticalScrollBar()->setValue(verticalScrollBar()->value() + box.center().y() -
                                          viewport()->height() / 2);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        move(-1, 0);
        break;
    case Qt::Key_Right:
        move(1, 0);
        break;
    case Qt::Key_Up:
        move(0, -1);
        break;
    case Qt::Key_Down:
        move(0, 1);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        break;
    case Qt::Key_Minus:
        zoomOut();
        break;
    case Qt::Key_0:
        fit();
        break;
    case Qt::Key_Escape:
        selectCpu(kNoCpu);
        break;
    case Qt::Key_F:
        if (selected_ != kNoCpu) {
            const int socket = snapshot_->machine->topology.socket_of(selected_);
            setFolded(socket, !isFolded(socket));
        }
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

void MachineView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    describe();
    viewport()->update();
}

void MachineView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

QString MachineView::tooltipAt(QPoint point) const {
    if (!snapshot_ || layout().empty()) return {};
    const Snapshot& s = *snapshot_;
    const MachineDescription& m = *s.machine;
    const QPoint content = point + contentOffset();
    const CpuId cpu = layout().cpuAt(content);
    for (int core = 0; core < m.topology.cores(); ++core) { // the very entry, where there is one
        if (!layout().visible(core) || !layout().cardRect(core).contains(content)) continue;
        for (const GridPlace& grid : layout().card().grids) {
            const double dpr = devicePixelRatioF();
            const QPoint at = MachineCanvas::cellOrigin(layout(), core, grid, contentOffset(), dpr);
            const int index = grid.shape.at((QPointF(point) * dpr).toPoint() - at);
            const TlbArray& array = m.arrays[grid.array];
            const std::size_t cell = static_cast<std::size_t>(core) * m.cells_per_core + array.first_cell +
                                     static_cast<std::size_t>(std::max(0, index));
            if (index < 0 || cell >= s.cells.size()) continue;
            const TlbCell& c = s.cells[cell];
            QStringList words;
            if (!(c.flags & TlbCell::kValid))
                words << (c.mark == EntryMark::just_flushed ? tr("just flushed") : tr("empty"));
            else {
                words << (c.flags & TlbCell::kHuge ? tr("2 MiB page") : tr("4 KiB page"));
                if (c.flags & TlbCell::kGlobal) words << tr("global");
                if (c.flags & TlbCell::kStale) words << tr("stale: its PTE has changed since");
                if (c.mark == EntryMark::just_refilled) words << tr("just refilled");
                words << tr("age %1 of 255").arg(c.age);
                if (array.sibling < 0 && m.topology.threads_per_core > 1)
                    words << tr("of CPU %1")
                                 .arg(m.topology.cpu_of(
                                     core, std::min<int>(c.sibling, m.topology.threads_per_core - 1)));
            }
            return levelName(array.level) +
                   tr(", set %1, way %2\n").arg(index / array.ways).arg(index % array.ways) +
                   words.join(QStringLiteral(", ")) +
                   (cpu == kNoCpu ? QString() : u'\n' + cpuTooltip(s, cpu));
        }
    }
    return cpu == kNoCpu ? QString() : cpuTooltip(s, cpu);
}

void MachineView::describe() {
    if (!snapshot_) return setAccessibleDescription({});
    const int cpus = snapshot_->machine->topology.cpus();
    int waiting = 0, servicing = 0;
    for (const CpuView& cpu : snapshot_->cpus) {
        waiting += cpu.state == CpuState::waiting;
        servicing += cpu.state == CpuState::servicing;
    }
    QString text = tr("%1 CPUs, %2 waiting for acknowledgements, %3 servicing an IPI")
                       .arg(cpus)
                       .arg(waiting)
                       .arg(servicing);
    if (selected_ != kNoCpu) text = cpuSummary(*snapshot_, selected_) + QStringLiteral(". ") + text;
    setAccessibleDescription(text);
}

} // namespace tlbscope
