// A slider in the window's look: filled up to the knob, with a mark where the default is.
#pragma once

#include <QSlider>

namespace tlbscope {

class ValueSlider : public QSlider {
    Q_OBJECT
public:
    explicit ValueSlider(QWidget* parent = nullptr);

    // Position of the mark; below minimum(): none.
    void setMark(int position);
    int mark() const { return mark_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void resetRequested(); // double click

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    double xOf(int position) const;
    int positionAt(double x) const;

    int mark_ = -1000000;
};

} // namespace tlbscope
