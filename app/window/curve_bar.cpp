#include "app/window/curve_bar.h"

#include "app/window/page_bar.h"
#include "app/window/present_button.h"
#include "app/window/segmented_choice.h"
#include "app/window/themed_label.h"
#include "views/theme/theme_notifier.h"

#include <QHBoxLayout>

namespace tlbscope {

CurveBar::CurveBar(const Actions& actions, QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    title_ = new ThemedLabel({}, FontRole::title, Tone::text, this);
    subtitle_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addStretch(1);
    for (ThemedLabel* label : {title_, subtitle_}) {
        label->setMinimumWidth(1);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        titles->addWidget(label);
    }
    titles->addStretch(1);
    row->addLayout(titles, 1);
    view_ = new SegmentedChoice(tr("Shows"), {tr("throughput"), tr("difference"), tr("both")}, this);
    row->addWidget(view_);
    row->addWidget(new PresentButton(actions, this));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &CurveBar::restyle);
    restyle();
}

void CurveBar::setTitle(const QString& title, const QString& subtitle) {
    titleText_ = title;
    subtitleText_ = subtitle;
    elide();
}

void CurveBar::elide() {
    for (const auto& [label, text] : {std::pair{title_, &titleText_}, {subtitle_, &subtitleText_}}) {
        const QString shown = label->fontMetrics().elidedText(*text, Qt::ElideRight, label->width());
        if (shown == label->text()) continue;
        label->setText(shown);
        label->setToolTip(shown == *text ? QString() : *text);
    }
}

void CurveBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

void CurveBar::restyle() {
    const Theme& t = Theme::current();
    layout()->setContentsMargins(t.px(18), t.px(7), t.px(14), t.px(8 + PageBar::kGap));
    layout()->setSpacing(t.px(14));
    elide();
}

void CurveBar::paintEvent(QPaintEvent*) {
    paintBar(*this);
}

} // namespace tlbscope
