#include "app/window/side_card.h"

#include "app/window/themed_label.h"
#include "views/theme/theme_notifier.h"

#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tlbscope {

SideCard::SideCard(const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent), content_(content), scroll_(new QScrollArea(this)) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(new ThemedLabel(title, FontRole::title, Tone::text, this));
    scroll_->setWidget(content);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    // The card shows through.
    for (QWidget* plain : {static_cast<QWidget*>(scroll_), scroll_->viewport(), content})
        plain->setAutoFillBackground(false);
    column->addWidget(scroll_, 1);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &SideCard::restyle);
    restyle();
}

void SideCard::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.fillRect(rect(), t.window);
    p.setPen(QPen(t.border, 1));
    p.setBrush(t.panel);
    p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.px(8), t.px(8));
}

void SideCard::restyle() {
    const Theme& t = Theme::current();
    layout()->setContentsMargins(t.px(14), t.px(10), t.px(6), t.px(10));
    layout()->setSpacing(t.px(8));
    content_->setContentsMargins(0, 0, t.px(8), 0);
    setFixedWidth(t.px(300));
}

} // namespace tlbscope
