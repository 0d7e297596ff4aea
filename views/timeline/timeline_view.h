// The run in time: one lane a CPU, IPIs between the lanes, the cursor, and below the whole run at a glance.
#pragma once

#include "engine/session/snapshot.h"
#include "views/panels/panel.h"
#include "views/timeline/lane_loader.h"
#include "views/timeline/overview_index.h"
#include "views/timeline/time_axis.h"

#include <QImage>

#include <memory>

class QScrollBar;
class QTimer;

namespace tlbscope {

// GUI thread only. Mouse: the wheel zooms about the pointer, Shift and the wheel or a drag pan, a click
// seeks, a drag on the axis scrubs; the window in the strip below can be dragged. Keys: left and right step
// by event, with Shift by shootdown; + and - zoom, Home and End go to the ends, 0 shows the whole run.
class TimelineView : public Panel {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    ~TimelineView() override;

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // may be null
    // The stretch of time shown, in ticks.
    const TimeMap& window() const { return map_; }
    void setWindow(double begin, double end);
    void showAll();
    int labelledCpu(QPoint point) const; // CPU of the lane there, -1
    // Until everything that is made in the background is there; for pictures without a window.
    void finish();
    int spansMade() const { return made_; } // requests for lane data so far

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void seekRequested(qint64 ticks);
    void stepEventRequested(int n);
    void stepShootdownRequested(int n);
    void cpuSelected(int cpu);

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    void themeChanged() override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void shown() override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { none, lanes, axis, overview };
    struct Places {
        QRect labels, axis, lanes, overview;
        int laneHeight = 20, laneGap = 4;
    };

    Places places() const;
    bool hasLog() const { return snapshot_ && snapshot_->machine && !snapshot_->log.empty(); }
    int cpus() const { return snapshot_ && snapshot_->machine ? snapshot_->machine->topology.cpus() : 0; }
    double ticksPerSecond() const;
    std::pair<double, double> runRange() const; // of the whole log
    TimeMap mapOf(const Places& places) const;
    void firstWindow();
    void follow();
    void requestData(const Places& places);
    void updateContext();
    void updateScroll();
    void scrubTo(double x);

    void paintAxis(QPainter& painter, const Places& places);
    void paintLanes(QPainter& painter, const Places& places);
    void paintSpanTexts(QPainter& painter, const Places& places, int first, int last);
    void paintArrows(QPainter& painter, const Places& places);
    void paintOverview(QPainter& painter, const Places& places);
    void makeOverview(QSize size);
    void paintCursor(QPainter& painter, const Places& places);
    QRectF cursorPill(const Places& places) const; // empty while the cursor is out of sight
    int laneTop(const Places& places, int lane) const;
    QString tooltipAt(QPoint point) const;

    std::shared_ptr<const Snapshot> snapshot_;
    TimeMap map_{0, 0, 1};
    bool follow_ = true;
    LaneLoader loader_;
    OverviewIndex overview_;
    QTimer* indexTimer_;
    QScrollBar* scroll_;
    // What the pictures were made from; made again only when that changes.
    struct LanesKey {
        TimeMap map;
        std::shared_ptr<const LaneData> data;
        int scroll = -1, theme = -1;
        bool operator==(const LanesKey&) const = default;
    };
    struct OverviewKey {
        std::uint64_t run = 0, events = 0;
        QSize size;
        int theme = -1;
        bool operator==(const OverviewKey&) const = default;
    };
    QImage lanesImage_, overviewImage_;
    LanesKey lanesKey_;
    OverviewKey overviewKey_;
    int theme_ = 0; // changes with the theme
    Drag drag_ = Drag::none;
    QPoint pressed_;
    TimeMap pressedMap_;
    bool moved_ = false;
    int made_ = 0;
};

} // namespace tlbscope
