#include "views/events/event_rows.h"

#include "views/panels/panel.h"
#include "views/theme/theme_notifier.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace tlbscope {

EventRows::EventRows(EventModel& model, QWidget* parent) : QAbstractScrollArea(parent), model_(model) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Events"));
    const auto changed = [this] {
        updateScrollBar();
        if (isVisible()) viewport()->update();
    };
    connect(&model, &QAbstractItemModel::rowsInserted, this, changed);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, changed);
    connect(&model, &QAbstractItemModel::modelReset, this, changed);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, changed);
}

int EventRows::rowHeight() const {
    return lineHeight(FontRole::monoSmall) + Theme::current().px(5);
}
int EventRows::headerHeight() const {
    return lineHeight(FontRole::caption) + Theme::current().px(8);
}
int EventRows::firstVisibleRow() const {
    return verticalScrollBar()->value();
}

int EventRows::rowAt(int y) const {
    if (y < headerHeight()) return -1;
    const int row = firstVisibleRow() + (y - headerHeight()) / rowHeight();
    return row < model_.rowCount() ? row : -1;
}

void EventRows::updateScrollBar() {
    const int shown = std::max(1, (viewport()->height() - headerHeight()) / rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, model_.rowCount() - shown));
    verticalScrollBar()->setPageStep(shown);
    verticalScrollBar()->setSingleStep(1);
}

void EventRows::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void EventRows::reveal(int row) {
    const int first = firstVisibleRow(), shown = verticalScrollBar()->pageStep();
    if (row < first || row >= first + shown) verticalScrollBar()->setValue(row - shown * 2 / 3);
}

void EventRows::setCursorRow(int row, bool exact) {
    const bool wasInSight = cursor_ < 0 || (cursor_ >= firstVisibleRow() - 1 &&
                                            cursor_ <= firstVisibleRow() + verticalScrollBar()->pageStep());
    cursor_ = row;
    exact_ = exact;
    if (row >= 0 && wasInSight) reveal(row);
    if (row >= 0 && row < model_.rowCount() && hasFocus())
        setAccessibleDescription(model_.text(row, EventModel::Time) + QStringLiteral(", CPU ") +
                                 model_.text(row, EventModel::Cpu) + QStringLiteral(", ") +
                                 model_.text(row, EventModel::Name) + QStringLiteral(": ") +
                                 model_.text(row, EventModel::Details));
    if (isVisible()) viewport()->update();
}

std::array<int, EventModel::ColumnCount + 1> EventRows::columns() const {
    const Theme& t = Theme::current();
    const int digit = textWidth(FontRole::monoSmall, QStringLiteral("0")), gap = t.px(14);
    std::array<int, EventModel::ColumnCount + 1> x{};
    x[EventModel::Time] = t.px(8);
    x[EventModel::Cpu] = x[EventModel::Time] + 17 * digit + gap;
    x[EventModel::Task] = x[EventModel::Cpu] + 4 * digit + gap;
    x[EventModel::Name] = x[EventModel::Task] + 17 * digit + gap;
    x[EventModel::Details] = x[EventModel::Name] + 24 * digit + gap;
    x[EventModel::ColumnCount] = std::max(viewport()->width() - t.px(6) + gap, x[EventModel::Details]);
    // Narrow: each column gives the room that few of its texts need.
    int lacking = 26 * digit - (x[EventModel::ColumnCount] - x[EventModel::Details]);
    constexpr std::array<std::pair<int, int>, 3> kSpare{
        {{EventModel::Name, 6}, {EventModel::Time, 3}, {EventModel::Task, 3}}};
    for (const auto& [column, digits] : kSpare) {
        const int give = std::clamp(lacking, 0, digits * digit);
        lacking -= give;
        for (int c = column + 1; c < EventModel::ColumnCount; ++c)
            x[static_cast<std::size_t>(c)] -= give;
    }
    return x;
}

