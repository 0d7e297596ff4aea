#include "app/window/present_button.h"

#include "app/window/actions.h"
#include "views/theme/theme.h"
#include "views/theme/theme_notifier.h"

#include <QMenu>
#include <QPainter>

namespace tlbscope {

PresentButton::PresentButton(const Actions& actions, QWidget* parent) : QToolButton(parent) {
    const auto name = [this](bool on) { setText(on ? tr("End F5") : tr("Present F5")); };
    setToolTip(actions.present->toolTip());
    setMenu(actions.presentMenu);
    setPopupMode(QToolButton::MenuButtonPopup);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QToolButton::clicked, actions.present, &QAction::trigger);
    connect(actions.present, &QAction::toggled, this, name);
    name(actions.present->isChecked());
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &PresentButton::restyle);
    restyle();
}

void PresentButton::paintEvent(QPaintEvent* event) {
    QToolButton::paintEvent(event);
    const Theme& t = Theme::current();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(t.dim);
    const double side = t.px(4), x = width() - t.px(13), y = height() / 2.0;
    p.drawPolygon(QPolygonF{
        {QPointF(x - side, y - side * 0.5), QPointF(x + side, y - side * 0.5), QPointF(x, y + side * 0.7)}});
}

void PresentButton::restyle() {
    const Theme& t = Theme::current();
    setFont(t.font(FontRole::body));
    setStyleSheet(
        QStringLiteral("QToolButton { color: %1; background: %2; border: 1px solid %3; border-radius: %4px;"
                       " padding: %4px %5px; padding-right: %6px; }"
                       "QToolButton:hover { border-color: %7; } QToolButton:focus { border-color: %1; }"
                       "QToolButton::menu-button { border: 0; width: %8px; }"
                       "QToolButton::menu-arrow { image: none; }")
            .arg(t.text.name(), t.card.name(), t.border.name())
            .arg(t.px(4))
            .arg(t.px(10))
            .arg(t.px(26))
            .arg(t.dim.name())
            .arg(t.px(20)));
}

} // namespace tlbscope
