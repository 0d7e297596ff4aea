// The kernel's arithmetic for one flush with its numbers filled in, and what it has cost so far.
#pragma once

#include "engine/session/snapshot.h"
#include "views/panels/panel.h"

#include <memory>

namespace tlbscope {

class DecisionPanel : public Panel {
    Q_OBJECT
public:
    explicit DecisionPanel(QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // may be null
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    bool event(QEvent* event) override;
    void shown() override { setSnapshot(snapshot_); }

private:
    int paintFormula(QPainter& painter, const QRect& box);
    int paintCost(QPainter& painter, const QRect& box);

    std::shared_ptr<const Snapshot> snapshot_;
};

} // namespace tlbscope
