// Between two machines: who is ahead, by how much, and what they have spent differently.
#pragma once

#include "engine/session/duel.h"
#include "views/panels/delta_history.h"
#include "views/panels/delta_rows.h"
#include "views/panels/panel.h"

#include <memory>

namespace tlbscope {

// GUI thread only.
class DeltaStrip : public Panel {
    Q_OBJECT
public:
    explicit DeltaStrip(QWidget* parent = nullptr);
    void setNames(const QString& left, const QString& right); // "3:1", "4:4"
    void setWorkUnit(const QString& unit);                    // "iterations"
    // May be null. Every snapshot of a run goes into the line of the lead, hidden or not: that is one number.
    void setSnapshot(std::shared_ptr<const DuelSnapshot> snapshot);
    const DeltaHistory& history() const { return history_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    bool event(QEvent* event) override;
    void shown() override { changed(); }

private:
    void changed();
    void paintRows(QPainter& painter, const QRect& box);

    QString left_, right_, unit_;
    std::shared_ptr<const DuelSnapshot> snapshot_;
    std::vector<DeltaRow> rows_;
    std::vector<std::pair<QRect, std::size_t>> rowBoxes_;
    DeltaHistory history_;
};

} // namespace tlbscope
