// QChartView without its crash: a press where no item lies dereferences null before Qt 6.6 (QTBUG-118669).
#pragma once

#include <QChartView>

#include <functional>

namespace tlbscope {

class GuardedChartView : public QChartView {
    Q_OBJECT
public:
    explicit GuardedChartView(QWidget* parent = nullptr);
    // Drawn behind and in front of the chart, in scene coordinates.
    void setBackdrop(std::function<void(QPainter&)> draw) { backdrop_ = std::move(draw); }
    void setOverlay(std::function<void(QPainter&)> draw) { overlay_ = std::move(draw); }

Q_SIGNALS:
    void pointed(QPointF chartPosition, QPoint globalPosition, bool pressed);
    void dragged(QPointF chartPosition); // pressed, or moved while pressed
    void left();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    std::function<void(QPainter&)> backdrop_, overlay_;
};

} // namespace tlbscope
