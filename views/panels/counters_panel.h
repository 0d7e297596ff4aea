// The kernel's counters by their names in /proc/vmstat, and what the TLBs count.
#pragma once

#include "engine/session/snapshot.h"
#include "views/panels/panel.h"

#include <memory>

namespace tlbscope {

class CountersPanel : public Panel {
    Q_OBJECT
public:
    explicit CountersPanel(QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // may be null
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    struct Row {
        QString name, value, meaning; // meaning: the tool tip
        bool alarm = false;
    };
    static std::vector<Row> rows(const Snapshot& snapshot);

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;

    std::shared_ptr<const Snapshot> snapshot_;
};

} // namespace tlbscope
