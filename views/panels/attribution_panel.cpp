#include "views/panels/attribution_panel.h"

#include "views/charts/nice_axis.h"
#include "views/format/format.h"
#include "views/panels/stacked_bar.h"
#include "views/theme/owner_colors.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tlbscope {

AttributionPanel::AttributionPanel(QWidget* parent)
    : Panel(tr("Where the difference is"), parent), a_(QStringLiteral("3:1")), b_(QStringLiteral("4:4")) {}

QSize AttributionPanel::sizeHint() const {
    const Theme& t = Theme::current();
    const int rows = static_cast<int>(kAttributionParts) + 2;
    return {t.px(620), t.px(20) + titleHeight() + 2 * lineHeight(FontRole::title) +
                           (rows + 1) * (lineHeight(FontRole::body) + t.px(7)) + t.px(24)};
}

QSize AttributionPanel::minimumSizeHint() const {
    const Theme& t = Theme::current();
    const int rows = static_cast<int>(kAttributionParts) + 3;
    return {t.px(330),
            t.px(24) + titleHeight() + 3 * lineHeight(FontRole::title) + rows * lineHeight(FontRole::small)};
}

void AttributionPanel::changed() {
    if (!isVisible()) return;
    rows_ = rows(band_, hz_);
    if (band_.seeds.empty()) {
        setContext({});
        setAccessibleDescription({});
    } else {
        const QString count = grouped(std::uint64_t{band_.seeds.size()}) +
                              (band_.seeds.size() == 1 ? tr(" placement") : tr(" placements"));
        setContextChoices(
            {count + tr(", shown: the one of median loss; whiskers 5–95 %"), count + tr(", 5–95 %"), count});
        QString spoken = sentence(band_, a_, b_);
        for (const Row& row : rows_)
            spoken += u'\n' + row.name + u'\t' + row.share;
        setAccessibleDescription(spoken);
    }
    update();
}

void AttributionPanel::setNames(const QString& a, const QString& b, double hz) {
    a_ = a;
    b_ = b;
    hz_ = hz;
    changed();
}

void AttributionPanel::setBand(const AttributionBand& band) {
    band_ = band;
    changed();
}

void AttributionPanel::clear() {
    setBand({});
}

void AttributionPanel::setProgress(double share) {
    progress_ = share;
    refresh();
}

void AttributionPanel::setPlace(double bytes) {
    place_ = bytes;
    refresh();
}

FontRole AttributionPanel::nameRole() const {
    return contentRect().width() < Theme::current().px(400) ? FontRole::small : FontRole::body;
}

AttributionPanel::Columns AttributionPanel::columns(const QRect& box) const {
    const Theme& t = Theme::current();
    const int gap = t.px(14);
    int name = 0, share = textWidth(FontRole::small, tr("% of time")),
        work = textWidth(FontRole::small, tr("cycles / 1000 it.")),
        tick = textWidth(FontRole::small, tr("µs / tick"));
    bool times = false;
    for (const Row& row : rows_) {
        name = std::max(name, textWidth(nameRole(), row.name));
        share = std::max(share, textWidth(FontRole::monoStrong, row.share));
        work = std::max(work, textWidth(FontRole::mono, row.perWork));
        tick = std::max(tick, textWidth(FontRole::mono, row.perTick));
        times = times || !row.perTick.isEmpty();
    }
    Columns at;
    at.name = std::min(name, box.width() * 9 / 20);
    // The bars come first; then the columns that fit, the least needed goes first.
    const int bars = std::min(t.px(130), box.width() * 3 / 10);
    int right = box.right() + 1;
    const int fixed = at.name + gap + bars + gap + share;
    at.tick = times && fixed + gap + work + gap + tick <= box.width() ? tick : 0;
    if (at.tick > 0) right -= tick + gap;
    at.work = fixed + gap + work + (at.tick > 0 ? gap + tick : 0) <= box.width() ? work : 0;
    if (at.work > 0) right -= work + gap;
    at.share = share;
    at.bar = box.left() + at.name + gap;
    at.barEnd = right - share - gap;
    return at;
}

