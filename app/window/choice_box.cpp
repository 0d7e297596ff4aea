#include "app/window/choice_box.h"

#include "views/theme/theme.h"

#include <QPainter>
#include <QWheelEvent>

namespace tlbscope {

ChoiceBox::ChoiceBox(const QString& name, QWidget* parent) : QComboBox(parent) {
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
}

void ChoiceBox::paintEvent(QPaintEvent* event) {
    QComboBox::paintEvent(event);
    const Theme& t = Theme::current();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(isEnabled() ? t.dim : mix(t.faint, t.panel, 0.4));
    const double side = t.px(4), x = width() - t.px(14), y = height() / 2.0;
    p.drawPolygon(QPolygonF{
        {QPointF(x - side, y - side * 0.5), QPointF(x + side, y - side * 0.5), QPointF(x, y + side * 0.7)}});
}

void ChoiceBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace tlbscope
