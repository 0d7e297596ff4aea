#include "views/present/spotlight.h"

#include "views/theme/theme.h"
#include "views/theme/theme_notifier.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>

namespace tlbscope {

Spotlight::Spotlight(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    parent->installEventFilter(this);
    setGeometry(parent->rect());
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
    hide();
}

void Spotlight::setTarget(const QRect& target) {
    const QRect clipped = target.isEmpty() ? QRect() : target;
    if (clipped == target_) return;
    target_ = clipped;
    if (target_.isNull()) {
        hide();
        return;
    }
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == parentWidget()) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

// Four rectangles and a frame: what lies in the target is not touched.
void Spotlight::paintEvent(QPaintEvent* event) {
    const Theme& t = Theme::current();
    QPainter painter(this);
    const QRect all = rect(), hole = target_.intersected(all);
    const QColor shade = t.kind == ThemeKind::light ? QColor(22, 27, 34, 100) : QColor(0, 0, 0, 125);
    const QRect sides[] = {
        QRect(0, 0, all.width(), hole.top()),
        QRect(0, hole.bottom() + 1, all.width(), all.height() - hole.bottom() - 1),
        QRect(0, hole.top(), hole.left(), hole.height()),
        QRect(hole.right() + 1, hole.top(), all.width() - hole.right() - 1, hole.height())};
    for (const QRect& side : sides) {
        const QRect seen = side.intersected(event->rect());
        if (!seen.isEmpty()) painter.fillRect(seen, shade);
    }
    const int line = t.px(2);
    painter.setPen(QPen(t.accent, line));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(hole).adjusted(-line / 2.0, -line / 2.0, line / 2.0, line / 2.0));
}

} // namespace tlbscope