// In as many lines as it needs; returns where the next thing goes.
int AttributionPanel::paintSentence(QPainter& painter, const QRect& box) const {
    const Theme& t = Theme::current();
    painter.setFont(t.font(FontRole::title));
    painter.setPen(t.text);
    const QString text = sentence(band_, a_, b_);
    QRect used;
    painter.drawText(QRect(box.left(), box.top(), box.width(), lineHeight(FontRole::title) * 3),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text, &used);
    return used.bottom() + t.px(8);
}

void AttributionPanel::paintRow(QPainter& painter, const Row& row, const QRect& line, const Columns& at,
                                double low, double high) const {
    const Theme& t = Theme::current();
    const bool whole = row.part == AttributionPart::count_;
    const QColor ink = row.zero ? t.faint : t.text;
    drawLine(painter, QRect(line.left(), line.top(), at.name, line.height()),
             whole ? FontRole::strong : nameRole(),
             row.zero ? t.faint
             : whole  ? t.text
                      : t.dim,
             row.name);
    const auto x = [&](double share) { return at.bar + (share - low) / (high - low) * (at.barEnd - at.bar); };
    const double from = x(row.from), to = x(row.to), thick = std::max(4.0, line.height() * 0.56);
    const double top = line.center().y() + 0.5 - thick / 2, middle = top + thick / 2;
    if (row.zero) {
        painter.fillRect(QRectF(from, top, 1, thick), t.faint);
    } else {
        const OwnerLook look =
            whole ? OwnerLook{mix(t.dim, t.panel, 0.15), Qt::NoBrush} : ownerLook(t, row.part);
        const QRectF bar(std::min(from, to), top, std::max(2.0, std::abs(to - from)), thick);
        paintSwatch(painter, bar, look.color, look.hatch);
        // The whisker: where the end lies in 5 to 95 % of the placements.
        painter.setPen(QPen(t.text, std::max(1.0, t.px(2) * 0.65)));
        const double a = x(row.low), b = x(row.high), half = thick * 0.3;
        if (b - a >= 1.5) {
            painter.drawLine(QPointF(a, middle), QPointF(b, middle));
            for (const double end : {a, b})
                painter.drawLine(QPointF(end, middle - half), QPointF(end, middle + half));
        }
    }
    int right = line.right() + 1;
    const auto column = [&](int width, FontRole role, const QString& text) {
        if (width <= 0) return;
        drawLine(painter, QRect(right - width, line.top(), width, line.height()), role, ink, text,
                 Qt::AlignRight);
        right -= width + t.px(14);
    };
    column(at.tick, FontRole::mono, row.perTick);
    column(at.work, FontRole::mono, row.perWork);
    column(at.share, FontRole::monoStrong, row.share);
}

void AttributionPanel::paintEmpty(QPainter& painter, const QRect& box) const {
    const Theme& t = Theme::current();
    const int line = lineHeight(FontRole::body) + t.px(4);
    const bool running = progress_ >= 0 && progress_ < 1;
    const QString place = place_ ? tr(" at ") + workingSetText(*place_) : QString();
    drawLine(painter, QRect(box.left(), box.top(), box.width(), line), FontRole::body, t.dim,
             running ? tr("Taking the difference apart") + place + QStringLiteral(" …")
                     : tr("Nothing has been taken apart yet."));
    if (!running)
        drawLine(painter, QRect(box.left(), box.top() + line, box.width(), line), FontRole::small, t.faint,
                 tr("Place the cursor in the curve to see why %1 differs from %2 there.").arg(b_, a_));
}

