#include "views/charts/chart_parts.h"
#include "views/charts/curve_chart.h"
#include "views/charts/curve_marks.h"
#include "views/format/format.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

int legendLine() {
    return lineHeight(FontRole::title) + Theme::current().px(3);
}

// The widest a value can get, so that nothing moves while the cursor does.
int valueWidth() {
    return textWidth(FontRole::mono, QStringLiteral("88.8 M  −88.8 %"));
}

} // namespace

int CurveChart::legendColumns() const {
    const Theme& t = Theme::current();
    int widest = 0;
    for (const Variant& v : variants_)
        widest = std::max(widest, textWidth(FontRole::body, v.label));
    widest += t.px(32 + 10 + 24) + valueWidth();
    const int count = std::max(1, static_cast<int>(variants_.size()));
    const int fit = std::clamp(contentRect().width() / std::max(1, widest), 1, count);
    const int rows = (count + fit - 1) / fit;
    return (count + rows - 1) / rows; // as even as can be
}

int CurveChart::legendHeight() const {
    if (variants_.empty()) return 0;
    const int columns = legendColumns();
    const int rows = (static_cast<int>(variants_.size()) + columns - 1) / columns;
    return (rows + 1) * legendLine() + Theme::current().px(5);
}

void CurveChart::paintLegend(QPainter& painter, const QRect& box) const {
    const Theme& t = Theme::current();
    const int columns = legendColumns(), line = legendLine();
    const int width = std::min(box.width() / columns, t.px(420));
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
        QRect cell(box.left() + column * width, box.top() + row * line, width - t.px(16), line);
        const int y = cell.center().y();
        paintLineSample(painter, QLine(cell.left(), y, cell.left() + t.px(26), y), variants_[i].style);
        cell.setLeft(cell.left() + t.px(32));
        const int label = textWidth(FontRole::body, variants_[i].label);
        drawLine(painter, cell, FontRole::body, t.text, variants_[i].label);
        const double value = valueAtCursor(i);
        if (!std::isfinite(value)) continue;
        cell.setLeft(cell.left() + label + t.px(10));
        QString text = siText(value);
        if (const double share = differenceAtCursor(i) / 100; i != reference_ && std::isfinite(share))
            text += QStringLiteral("  ") + signedPercentText(share);
        drawLine(painter, cell, FontRole::mono, readable(t.series(variants_[i].style.color), t.panel), text);
    }
    const int rows = (static_cast<int>(variants_.size()) + columns - 1) / columns;
    const QRect words(box.left(), box.top() + rows * line, box.width(), line);
    const QString said = sentence();
    if (!said.isEmpty())
        drawLine(painter, words, FontRole::title, t.text, said);
    else
        drawLine(painter, words, FontRole::small, t.faint,
                 cursor_ ? tr("No values at %1.").arg(workingSetText(*cursor_))
                         : tr("Click, or press ← and →, to read the values at a working set."));
}

void CurveChart::paintCursor(QPainter& painter, const Plot& plot, bool difference) const {
    if (!cursor_) return;
    const Theme& t = Theme::current();
    const QRectF area = plot.area();
    const double x = plot.positionOf({std::log10(*cursor_), 0}).x();
    if (x < area.left() - 0.5 || x > area.right() + 0.5) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.text, std::max(1.5, t.px(2) * 0.75)));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        const double value = difference ? differenceAtCursor(i) : valueAtCursor(i);
        if (!std::isfinite(value)) continue;
        const double y = plot.positionOf({0, value}).y();
        if (!std::isfinite(y)) continue;
        const double r = t.px(4);
        painter.setPen(QPen(t.text, std::max(1.5, t.px(2) * 0.75)));
        painter.setBrush(t.series(variants_[i].style.color));
        painter.drawEllipse(QPointF(x, y), r, r);
    }
    if (difference || !showsDifference()) { // its working set, on the axis
        const QString text = workingSetText(*cursor_);
        const double width = textWidth(FontRole::strong, text) + t.px(14),
                     height = lineHeight(FontRole::strong) + t.px(2);
        const double left = std::clamp(x - width / 2, 0.0, plot.view()->width() - width);
        const QRectF pill(left, area.bottom() + t.px(2), width, height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.text);
        painter.drawRoundedRect(pill, t.px(4), t.px(4));
        drawLine(painter, pill.toAlignedRect(), FontRole::strong, t.panel, text, Qt::AlignHCenter);
    }
    painter.restore();
}

void CurveChart::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    flush();
    if (!variants_.empty()) paintLegend(painter, QRect(box.left(), box.top(), box.width(), legendHeight()));
    if (drawn_ > 0 && showsDifference() && reference_ < variants_.size()) {
        const int top = differencePlot_->view()->y() - differenceTitle();
        drawLine(painter, QRect(box.left(), top, box.width(), differenceTitle()), FontRole::small, t.dim,
                 tr("difference to %1, per cent of its throughput").arg(variants_[reference_].label));
    }
    paintProgressLine(painter, box, height(), progress_);
    if (drawn_ == 0)
        drawLine(painter, box.adjusted(0, legendHeight(), 0, 0), FontRole::body, t.dim,
                 progress_ >= 0 && progress_ < 1 ? tr("Measuring the first points …")
                                                 : tr("No curve has been measured yet."),
                 Qt::AlignHCenter);
    plot_->view()->setVisible(drawn_ > 0 && showsThroughput());
    differencePlot_->view()->setVisible(drawn_ > 0 && showsDifference());
    if (hasFocus() && keyFocus_) { // around everything, so that the keys are known to act here
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.accent, std::max(1.5, t.px(2) * 0.75)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), t.px(8), t.px(8));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

} // namespace tlbscope
