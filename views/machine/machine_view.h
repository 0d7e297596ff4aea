// The machine: sockets, cores and siblings as cards, TLBs as grids of cells, IPIs on their way.
#pragma once

#include "views/machine/machine_canvas.h"

#include <QAbstractScrollArea>

namespace tlbscope {

// GUI thread only. Has no timer: it draws when it is given a snapshot, and does nothing while hidden.
// Mouse: click selects a CPU or folds a socket at its header, drag pans, the wheel with Ctrl or a pinch
// zooms. Keys: arrows select, + and - zoom, 0 fits, F folds the selected CPU's socket.
class MachineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit MachineView(QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // may be null: "no machine"
    const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }

    CpuId selectedCpu() const { return selected_; } // kNoCpu: none
    void selectCpu(CpuId cpu);
    bool isFolded(int socket) const { return folded_.contains(socket); }
    void setFolded(int socket, bool folded);
    bool fits() const { return pitch_ < 0; }
    // The layout as drawn; computed on demand.
    const MachineLayout& layout() const;
    QPoint contentOffset() const;
    CpuId cpuAt(QPoint viewportPoint) const;
    // Frames painted and layouts computed so far; tests assert that a hidden view does neither.
    int frames() const { return frames_; }
    int layouts() const { return layouts_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void fit();

Q_SIGNALS:
    void cpuSelected(int cpu);
    void detailChanged();

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void zoom(int steps, QPoint about);
    void invalidateLayout();
    void ensureLayout() const;
    void updateScrollBars();
    void paintOverlay(QPainter& painter);
    QString tooltipAt(QPoint viewportPoint) const;
    void describe();

    std::shared_ptr<const Snapshot> snapshot_;
    mutable MachineLayout layout_;
    mutable bool layoutValid_ = false;
    mutable int layouts_ = 0;
    mutable MachineCanvas canvas_;
    std::set<int> folded_;
    int pitch_ = -1; // -1: fit
    CpuId selected_ = kNoCpu, hovered_ = kNoCpu;
    QPoint pressed_, pressedScroll_;
    bool dragging_ = false;
    double pinch_ = 1;
    int frames_ = 0;
};

} // namespace tlbscope
