// The list of events with its filter: chips by kind, CPUs, text.
#pragma once

#include "engine/session/snapshot.h"
#include "views/events/event_model.h"
#include "views/panels/panel.h"

#include <memory>
#include <optional>
#include <vector>

class QLineEdit;
class QPushButton;

namespace tlbscope {

class EventRows;

class EventListView : public Panel {
    Q_OBJECT
public:
    explicit EventListView(QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // may be null
    EventModel& model() { return model_; }
    EventRows& rows() { return *rows_; }
    void setGroup(KindGroup group, bool on);
    void setSearchText(const QString& text);
    void setCpuText(const QString& text);
    void focusSearch();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    void findNext(); // the next row after the cursor, of those the filter lets through
    void findPrevious();

Q_SIGNALS:
    void activated(quint64 eventIndex); // clicked, or reached by keyboard or search

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    void resizeEvent(QResizeEvent* event) override;
    void shown() override;
    void themeChanged() override;

private:
    void applyFilter();
    void arrange();
    void updateContext();
    void style();

    std::shared_ptr<const Snapshot> snapshot_;
    EventModel model_;
    EventRows* rows_;
    QLineEdit *search_, *cpus_;
    std::vector<QPushButton*> chips_;
};

// "0-3, 7" -> 0 1 2 3 7; empty text -> no CPUs (all). Nothing when the text is no such list or names a CPU
// above 1023.
std::optional<std::vector<CpuId>> parseCpuList(const QString& text);

} // namespace tlbscope