QColor EventRows::colorOf(EventKind kind) const {
    const Theme& t = Theme::current();
    if (kind == EventKind::lost) return t.hue.vermillion;
    if (kind == EventKind::shootdown_wait || kind == EventKind::shootdown_done) return t.hue.yellow;
    if (inGroup(kind, KindGroup::flushes)) return t.hue.orange;
    if (inGroup(kind, KindGroup::ipis)) return t.hue.sky;
    if (inGroup(kind, KindGroup::faults)) return mix(t.hue.grey, t.text, 0.5);
    if (inGroup(kind, KindGroup::locks)) return t.hue.vermillion;
    if (inGroup(kind, KindGroup::scheduler)) return t.hue.green;
    return t.hue.grey;
}

void EventRows::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), t.panel);
    const auto x = columns();
    const int gap = t.px(14), height = rowHeight();
    const QRect header(0, 0, viewport()->width(), headerHeight());
    for (int c = 0; c < EventModel::ColumnCount; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const bool right = c == EventModel::Time || c == EventModel::Cpu;
        drawLine(painter, QRect(x[i], header.top(), x[i + 1] - x[i] - gap, header.height()),
                 FontRole::caption, t.faint, model_.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString(),
                 right ? Qt::AlignRight : Qt::AlignLeft);
    }
    painter.fillRect(QRect(0, header.bottom(), header.width(), 1), t.border);
    const int rows = model_.rowCount();
    paintedRows_ = 0;
    if (rows == 0)
        drawLine(painter, QRect(x[0], header.bottom() + t.px(8), viewport()->width() - 2 * x[0], height),
                 FontRole::small, t.dim,
                 model_.filtering() && !model_.log().empty()
                     ? (model_.progress() < 1 ? tr("Looking …") : tr("No event passes this filter."))
                     : tr("No events yet."));
    for (int row = firstVisibleRow(), y = header.bottom() + 1; row < rows && y < viewport()->height();
         ++row, y += height, ++paintedRows_) {
        const QRect line(0, y, viewport()->width(), height);
        const EventKind kind = model_.log()[model_.eventAt(row)].kind;
        if (row == cursor_) {
            painter.fillRect(line, mix(t.panel, t.accent, exact_ ? 0.28 : 0.12));
            painter.fillRect(QRect(0, y, t.px(3), height), t.accent);
        }
        painter.fillRect(QRect(x[EventModel::Name] - t.px(9), y + height / 2 - t.px(3), t.px(5), t.px(6)),
                         colorOf(kind));
        for (int c = 0; c < EventModel::ColumnCount; ++c) {
            const auto i = static_cast<std::size_t>(c);
            const bool right = c == EventModel::Time || c == EventModel::Cpu;
            drawLine(painter, QRect(x[i], y, x[i + 1] - x[i] - gap, height), FontRole::monoSmall,
                     c == EventModel::Name ? t.text : t.dim, model_.text(row, c),
                     right ? Qt::AlignRight : Qt::AlignLeft);
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 1));
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void EventRows::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->pos().y());
    if (event->button() == Qt::LeftButton && row >= 0) Q_EMIT rowActivated(row);
}

void EventRows::keyPressEvent(QKeyEvent* event) {
    const int rows = model_.rowCount(), page = verticalScrollBar()->pageStep();
    const auto go = [&](int row) {
        if (rows == 0) return;
        const int to = std::clamp(row, 0, rows - 1);
        reveal(to);
        Q_EMIT rowActivated(to);
    };
    switch (event->key()) {
    case Qt::Key_Up:
        go(cursor_ - (exact_ ? 1 : 0));
        break;
    case Qt::Key_Down:
        go(cursor_ + 1);
        break;
    case Qt::Key_PageUp:
        go(cursor_ - page);
        break;
    case Qt::Key_PageDown:
        go(cursor_ + page);
        break;
    case Qt::Key_Home:
        go(0);
        break;
    case Qt::Key_End:
        go(rows - 1);
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

bool EventRows::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos().y());
        if (row < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(),
                               model_.text(row, EventModel::Name) + QStringLiteral(": ") +
                                   model_.text(row, EventModel::Details),
                               viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace tlbscope
