#include "views/panels/delta_strip.h"

#include "views/format/format.h"
#include "views/panels/stacked_bar.h"
#include "views/theme/owner_colors.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

constexpr int kCountRows = 5;

OwnerLook lookOf(const DeltaRow& row) {
    const Theme& t = Theme::current();
    switch (row.kind) {
    case DeltaRow::Kind::owner:
        return ownerLook(t, row.owner);
    case DeltaRow::Kind::ticks:
        return ownerLook(t, CurveShare::tick);
    case DeltaRow::Kind::cr3_loads:
        return ownerLook(t, CurveShare::cr3);
    case DeltaRow::Kind::walks:
        return ownerLook(t, CurveShare::dtlb_memory);
    case DeltaRow::Kind::work:
    case DeltaRow::Kind::time:
        break;
    }
    return {mix(t.dim, t.panel, 0.15), Qt::NoBrush};
}

int rowStep() {
    return lineHeight(FontRole::small) + Theme::current().px(3);
}

} // namespace

DeltaStrip::DeltaStrip(QWidget* parent)
    : Panel(tr("Difference"), parent), left_(tr("left")), right_(tr("right")), unit_(tr("iterations")) {}

QSize DeltaStrip::sizeHint() const {
    const Theme& t = Theme::current();
    const int rows = kCountRows + static_cast<int>(kCurveShares) + 2;
    return {t.px(460),
            t.px(32) + titleHeight() + lineHeight(FontRole::title) * 2 + t.px(46) + rows * rowStep()};
}

QSize DeltaStrip::minimumSizeHint() const {
    return {Theme::current().px(260), Theme::current().px(150)};
}

void DeltaStrip::setNames(const QString& left, const QString& right) {
    left_ = left;
    right_ = right;
    changed();
}

void DeltaStrip::setWorkUnit(const QString& unit) {
    unit_ = unit;
    changed();
}

void DeltaStrip::setSnapshot(std::shared_ptr<const DuelSnapshot> snapshot) {
    if (!snapshot || !snapshot_ || snapshot->run != snapshot_->run ||
        snapshot->lockstep != snapshot_->lockstep)
        history_.clear();
    snapshot_ = std::move(snapshot);
    if (snapshot_) {
        const DeltaSides sides = deltaSides(*snapshot_);
        if (sides.hz[0] > 0) history_.add(double(sides.time[0]) / sides.hz[0], deltaLead(*snapshot_));
    }
    changed();
}

void DeltaStrip::changed() {
    if (!isVisible()) return;
    rows_ = snapshot_ ? deltaRows(*snapshot_) : std::vector<DeltaRow>();
    if (snapshot_) {
        const bool work = snapshot_->lockstep == Lockstep::work;
        const bool lap = work && snapshot_->lap;
        setContextChoices({work ? lap ? tr("same work, to the end of lap %1").arg(snapshot_->lap->laps)
                                      : tr("same work, to within a stretch")
                                : tr("same time"),
                           work ? tr("same work") : tr("same time")});
        QString spoken = deltaSentence(*snapshot_, left_, right_, unit_);
        for (const DeltaRow& row : rows_)
            spoken += u'\n' + row.name + u'\t' + row.left + u'\t' + row.right + u'\t' + row.difference;
        setAccessibleDescription(spoken);
    } else {
        setContext({});
        setAccessibleDescription({});
    }
    update();
}

void DeltaStrip::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    rowBoxes_.clear();
    if (!snapshot_) {
        drawLine(painter, QRect(box.left(), box.top(), box.width(), lineHeight(FontRole::body)),
                 FontRole::body, t.dim, tr("No second machine is running."));
        return;
    }
    painter.setFont(t.font(FontRole::title));
    painter.setPen(t.text);
    QRect used;
    painter.drawText(QRect(box.left(), box.top(), box.width(), 2 * lineHeight(FontRole::title)),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     deltaSentence(*snapshot_, left_, right_, unit_), &used);
    int y = used.bottom() + t.px(6);
    // The line of the lead, with its newest value beside it.
    const QString now = signedPercentText(deltaLead(*snapshot_));
    const int wide = std::max(textWidth(FontRole::monoStrong, now),
                              textWidth(FontRole::caption, tr("lead of %1").arg(right_)));
    const int high = box.height() > t.px(300) ? t.px(40) : t.px(26);
    history_.paint(painter, QRectF(box.left(), y, box.width() - wide - t.px(8), high));
    drawLine(painter, QRect(box.right() - wide, y, wide + 1, high / 2), FontRole::monoStrong, t.text, now,
             Qt::AlignRight);
    drawLine(painter, QRect(box.right() - wide, y + high / 2, wide + 1, high / 2), FontRole::caption, t.faint,
             tr("lead of %1").arg(right_), Qt::AlignRight);
    y += high + t.px(8);
    paintRows(painter, QRect(box.left(), y, box.width(), box.bottom() + 1 - y));
}