void AttributionPanel::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    rowBoxes_.clear();
    const int foot = lineHeight(FontRole::small) + t.px(6);
    if (rows_.empty()) {
        paintEmpty(painter, box);
        paintProgressLine(painter, box, height(), progress_);
        return;
    }
    int y = paintSentence(painter, box);
    const Columns at = columns(box);
    int right = box.right() + 1;
    for (const auto& [width, text] :
         {std::pair{at.tick, tr("µs / tick")}, std::pair{at.work, tr("cycles / 1000 it.")},
          std::pair{at.share, tr("% of time")}}) {
        if (width <= 0) continue;
        drawLine(painter, QRect(right - width, y, width, lineHeight(FontRole::small)), FontRole::small,
                 t.faint, text, Qt::AlignRight);
        right -= width + t.px(14);
    }
    const int head = lineHeight(FontRole::small) + t.px(4);
    double low = 0, high = 0;
    for (const Row& row : rows_)
        for (const double v : {row.from, row.to, row.low, row.high})
            low = std::min(low, v), high = std::max(high, v);
    if (high - low < 1e-6) high = low + 0.01;
    const double room = (high - low) * 0.02;
    low -= low < 0 ? room : 0;
    high += room;
    y += head;
    // Where there is no room for all, those that make no difference to be seen go.
    const int space = box.bottom() + 1 - foot - y;
    const bool all = space / static_cast<int>(rows_.size()) >= lineHeight(nameRole());
    std::vector<const Row*> shown;
    for (const Row& row : rows_)
        if (all || std::abs(row.to - row.from) >= 5e-5) shown.push_back(&row);
    const int count = std::max(1, static_cast<int>(shown.size()));
    const int step = std::clamp(space / count, 1, 2 * lineHeight(FontRole::body));
    // Grid, then what is on it.
    const NiceAxis axis = niceValueAxis(low * 100, high * 100, std::max(2, (at.barEnd - at.bar) / t.px(70)));
    for (const AxisMark& mark : axis.marks) {
        const double share = mark.at / 100;
        if (share < low - 1e-9 || share > high + 1e-9) continue;
        const double x = at.bar + (share - low) / (high - low) * (at.barEnd - at.bar);
        painter.fillRect(QRectF(std::round(x), y, 1, count * step),
                         std::abs(share) < 1e-9 ? t.faint : mix(t.panel, t.border, 0.75));
        const QString text = mark.label + QStringLiteral(" %");
        const int width = textWidth(FontRole::caption, text);
        if (x + width / 2.0 < right - t.px(4))
            drawLine(painter,
                     QRect(static_cast<int>(x) - width / 2, y - head, width + 2, lineHeight(FontRole::small)),
                     FontRole::caption, t.faint, text);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    rowBoxes_.resize(rows_.size());
    for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
        const QRect line(box.left(), y + i * step, box.width(), step);
        const Row& row = *shown[static_cast<std::size_t>(i)];
        if (i == 0) painter.fillRect(line.adjusted(-t.px(4), 0, t.px(4), 0), mix(t.panel, t.text, 0.06));
        paintRow(painter, row, line, at, low, high);
        rowBoxes_[static_cast<std::size_t>(&row - rows_.data())] = line;
        if (i > 0 && i + 1 < count) { // what links a bar to the next
            const double x = at.bar + (row.to - low) / (high - low) * (at.barEnd - at.bar);
            painter.setPen(QPen(t.faint, 1, Qt::DotLine));
            painter.drawLine(QPointF(x, line.center().y()), QPointF(x, line.center().y() + step));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    QString sum = sumLine(band_);
    if (const auto end = sum.indexOf(QStringLiteral(" = the sum"));
        end > 0 && textWidth(FontRole::small, sum) > box.width())
        sum.truncate(end);
    drawLine(painter, QRect(box.left(), box.bottom() + 1 - foot, box.width(), foot), FontRole::small,
             sum.startsWith(u'⚠') ? readable(t.hue.vermillion, t.panel) : t.dim, sum);
    paintProgressLine(painter, box, height(), progress_);
}

bool AttributionPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        for (std::size_t i = 0; i < rowBoxes_.size() && i < rows_.size(); ++i) {
            if (!rowBoxes_[i].contains(help->pos())) continue;
            const Row& row = rows_[i];
            QString text = row.name + u'\n' + row.share +
                           tr(" of the time of %1; 5 to 95 % of the placements: ").arg(b_) +
                           signedPercentText(row.low - row.from) + tr(" to ") +
                           signedPercentText(row.high - row.from) + u'\n' + row.perWork +
                           tr(" cycles per 1000 iterations");
            if (!row.perTick.isEmpty()) text += u'\n' + row.perTick + tr(" µs per timer tick");
            QToolTip::showText(help->globalPos(), text, this, rowBoxes_[i]);
            return true;
        }
        QToolTip::hideText();
        return true;
    }
    return Panel::event(event);
}

} // namespace tlbscope
