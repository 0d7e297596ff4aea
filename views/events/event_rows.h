// Rows of an EventModel, drawn one by one where they are visible: a table for millions of rows.
#pragma once

#include "views/events/event_model.h"
#include "views/theme/theme.h"

#include <QAbstractScrollArea>

#include <array>

namespace tlbscope {

class EventRows : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit EventRows(EventModel& model, QWidget* parent = nullptr);

    // Row of the event the window stands on; -1 none. Scrolled into sight unless the user has scrolled away.
    void setCursorRow(int row, bool exact);
    int cursorRow() const { return cursor_; }
    int firstVisibleRow() const;
    int rowAt(int y) const;                          // -1 below the last
    int paintedRows() const { return paintedRows_; } // in the last frame

Q_SIGNALS:
    void rowActivated(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void updateScrollBar();
    void reveal(int row);
    int rowHeight() const;
    int headerHeight() const;
    std::array<int, EventModel::ColumnCount + 1> columns() const; // left edges, then the right end
    QColor colorOf(EventKind kind) const;

    EventModel& model_;
    int cursor_ = -1;
    bool exact_ = true;
    int paintedRows_ = 0;
};

} // namespace tlbscope