void DeltaStrip::paintRows(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    int name = 0, value = std::max(textWidth(FontRole::strong, left_), textWidth(FontRole::strong, right_)),
        difference = textWidth(FontRole::small, tr("difference"));
    for (const DeltaRow& row : rows_) {
        name = std::max(name, textWidth(FontRole::small, row.name));
        value = std::max(
            {value, textWidth(FontRole::monoSmall, row.left), textWidth(FontRole::monoSmall, row.right)});
        difference = std::max(difference, textWidth(FontRole::monoStrong, row.difference));
    }
    const int gap = t.px(10);
    name = std::min(name, box.width() * 2 / 5);
    // Values of both sides give way before the bars do.
    const bool values = name + 2 * value + difference + 4 * gap + t.px(80) <= box.width();
    const int barLeft = box.left() + name + gap + (values ? value + gap : 0);
    const int barRight = box.right() + 1 - difference - gap - (values ? value + gap : 0);
    const double middle = (barLeft + barRight) / 2.0, reach = (barRight - barLeft) / 2.0;
    const int head = lineHeight(FontRole::strong) + t.px(3);
    if (values) {
        drawLine(painter, QRect(barLeft - gap - value, box.top(), value, head), FontRole::strong, t.text,
                 left_, Qt::AlignRight);
        drawLine(painter, QRect(barRight + gap, box.top(), value, head), FontRole::strong, t.text, right_);
        drawLine(painter, QRect(barLeft, box.top(), static_cast<int>(reach) - t.px(4), head),
                 FontRole::caption, t.faint, tr("◂ more"), Qt::AlignRight);
        drawLine(painter, QRect(static_cast<int>(middle) + t.px(4), box.top(), static_cast<int>(reach), head),
                 FontRole::caption, t.faint, tr("more ▸"));
    }
    drawLine(painter, QRect(box.right() + 1 - difference, box.top(), difference, head), FontRole::small,
             t.faint, tr("difference"), Qt::AlignRight);
    int y = box.top() + head;
    // All rows where they fit; else those that say something.
    const int all = static_cast<int>(rows_.size());
    const bool some = (box.bottom() - y - t.px(8)) < all * lineHeight(FontRole::small);
    int shownRows = 0;
    for (const DeltaRow& row : rows_)
        shownRows += !(some && row.zero);
    const int step = std::clamp((box.bottom() - y - t.px(8)) / std::max(1, shownRows),
                                lineHeight(FontRole::small), 2 * lineHeight(FontRole::small));
    const int top = y;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const DeltaRow& row = rows_[i];
        if (some && row.zero) continue;
        if (i == kCountRows) { // the owners of the time
            painter.fillRect(QRect(box.left(), y + t.px(4), box.width(), 1), t.border);
            y += t.px(8);
        }
        if (y + step > box.bottom() + 2) break;
        const QRect line(box.left(), y, box.width(), step);
        const QColor dim = row.zero ? t.faint : t.dim, ink = row.zero ? t.faint : t.text;
        drawLine(painter, QRect(line.left(), y, name, step), FontRole::small, dim, row.name);
        if (values) {
            drawLine(painter, QRect(barLeft - gap - value, y, value, step), FontRole::monoSmall, dim,
                     row.left, Qt::AlignRight);
            drawLine(painter, QRect(barRight + gap, y, value, step), FontRole::monoSmall, dim, row.right);
        }
        const bool same = row.difference == QStringLiteral("=");
        drawLine(painter, QRect(line.right() + 1 - difference, y, difference, step),
                 same ? FontRole::monoSmall : FontRole::monoStrong, same ? t.faint : ink, row.difference,
                 Qt::AlignRight);
        const double to = middle + std::clamp(row.bar, -1.0, 1.0) * reach;
        if (row.bar != 0) {
            const OwnerLook look = lookOf(row);
            const double thick = std::max(4.0, step * 0.55);
            paintSwatch(painter,
                        QRectF(std::min(middle, to), line.center().y() + 0.5 - thick / 2,
                               std::max(2.0, std::abs(to - middle)), thick),
                        look.color, look.hatch);
        }
        rowBoxes_.push_back({line, i});
        y += step;
    }
    painter.fillRect(QRectF(std::round(middle), top, 1, y - top), t.faint);
}

bool DeltaStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        for (const auto& [box, index] : rowBoxes_) {
            if (!box.contains(help->pos()) || index >= rows_.size()) continue;
            const DeltaRow& row = rows_[index];
            QToolTip::showText(help->globalPos(),
                               row.name + u'\n' + left_ + QStringLiteral(": ") + row.left + u'\n' + right_ +
                                   QStringLiteral(": ") + row.right + u'\n' + tr("difference: ") +
                                   row.difference,
                               this, box);
            return true;
        }
        QToolTip::hideText();
        return true;
    }
    return Panel::event(event);
}

} // namespace tlbscope
