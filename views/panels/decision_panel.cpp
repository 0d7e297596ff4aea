#include "views/panels/decision_panel.h"

#include "views/format/format.h"
#include "views/panels/stacked_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tlbscope {

namespace {

// Cycles of a simulation; a recording's clock has lengths of time.
QString costText(const Snapshot& s, Cycles ticks) {
    return s.machine && s.machine->recorded ? durationText(double(ticks), s.log.ticks_per_second())
                                            : cyclesText(ticks);
}

// A recording tells neither the flush itself nor the refills after it.
std::vector<BarPart> costParts(const Snapshot& s, const Theme& t) {
    const DecisionView& d = s.decision;
    const auto part = [&](const char* name, Cycles ticks, const QColor& color, Qt::BrushStyle hatch) {
        return BarPart{QLatin1String(name), costText(s, ticks), double(ticks), color, hatch};
    };
    const BarPart waiting = part("waiting for acks", d.wait_cycles, t.hue.yellow, Qt::BDiagPattern);
    const BarPart service = part("servicing IPIs", d.service_cycles, t.hue.sky, Qt::NoBrush);
    if (s.machine && s.machine->recorded) return {waiting, service};
    return {part("flush", d.flush_cycles, t.hue.orange, Qt::NoBrush), waiting, service,
            part("refills so far", d.refill_cycles, t.hue.purple, Qt::Dense6Pattern)};
}

Cycles totalOf(const DecisionView& d) {
    return d.flush_cycles + d.wait_cycles + d.service_cycles + d.refill_cycles;
}

} // namespace

DecisionPanel::DecisionPanel(QWidget* parent) : Panel(tr("Decision"), parent) {}

QSize DecisionPanel::sizeHint() const {
    const Theme& t = Theme::current();
    return {t.px(320), t.px(20) + titleHeight() + 5 * (lineHeight(FontRole::mono) + t.px(6)) +
                           lineHeight(FontRole::small) * 3 + legendHeight(4, 1) + t.px(70)};
}

QSize DecisionPanel::minimumSizeHint() const {
    return {Theme::current().px(240), Theme::current().px(160)};
}

void DecisionPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    snapshot_ = std::move(snapshot);
    if (!isVisible()) return;
    if (!snapshot_ || snapshot_->decision.shootdown == 0) {
        setContext({});
    } else {
        const DecisionView& d = snapshot_->decision;
        const QString number = tr("shootdown ") + grouped(std::int64_t{d.shootdown}),
                      cpu = tr(" · CPU %1").arg(d.cpu);
        const QString caller =
            d.caller.empty() ? QString() : QStringLiteral(" · ") + QString::fromStdString(d.caller);
        setContextChoices({number + cpu + caller, number + cpu, number});
        setAccessibleDescription(QString::fromStdString(d.outcome) + tr(", cost so far ") +
                                 costText(*snapshot_, totalOf(d)));
    }
    update();
}

void DecisionPanel::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    if (!snapshot_ || snapshot_->decision.shootdown == 0) {
        drawLine(painter, QRect(box.left(), box.top(), box.width(), lineHeight(FontRole::body) + t.px(4)),
                 FontRole::body, t.dim, tr("No flush has been decided yet."));
        drawLine(painter,
                 QRect(box.left(), box.top() + lineHeight(FontRole::body) + t.px(6), box.width(),
                       lineHeight(FontRole::small)),
                 FontRole::small, t.faint, tr("Run to the next flush to see the rule with its numbers."));
        return;
    }
    QRect rest = box;
    rest.setTop(paintFormula(painter, rest) + t.px(10));
    paintCost(painter, rest);
}

int DecisionPanel::paintFormula(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    const DecisionView& d = snapshot_->decision;
    const int step = lineHeight(FontRole::mono) + t.px(4), pad = t.px(10);
    int y = box.top();
    drawLine(painter, QRect(box.left(), y, box.width(), lineHeight(FontRole::small)), FontRole::small, t.dim,
             QString::fromStdString(d.policy));
    y += lineHeight(FontRole::small) + t.px(5);
    const int lines = static_cast<int>(d.lines.size());
    const QRect inset(box.left(), y, box.width(), lines * step + step + 2 * pad);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.border, 1));
    painter.setBrush(t.inset);
    painter.drawRoundedRect(QRectF(inset).adjusted(0.5, 0.5, -0.5, -0.5), t.px(6), t.px(6));
    painter.setRenderHint(QPainter::Antialiasing, false);
    y = inset.top() + pad;
    const bool narrow = std::any_of(d.lines.begin(), d.lines.end(), [&](const std::string& text) {
        return textWidth(FontRole::mono, QString::fromStdString(text)) > inset.width() - 2 * pad;
    });
    const FontRole role = narrow ? FontRole::monoSmall : FontRole::mono;
    for (int i = 0; i < lines; ++i, y += step)
        drawLine(painter, QRect(inset.left() + pad, y, inset.width() - 2 * pad, step), role,
                 i == 0 ? t.dim : t.text, QString::fromStdString(d.lines[static_cast<std::size_t>(i)]));
    // The outcome, in the colour and with the sign of what happens: range: the pages one by one; full:
    // everything.
    const QColor color = readable(d.full ? t.hue.vermillion : t.hue.orange, t.inset);
    drawLine(painter, QRect(inset.left() + pad, y, inset.width() - 2 * pad, step), FontRole::monoStrong,
             color, QStringLiteral("→ ") + QString::fromStdString(d.outcome));
    return inset.bottom() + 1;
}

int DecisionPanel::paintCost(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    const DecisionView& d = snapshot_->decision;
    int y = box.top();
    const int line = lineHeight(FontRole::small) + t.px(2);
    const QString targets = d.targets == 0   ? tr("no other CPU")
                            : d.targets == 1 ? tr("1 target")
                                             : grouped(std::int64_t{d.targets}) + tr(" targets");
    const QString total = costText(*snapshot_, totalOf(d));
    drawLine(painter, QRect(box.left(), y, box.width(), line), FontRole::monoStrong, t.text, total,
             Qt::AlignRight);
    drawLine(painter,
             QRect(box.left(), y, box.width() - textWidth(FontRole::monoStrong, total) - t.px(8), line),
             FontRole::small, t.dim, (d.complete ? tr("Cost, ") : tr("Cost so far, ")) + targets);
    y += line + t.px(4);
    const auto parts = costParts(*snapshot_, t);
    const QRect bar(box.left(), y, box.width(), t.px(14));
    if (bar.bottom() > box.bottom()) return y;
    paintStackedBar(painter, bar, parts);
    y += bar.height() + t.px(7);
    const int columns = box.width() > t.px(460) ? 2 : 1;
    y += paintLegend(painter, QRect(box.left(), y, box.width(), box.bottom() - y + 1), parts, columns);
    if (!d.source.empty() && y + line <= box.bottom() + 1)
        drawLine(painter, QRect(box.left(), box.bottom() + 1 - line, box.width(), line), FontRole::caption,
                 t.faint, tr("Rule: ") + QString::fromStdString(d.source));
    return y;
}

bool DecisionPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && snapshot_ && snapshot_->decision.shootdown) {
        const DecisionView& d = snapshot_->decision;
        QStringList lines;
        lines << QString::fromStdString(d.outcome);
        for (const BarPart& part : costParts(*snapshot_, Theme::current()))
            lines << part.name + QStringLiteral(": ") + part.value;
        if (!d.source.empty()) lines << tr("Rule: ") + QString::fromStdString(d.source);
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines.join(u'\n'), this);
        return true;
    }
    return Panel::event(event);
}

} // namespace tlbscope
