#include "app/window/value_slider.h"

#include "views/theme/theme.h"
#include "views/theme/theme_notifier.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>

namespace tlbscope {
namespace {

double radius() {
    return Theme::current().px(6.5);
}

} // namespace

ValueSlider::ValueSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ValueSlider::setMark(int position) {
    if (position == mark_) return;
    mark_ = position;
    update();
}

QSize ValueSlider::sizeHint() const {
    return {Theme::current().px(150), Theme::current().px(20)};
}
QSize ValueSlider::minimumSizeHint() const {
    return {Theme::current().px(60), Theme::current().px(20)};
}

double ValueSlider::xOf(int position) const {
    const double span = std::max(maximum() - minimum(), 1);
    return radius() + (width() - 2 * radius()) * (position - minimum()) / span;
}

int ValueSlider::positionAt(double x) const {
    const double room = std::max(width() - 2 * radius(), 1.0);
    return minimum() + static_cast<int>(std::lround((x - radius()) / room * (maximum() - minimum())));
}

void ValueSlider::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double y = height() / 2.0, r = radius(), h = t.px(3);
    const bool on = isEnabled();
    // A control off its default says so by colour as well as by its mark.
    const bool moved = mark_ >= minimum() && mark_ != sliderPosition();
    const QColor fill = !on ? mix(t.faint, t.panel, 0.55) : moved ? t.hue.orange : t.accent;
    p.setPen(Qt::NoPen);
    p.setBrush(mix(t.panel, t.faint, 0.32));
    p.drawRoundedRect(QRectF(r, y - h / 2, width() - 2 * r, h), h / 2, h / 2);
    const double x = xOf(sliderPosition());
    p.setBrush(fill);
    p.drawRoundedRect(QRectF(r, y - h / 2, x - r, h), h / 2, h / 2);
    if (mark_ >= minimum() && mark_ <= maximum()) {
        p.setBrush(t.dim);
        const double m = xOf(mark_);
        QPolygonF tip;
        tip << QPointF(m, y + r * 0.75) << QPointF(m - r * 0.5, y + r * 1.55)
            << QPointF(m + r * 0.5, y + r * 1.55);
        p.drawPolygon(tip);
    }
    p.setBrush(fill);
    p.setPen(QPen(t.panel, t.px(1.5)));
    p.drawEllipse(QPointF(x, y), r, r);
    if (hasFocus() && on) {
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(t.text, t.px(1)));
        p.drawEllipse(QPointF(x, y), r + 0.5, r + 0.5);
    }
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    setSliderDown(true);
    setSliderPosition(positionAt(event->position().x()));
    event->accept();
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!isSliderDown()) return event->ignore();
    setSliderPosition(positionAt(event->position().x()));
    event->accept();
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    setSliderDown(false);
    event->accept();
}

void ValueSlider::mouseDoubleClickEvent(QMouseEvent* event) {
    setSliderDown(false);
    Q_EMIT resetRequested();
    event->accept();
}

// A panel of sliders is scrolled with the wheel; a value changes only where one meant it.
void ValueSlider::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QSlider::wheelEvent(event);
    else
        event->ignore();
}

} // namespace tlbscope
