#include "app/window/segmented_choice.h"

#include "app/window/themed_label.h"
#include "views/theme/theme_notifier.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace tlbscope {

SegmentedChoice::SegmentedChoice(const QString& name, const QStringList& choices, QWidget* parent)
    : QWidget(parent), label_(new ThemedLabel(name, FontRole::body, Tone::dim, this)),
      group_(new QButtonGroup(this)), choices_(choices) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(label_);
    row->addSpacing(Theme::current().px(10));
    row->addStretch(1);
    for (int i = 0; i < choices.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setText(choices[i]);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        button->setAccessibleName(tr("%1: %2").arg(name, choices[i]));
        button->setProperty("segment", i == 0 ? "first" : i + 1 == choices.size() ? "last" : "middle");
        group_->addButton(button, i);
        buttons_ << button;
        row->addWidget(button);
    }
    group_->setExclusive(true);
    connect(group_, &QButtonGroup::idClicked, this, &SegmentedChoice::changed);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &SegmentedChoice::restyle);
    restyle();
}

int SegmentedChoice::current() const {
    return group_->checkedId();
}

void SegmentedChoice::setCurrent(int index) {
    if (QAbstractButton* button = group_->button(index)) button->setChecked(true);
}

void SegmentedChoice::setDefault(int index, const QString& whose) {
    if (index == default_ && whose == whose_) return;
    default_ = index;
    whose_ = whose;
    for (int i = 0; i < buttons_.size(); ++i) {
        buttons_[i]->setText(i == index ? choices_[i] + QStringLiteral(" •") : choices_[i]);
        buttons_[i]->setToolTip(i == index ? whose : QString());
    }
}

void SegmentedChoice::setTip(int index, const QString& tip) {
    buttons_[index]->setToolTip(tip);
}

void SegmentedChoice::setNameShown(bool shown) {
    label_->setVisible(shown);
}

void SegmentedChoice::setProminent(bool prominent) {
    prominent_ = prominent;
    restyle();
}

void SegmentedChoice::mouseDoubleClickEvent(QMouseEvent*) {
    if (default_ < 0 || default_ == current()) return;
    setCurrent(default_);
    Q_EMIT changed(default_);
}

void SegmentedChoice::restyle() {
    const Theme& t = Theme::current();
    for (QToolButton* button : buttons_)
        button->setFont(t.font(prominent_ ? FontRole::body : FontRole::small));
    const QString r = QString::number(t.px(4)) + QStringLiteral("px");
    setStyleSheet(
        QStringLiteral("QToolButton { color: %1; background: %2; border: 1px solid %3; padding: %4px %10px; }"
                       "QToolButton:hover { background: %8; }"
                       "QToolButton:checked { color: %5; background: %6; border-color: %6; }"
                       "QToolButton:focus { border-color: %1; }"
                       "QToolButton:disabled { color: %9; }"
                       "QToolButton[segment=\"first\"] { border-top-left-radius: %7;"
                       " border-bottom-left-radius: %7; }"
                       "QToolButton[segment=\"last\"] { border-top-right-radius: %7;"
                       " border-bottom-right-radius: %7; }"
                       "QToolButton[segment=\"middle\"], QToolButton[segment=\"last\"] { border-left: 0; }")
            .arg(t.text.name(), t.card.name(), t.border.name())
            .arg(t.px(prominent_ ? 5 : 3))
            .arg(t.onAccent.name(), t.accent.name(), r, mix(t.card, t.faint, 0.15).name(),
                 mix(t.faint, t.panel, 0.4).name())
            .arg(t.px(prominent_ ? 9 : 6)));
}

} // namespace tlbscope
