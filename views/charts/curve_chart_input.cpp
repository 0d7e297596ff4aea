// Mouse and keyboard of the curve chart, and what lies under the pointer.
#include "views/charts/chart_parts.h"
#include "views/charts/curve_chart.h"
#include "views/charts/curve_marks.h"
#include "views/format/format.h"

#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlbscope {

std::vector<double> CurveChart::sizes() const {
    std::vector<double> out;
    for (const Variant& v : variants_)
        for (const auto& [n, p] : v.points)
            if (p.working_set > 0 && std::isfinite(p.working_set)) out.push_back(p.working_set);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void CurveChart::setCursor(std::optional<double> bytes) {
    if (bytes && !(*bytes > 0 && std::isfinite(*bytes))) bytes.reset();
    if (bytes == cursor_) return;
    cursor_ = bytes;
    if (!isVisible()) return;
    // Nothing but the cursor and the values change: the plots keep their content.
    update(contentRect().left(), contentRect().top(), contentRect().width(), legendHeight());
    for (const Plot* plot : {plot_.get(), differencePlot_.get()})
        if (plot->view()->isVisible()) plot->view()->viewport()->update();
    speak();
}

void CurveChart::moveCursor(double bytes) {
    const auto before = cursor_;
    setCursor(bytes);
    if (cursor_ && cursor_ != before) Q_EMIT cursorMoved(*cursor_);
}

void CurveChart::drag(QPointF position) {
    flush();
    const Plot& plot = showsThroughput() ? *plot_ : *differencePlot_;
    const QRectF area = plot.area();
    const double x = std::clamp(position.x(), area.left(), area.right());
    double bytes = std::pow(10, plot.xAt(x));
    double distance = Theme::current().px(6); // measured points attract
    for (const double size : sizes()) {
        const double d = std::abs(plot.positionOf({std::log10(size), 0}).x() - x);
        if (d < distance) distance = d, bytes = size;
    }
    moveCursor(bytes);
}

// From one measured size to the next.
void CurveChart::stepCursor(int by) {
    const auto all = sizes();
    if (all.empty()) return;
    if (!cursor_) {
        moveCursor(by > 0 ? all.front() : all.back());
        return;
    }
    auto at = by > 0 ? std::upper_bound(all.begin(), all.end(), *cursor_)
                     : std::lower_bound(all.begin(), all.end(), *cursor_);
    if (by > 0 ? at == all.end() : at == all.begin()) return;
    moveCursor(by > 0 ? *at : *std::prev(at));
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    const auto all =
        event->key() == Qt::Key_Home || event->key() == Qt::Key_End ? sizes() : std::vector<double>();
    switch (event->key()) {
    case Qt::Key_Left:
        stepCursor(-1);
        return;
    case Qt::Key_Right:
        stepCursor(1);
        return;
    case Qt::Key_Home:
        if (!all.empty()) moveCursor(all.front());
        return;
    case Qt::Key_End:
        if (!all.empty()) moveCursor(all.back());
        return;
    default:
        Panel::keyPressEvent(event);
    }
}

bool CurveChart::event(QEvent* event) {
    // The window's shortcuts on the same keys wait while the chart has the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier &&
            (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right || key->key() == Qt::Key_Home ||
             key->key() == Qt::Key_End)) {
            event->accept();
            return true;
        }
    }
    return Panel::event(event);
}

void CurveChart::focusInEvent(QFocusEvent* event) {
    Panel::focusInEvent(event);
    keyFocus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                event->reason() == Qt::ShortcutFocusReason;
    update();
}

void CurveChart::focusOutEvent(QFocusEvent* event) {
    Panel::focusOutEvent(event);
    update();
}

void CurveChart::leave() {
    QToolTip::hideText();
}

QString CurveChart::pointText(const Variant& variant, const CurvePoint& p) const {
    QString text = variant.label + tr(", working set ") + workingSetText(p.working_set);
    if (p.touched > 0) text += tr(" (%1 touched)").arg(workingSetText(p.touched));
    text += u'\n' + siText(p.median) + u' ' + unit_ + tr(", median of ") + grouped(std::int64_t{p.seeds}) +
            (p.seeds == 1 ? tr(" placement") : tr(" placements"));
    if (p.seeds > 1) text += tr("\n5 to 95 %: ") + siText(p.low) + tr(" to ") + siText(p.high);
    if (p.error > 0) text += tr("\nstandard error of a run: ±") + signedPercentText(p.error).mid(1);
    return text;
}

void CurveChart::point(QPointF position, QPoint global, bool difference) {
    const Plot& plot = difference ? *differencePlot_ : *plot_;
    if (const QString mark = drawnMarks_[difference].textAt(position); !mark.isEmpty()) {
        QToolTip::showText(global, mark, plot.view());
        return;
    }
    const Variant* best = nullptr;
    const CurvePoint* nearest = nullptr;
    double distance = Theme::current().px(40);
    for (const Variant& v : variants_)
        for (const auto& [n, p] : v.points) {
            if (!(p.working_set > 0)) continue;
            const double x = std::log10(p.working_set);
            double y = p.median;
            if (difference) y = valueAt(v.difference, x);
            const QPointF at = plot.positionOf({x, y}) - position;
            const double d = std::hypot(at.x(), at.y());
            if (d < distance) distance = d, best = &v, nearest = &p;
        }
    if (nearest)
        QToolTip::showText(global, pointText(*best, *nearest), plot.view());
    else
        QToolTip::hideText();
}

} // namespace tlbscope
