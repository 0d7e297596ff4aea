#include "app/window/transport_button.h"

#include "views/theme/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

namespace tlbscope {
namespace {

using Symbol = TransportButton::Symbol;

// Symbols live in a square from -1 to 1.
QPainterPath triangle(double x, double width, int direction) {
    QPainterPath path;
    path.moveTo(x, -0.85);
    path.lineTo(x + direction * width, 0);
    path.lineTo(x, 0.85);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double x, double width = 0.26) {
    QPainterPath path;
    path.addRect(x - width / 2, -0.85, width, 1.7);
    return path;
}

QPainterPath pathOf(Symbol symbol) {
    switch (symbol) {
    case Symbol::start:
        return bar(-0.8) | triangle(0.85, 1.35, -1);
    case Symbol::shootdownBack:
        return triangle(0.0, 0.95, -1) | triangle(0.95, 0.95, -1);
    case Symbol::eventBack:
        return triangle(0.35, 1.1, -1) | bar(0.62);
    case Symbol::play:
        return triangle(-0.6, 1.45, 1);
    case Symbol::pause:
        return bar(-0.4, 0.42) | bar(0.4, 0.42);
    case Symbol::event:
        return triangle(-0.35, 1.1, 1) | bar(-0.62);
    case Symbol::shootdown:
        return triangle(0.0, 0.95, 1) | triangle(-0.95, 0.95, 1);
    case Symbol::flush: {
        // Up to a target: a triangle that meets a ring.
        QPainterPath ring;
        ring.addEllipse(QPointF(0.5, 0), 0.5, 0.5);
        QPainterPath hole;
        hole.addEllipse(QPointF(0.5, 0), 0.24, 0.24);
        return triangle(-1.0, 0.85, 1) | (ring - hole);
    }
    }
    return {};
}

} // namespace

TransportButton::TransportButton(Symbol symbol, QAction* action, bool primary, QWidget* parent)
    : QToolButton(parent), symbol_(symbol), primary_(primary) {
    setDefaultAction(action);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(action->text().remove(u'&'));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void TransportButton::setSymbol(Symbol symbol) {
    if (symbol == symbol_) return;
    symbol_ = symbol;
    update();
}

QSize TransportButton::sizeHint() const {
    const int side = Theme::current().px(30);
    return {side, side};
}

void TransportButton::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    QColor fill = primary_ ? t.accent : t.card;
    QColor ink = primary_ ? t.onAccent : t.text;
    if (!isEnabled()) {
        fill = t.card;
        ink = mix(t.faint, t.card, 0.5);
    } else if (isDown()) {
        fill = mix(fill, t.text, 0.25);
    } else if (underMouse()) {
        fill = mix(fill, t.text, 0.1);
    }
    p.setBrush(fill);
    p.setPen(QPen(hasFocus() ? t.text : primary_ && isEnabled() ? fill : t.border, 1));
    p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.px(5), t.px(5));
    p.translate(QRectF(rect()).center());
    const double size = height() * 0.2;
    p.scale(size, size);
    p.fillPath(pathOf(symbol_), ink);
}

void TransportButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QToolButton::keyPressEvent(event);
}

} // namespace tlbscope
