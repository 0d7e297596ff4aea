#include "views/events/event_list_view.h"

#include "views/events/event_rows.h"
#include "views/format/format.h"

#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace tlbscope {

std::optional<std::vector<CpuId>> parseCpuList(const QString& text) {
    std::vector<CpuId> out;
    if (text.trimmed().isEmpty()) return out;
    for (const QString& part : text.split(u',')) {
        const QStringList ends = part.trimmed().split(u'-');
        if (ends.size() > 2) return std::nullopt;
        bool okFirst = false, okLast = false;
        const uint first = ends.front().trimmed().toUInt(&okFirst),
                   last = ends.back().trimmed().toUInt(&okLast);
        if (!okFirst || !okLast || first > last || last > 1023) return std::nullopt;
        for (uint c = first; c <= last; ++c)
            out.push_back(static_cast<CpuId>(c));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

EventListView::EventListView(QWidget* parent)
    : Panel(tr("Events"), parent), rows_(new EventRows(model_, this)), search_(new QLineEdit(this)),
      cpus_(new QLineEdit(this)) {
    for (int g = 0; g < static_cast<int>(KindGroup::count_); ++g) {
        auto* chip = new QPushButton(tr(to_string(static_cast<KindGroup>(g))), this);
        chip->setCheckable(true);
        chip->setFocusPolicy(Qt::TabFocus);
        connect(chip, &QPushButton::toggled, this, [this] { applyFilter(); });
        chips_.push_back(chip);
    }
    search_->setPlaceholderText(tr("Search text"));
    search_->setClearButtonEnabled(true);
    search_->setAccessibleName(tr("Search text in events"));
    cpus_->setPlaceholderText(tr("CPUs: 0-3, 7"));
    cpus_->setAccessibleName(tr("Only these CPUs"));
    connect(search_, &QLineEdit::textChanged, this, [this] { applyFilter(); });
    connect(search_, &QLineEdit::returnPressed, this, [this] { findNext(); });
    connect(cpus_, &QLineEdit::textChanged, this, [this] { applyFilter(); });
    connect(&model_, &EventModel::progressed, this, [this] {
        updateContext();
        if (snapshot_ && isVisible()) rows_->setCursorRow(model_.rowOf(snapshot_->cursor), true);
    });
    connect(rows_, &EventRows::rowActivated, this, [this](int row) {
        if (row >= 0 && row < model_.rowCount()) Q_EMIT activated(model_.eventAt(row));
    });
    style();
}

QSize EventListView::sizeHint() const {
    return {Theme::current().px(760), Theme::current().px(320)};
}
QSize EventListView::minimumSizeHint() const {
    return {Theme::current().px(300), Theme::current().px(160)};
}

void EventListView::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    snapshot_ = std::move(snapshot);
    if (!isVisible()) return;
    if (snapshot_) {
        model_.setLog(snapshot_->log, snapshot_->run);
        const int row = model_.rowOf(snapshot_->cursor);
        rows_->setCursorRow(row, row >= 0 && model_.eventAt(row) == snapshot_->cursor);
    } else {
        model_.setLog(EventLog(), 0);
        rows_->setCursorRow(-1, false);
    }
    updateContext();
}

void EventListView::shown() {
    setSnapshot(snapshot_);
    arrange();
}

void EventListView::setGroup(KindGroup group, bool on) {
    chips_[static_cast<std::size_t>(group)]->setChecked(on);
}
void EventListView::setSearchText(const QString& text) {
    search_->setText(text);
}
void EventListView::setCpuText(const QString& text) {
    cpus_->setText(text);
}

void EventListView::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void EventListView::applyFilter() {
    const auto cpus = parseCpuList(cpus_->text());
    cpus_->setProperty("wrong", !cpus.has_value());
    style();
    cpus_->setToolTip(cpus ? QString() : tr("Write CPUs as 0-3, 7"));
    if (!cpus) return; // the last good filter stays
    EventFilter filter;
    for (std::size_t g = 0; g < chips_.size(); ++g)
        if (chips_[g]->isChecked())
            for (int k = 0; k < static_cast<int>(EventKind::count_); ++k)
                if (inGroup(static_cast<EventKind>(k), static_cast<KindGroup>(g)))
                    filter.kinds.set(static_cast<std::size_t>(k));
    filter.cpus = *cpus;
    filter.text = search_->text().trimmed().toStdString();
    model_.setFilter(filter);
}

void EventListView::updateContext() {
    if (!snapshot_) return setContext({});
    const EventLog& log = model_.log();
    const QString all = grouped(log.end_index() - log.first_index()) + tr(" events");
    if (!model_.filtering()) return setContext(all);
    setContext(grouped(std::int64_t{model_.rowCount()}) + tr(" of ") + all +
               (model_.progress() < 1 ? tr(", ") + percentText(model_.progress()) + tr(" looked through")
                                      : QString()));
}

void EventListView::findNext() {
    if (!snapshot_) return;
    const int row = model_.rowOf(snapshot_->cursor) + 1;
    if (row < model_.rowCount()) Q_EMIT activated(model_.eventAt(row));
}

void EventListView::findPrevious() {
    if (!snapshot_ || snapshot_->cursor == 0) return;
    const int row = model_.rowOf(snapshot_->cursor - 1);
    if (row >= 0) Q_EMIT activated(model_.eventAt(row));
}

void EventListView::style() {
    const Theme& t = Theme::current();
    const QString chip = QStringLiteral("QPushButton { color: %1; background: %2; border: 1px solid %3; "
                                        "border-radius: %4px; padding: 1px %5px; }"
                                        "QPushButton:checked { color: %6; background: %7; border-color: %7; }"
                                        "QPushButton:hover { border-color: %8; }"
                                        "QPushButton:focus { border-color: %1; }")
                             .arg(t.dim.name(), t.card.name(), t.border.name())
                             .arg(t.px(9))
                             .arg(t.px(8))
                             .arg(t.onAccent.name(), t.accent.name(), t.faint.name());
    for (QPushButton* button : chips_) {
        button->setFont(t.font(FontRole::small));
        button->setStyleSheet(chip);
    }
    for (QLineEdit* edit : {search_, cpus_}) {
        const bool wrong = edit->property("wrong").toBool();
        edit->setFont(t.font(FontRole::small));
        edit->setStyleSheet(
            QStringLiteral("QLineEdit { color: %1; background: %2; border: 1px solid %3; border-radius: "
                           "%4px; padding: 1px %5px; }"
                           "QLineEdit:focus { border-color: %6; }")
                .arg(t.text.name(), t.inset.name(), (wrong ? t.hue.vermillion : t.border).name())
                .arg(t.px(4))
                .arg(t.px(6))
                .arg((wrong ? t.hue.vermillion : t.accent).name()));
    }
}

void EventListView::themeChanged() {
    style();
    arrange();
}

void EventListView::arrange() {
    const Theme& t = Theme::current();
    const QRect box = contentRect();
    const int height = lineHeight(FontRole::small) + t.px(8), gap = t.px(6);
    int x = box.left(), y = box.top();
    const auto put = [&](QWidget* widget, int width) {
        if (x > box.left() && x + width > box.right() + 1) {
            x = box.left();
            y += height + gap;
        }
        widget->setGeometry(x, y, std::min(width, box.width()), height);
        x += width + gap;
    };
    put(search_, std::min(t.px(190), box.width()));
    put(cpus_, t.px(96));
    for (QPushButton* chip : chips_)
        put(chip, textWidth(FontRole::small, chip->text()) + t.px(20));
    const int top = y + height + t.px(6);
    rows_->setGeometry(box.left() - t.px(8), top, box.width() + t.px(14),
                       std::max(0, box.bottom() + t.px(4) - top));
}

void EventListView::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

void EventListView::paintContent(QPainter&, const QRect&) {}

} // namespace tlbscope
