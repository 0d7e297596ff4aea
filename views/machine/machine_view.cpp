#include "views/machine/machine_view.h"

#include "views/machine/ipi_painter.h"
#include "views/theme/theme_notifier.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace tlbscope {

MachineView::MachineView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->grabGesture(Qt::PinchGesture);
    setAccessibleName(tr("Machine"));
    canvas_.reset(Theme::current());
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        canvas_.reset(Theme::current());
        invalidateLayout();
    });
}

QSize MachineView::sizeHint() const {
    return {Theme::current().px(900), Theme::current().px(540)};
}
QSize MachineView::minimumSizeHint() const {
    return {Theme::current().px(320), Theme::current().px(200)};
}

void MachineView::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    const bool sameMachine =
        snapshot && snapshot_ && snapshot->machine == snapshot_->machine && snapshot->run == snapshot_->run;
    const bool sameShape =
        snapshot && snapshot_ && snapshot->machine->topology == snapshot_->machine->topology;
    snapshot_ = std::move(snapshot);
    if (!sameMachine) {
        if (!sameShape) folded_.clear();
        if (snapshot_ && selected_ != kNoCpu && selected_ >= snapshot_->cpus.size()) selected_ = kNoCpu;
        hovered_ = kNoCpu;
        invalidateLayout();
    }
    if (isVisible()) viewport()->update();
}

void MachineView::selectCpu(CpuId cpu) {
    if (snapshot_ && cpu != kNoCpu && cpu >= snapshot_->cpus.size()) return;
    if (cpu == selected_) return;
    selected_ = cpu;
    describe();
    viewport()->update();
    Q_EMIT cpuSelected(cpu == kNoCpu ? -1 : int{cpu});
}

void MachineView::setFolded(int socket, bool folded) {
    if (folded)
        folded_.insert(socket);
    else
        folded_.erase(socket);
    invalidateLayout();
}

void MachineView::invalidateLayout() {
    layoutValid_ = false;
    canvas_.reset(Theme::current());
    if (isVisible()) {
        updateScrollBars();
        viewport()->update();
    }
}

void MachineView::ensureLayout() const {
    if (layoutValid_) return;
    layoutValid_ = true;
    if (!snapshot_ || !snapshot_->machine) {
        layout_ = MachineLayout();
        return;
    }
    ++layouts_;
    MachineLayout::Request request;
    request.viewport = maximumViewportSize();
    request.pitch = pitch_;
    request.folded = folded_;
    layout_ =
        MachineLayout(*snapshot_->machine, LayoutMetrics::of(Theme::current(), devicePixelRatioF()), request);
}

const MachineLayout& MachineView::layout() const {
    ensureLayout();
    return layout_;
}

void MachineView::updateScrollBars() {
    ensureLayout();
    const QSize view = viewport()->size();
    horizontalScrollBar()->setRange(0, std::max(0, layout_.size().width() - maximumViewportSize().width()));
    verticalScrollBar()->setRange(0, std::max(0, layout_.size().height() - maximumViewportSize().height()));
    horizontalScrollBar()->setPageStep(view.width());
    verticalScrollBar()->setPageStep(view.height());
    horizontalScrollBar()->setSingleStep(Theme::current().px(40));
    verticalScrollBar()->setSingleStep(Theme::current().px(40));
}

QPoint MachineView::contentOffset() const {
    // A machine smaller than the viewport stands in its middle.
    const int spare = maximumViewportSize().height() - layout().size().height();
    return {horizontalScrollBar()->value(), spare > 0 ? -spare / 2 : verticalScrollBar()->value()};
}

CpuId MachineView::cpuAt(QPoint point) const {
    return layout().empty() ? kNoCpu : layout().cpuAt(point + contentOffset());
}

void MachineView::zoom(int steps, QPoint about) {
    if (!snapshot_ || steps == 0) return;
    const MachineLayout before = layout();
    const QPoint content = about + contentOffset();
    CpuId anchor = before.cpuAt(content);
    if (anchor == kNoCpu) anchor = selected_;
    const auto& all = zoomSteps();
    const auto at = std::lower_bound(all.begin(), all.end(), before.pitch());
    const auto index =
        std::clamp<std::ptrdiff_t>(at - all.begin() + steps, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
    pitch_ = all[static_cast<std::size_t>(index)];
    invalidateLayout();
    if (anchor != kNoCpu && layout().visible(snapshot_->machine->topology.core_of(anchor))) {
        const QPoint now = layout().cpuRect(anchor).center();
        horizontalScrollBar()->setValue(now.x() - about.x());
        verticalScrollBar()->setValue(now.y() - about.y());
    }
    Q_EMIT detailChanged();
}

void MachineView::zoomIn() {
    zoom(1, viewport()->rect().center());
}
void MachineView::zoomOut() {
    zoom(-1, viewport()->rect().center());
}

void MachineView::fit() {
    pitch_ = -1;
    invalidateLayout();
    Q_EMIT detailChanged();
}

void MachineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layoutValid_ = false;
    if (isVisible()) updateScrollBars();
}

void MachineView::scrollContentsBy(int, int) {
    viewport()->update();
}

void MachineView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Theme& theme = Theme::current();
    ++frames_;
    if (!snapshot_ || !snapshot_->machine || layout().empty()) {
        painter.fillRect(viewport()->rect(), theme.window);
        painter.setPen(theme.dim);
        painter.setFont(theme.font(FontRole::body));
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         tr("No machine yet. Start a simulation or open a recording."));
        return;
    }
    updateScrollBars();
    painter.drawImage(QPoint(0, 0), canvas_.update(snapshot_, layout_, contentOffset(), viewport()->size(),
                                                   devicePixelRatioF()));
    painter.translate(-contentOffset());
    paintOverlay(painter);
}

void MachineView::paintOverlay(QPainter& painter) {
    const Theme& theme = Theme::current();
    const Topology& t = snapshot_->machine->topology;
    paintIpis(painter, *snapshot_, layout_, theme, QRect(contentOffset(), viewport()->size()));
    painter.setRenderHint(QPainter::Antialiasing, layout_.detail() >= Detail::compact);
    const auto frame = [&](CpuId cpu, const QColor& color, double width) {
        if (cpu == kNoCpu || cpu >= t.cpus() || !layout_.visible(t.core_of(cpu))) return;
        const double out = layout_.detail() >= Detail::compact ? theme.px(3) : 1;
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        const QRectF box = QRectF(layout_.headerRect(cpu)).adjusted(-out, -out / 2, out, out / 2);
        painter.drawRoundedRect(box, theme.px(3), theme.px(3));
    };
    if (hovered_ != selected_) frame(hovered_, theme.faint, 1);
    frame(selected_, hasFocus() ? theme.text : theme.accent, 2);
}

} // namespace tlbscope
