#include "app/window/recording_controls.h"

#include "app/window/actions.h"
#include "app/window/themed_label.h"
#include "engine/core/event.h"
#include "views/format/format.h"
#include "views/panels/panel.h"
#include "views/theme/theme_notifier.h"

#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tlbscope {

RecordingControls::RecordingControls(const Actions& actions, QWidget* parent) : QWidget(parent) {
    const Theme& t = Theme::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(t.px(7));
    name_ = new ThemedLabel({}, FontRole::strong, Tone::text, this);
    facts_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    pairing_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    for (ThemedLabel* label : {name_, facts_, pairing_})
        label->setWordWrap(true);
    column->addWidget(name_);
    column->addWidget(facts_);

    const auto button = [&](QAction* action, const QString& text) {
        auto* b = new QPushButton(text, this);
        b->setToolTip(action->toolTip());
        connect(b, &QPushButton::clicked, action, &QAction::trigger);
        column->addWidget(b);
    };
    button(actions.report, tr("Import report…"));

    column->addWidget(new ThemedLabel(tr("Jump to time or event"), FontRole::body, Tone::dim, this));
    jump_ = new QLineEdit(this);
    jump_->setPlaceholderText(tr("612.189734, +1.5 ms, #18402"));
    jump_->setAccessibleName(tr("Time or #event to jump to"));
    column->addWidget(jump_);
    column->addWidget(new ThemedLabel(tr("Find in the events"), FontRole::body, Tone::dim, this));
    search_ = new QLineEdit(this);
    search_->setPlaceholderText(tr("part of a name, comm or function"));
    search_->setAccessibleName(tr("Text to find in the events"));
    search_->setClearButtonEnabled(true);
    column->addWidget(search_);
    connect(jump_, &QLineEdit::returnPressed, this, [this] { Q_EMIT jumpRequested(jump_->text()); });
    connect(search_, &QLineEdit::returnPressed, this, [this] { Q_EMIT searchRequested(search_->text()); });

    column->addSpacing(t.px(4));
    column->addWidget(new ThemedLabel(tr("Flushes by reason"), FontRole::strong, Tone::text, this));
    reasons_ = new ReasonTable(this);
    column->addWidget(reasons_);
    column->addSpacing(t.px(4));
    column->addWidget(new ThemedLabel(tr("Sends and receives"), FontRole::strong, Tone::text, this));
    column->addWidget(pairing_);
    column->addStretch(1);
    button(actions.close, tr("Back to the simulation"));
}

void RecordingControls::show(const Snapshot& s) {
    if (s.run != run_ && s.shootdowns) {
        run_ = s.run;
        name_->setText(QString::fromStdString(s.title));
        const EventLog& log = s.log;
        const std::int64_t span =
            log.empty() ? 0 : log[log.end_index() - 1].time - log[log.first_index()].time;
        facts_->setText(tr("%1 events on %2 CPUs in %3\n%4")
                            .arg(grouped(log.end_index() - log.first_index()))
                            .arg(s.machine->topology.cpus())
                            .arg(durationText(static_cast<double>(span), log.ticks_per_second()),
                                 QString::fromStdString(s.subtitle)));
        const ShootdownIndex& index = *s.shootdowns;
        pairing_->setText(tr("%1 shootdowns, %2 sends\n%3 paired by csd pointer\n%4 paired by time and "
                             "CPU\n%5 sends without a "
                             "receive\n%6 receives without a send")
                              .arg(grouped(static_cast<std::uint64_t>(index.shootdowns.size())),
                                   grouped(index.sends), grouped(index.matched_by_csd),
                                   grouped(index.matched_by_time), grouped(index.sends_unmatched),
                                   grouped(index.receives_unmatched)));
    }
    if (s.totals) reasons_->show(s.counters.flushes_by_reason, s.totals->flushes_by_reason);
}

ReasonTable::ReasonTable(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Flushes by reason"));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize ReasonTable::sizeHint() const {
    return {Theme::current().px(190), 7 * (lineHeight(FontRole::small) + Theme::current().px(11))};
}

void ReasonTable::show(const Counts& soFar, const Counts& inAll) {
    if (soFar == soFar_ && inAll == inAll_) return;
    soFar_ = soFar;
    inAll_ = inAll;
    update();
}

void ReasonTable::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter p(this);
    const QColor colours[] = {t.hue.grey,       t.hue.sky,    t.hue.purple, t.hue.orange,
                              t.hue.vermillion, t.hue.yellow, t.faint};
    const std::uint64_t most = std::max<std::uint64_t>(*std::max_element(inAll_.begin(), inAll_.end()), 1);
    const int line = lineHeight(FontRole::small), step = line + t.px(11);
    for (int i = 0; i < 7; ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        const QRect row(0, i * step, width(), line);
        const QString name = i == 6 ? tr("other codes")
                                    : QStringLiteral("%1  %2").arg(i).arg(
                                          QString::fromUtf8(to_string(static_cast<FlushReason>(i))));
        const QString count = grouped(soFar_[at]) + tr(" of ") + grouped(inAll_[at]);
        const int wide = textWidth(FontRole::monoSmall, count);
        drawLine(p, row.adjusted(0, 0, -wide - t.px(6), 0), FontRole::small, inAll_[at] ? t.text : t.faint,
                 name);
        drawLine(p, row, FontRole::monoSmall, inAll_[at] ? t.dim : t.faint, count, Qt::AlignRight);
        const QRect track(0, row.bottom() + t.px(2), width(), t.px(4));
        p.fillRect(track, t.emptyCell);
        const auto share = [&](std::uint64_t n) {
            return static_cast<int>(static_cast<double>(track.width()) * static_cast<double>(n) /
                                    static_cast<double>(most));
        };
        p.fillRect(QRect(track.topLeft(), QSize(share(inAll_[at]), track.height())),
                   mix(colours[i], t.panel, 0.6));
        p.fillRect(QRect(track.topLeft(), QSize(share(soFar_[at]), track.height())), colours[i]);
    }
}

} // namespace tlbscope
