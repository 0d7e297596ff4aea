// Where the cycles go: all CPUs, the last window.
#pragma once

#include "engine/session/snapshot.h"
#include "views/panels/panel.h"
#include "views/panels/stacked_bar.h"

#include <memory>

namespace tlbscope {

class CyclesPanel : public Panel {
    Q_OBJECT
public:
    explicit CyclesPanel(QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // may be null
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    bool event(QEvent* event) override;
    void shown() override { setSnapshot(snapshot_); }

private:
    std::shared_ptr<const Snapshot> snapshot_;
};

// One part a bucket that has cycles; per cent of the sum. Idle comes last.
std::vector<BarPart> bucketParts(const BucketCycles& buckets, const Theme& theme);

} // namespace tlbscope
