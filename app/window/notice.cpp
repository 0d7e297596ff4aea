#include "app/window/notice.h"

#include "app/window/themed_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace tlbscope {

Notice::Notice(QWidget* parent)
    : QWidget(parent), label_(new ThemedLabel({}, FontRole::body, Tone::text, this)) {
    const Theme& t = Theme::current();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(t.px(22), t.px(6), t.px(14), t.px(6));
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(label_, 1);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAccessibleName(tr("Close the message"));
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    row->addWidget(close);
    hide();
}

void Notice::showError(const QString& text) {
    label_->setText(text);
    setAccessibleName(text);
    show();
}

QString Notice::text() const {
    return label_->text();
}

void Notice::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter p(this);
    p.fillRect(rect(), mix(t.panel, t.hue.vermillion, 0.18));
    p.fillRect(0, 0, t.px(6), height(), t.hue.vermillion);
}

} // namespace tlbscope
