#include "app/window/parameter_slider.h"

#include "app/window/themed_label.h"
#include "app/window/value_slider.h"
#include "views/theme/theme_notifier.h"

#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>

#include <algorithm>

namespace tlbscope {

ParameterSlider::ParameterSlider(const QString& name, Stops stops, std::function<QString(int)> unit,
                                 QWidget* parent)
    : QWidget(parent), name_(name), stops_(std::move(stops)), unit_(std::move(unit)),
      label_(new ThemedLabel(name, FontRole::body, Tone::dim, this)), edit_(new QLineEdit(this)),
      slider_(new ValueSlider(this)), note_(new ThemedLabel({}, FontRole::caption, Tone::faint, this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->addWidget(label_, 0, 0);
    grid->addWidget(edit_, 0, 1);
    grid->addWidget(slider_, 1, 0, 1, 2);
    grid->addWidget(note_, 2, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    note_->setWordWrap(true);
    note_->hide();

    edit_->setFrame(false);
    edit_->setAlignment(Qt::AlignRight);
    edit_->setAccessibleName(name);
    edit_->setToolTip(tr("Type a number, Enter takes it"));
    edit_->installEventFilter(this);
    connect(edit_, &QLineEdit::returnPressed, this, &ParameterSlider::typed);

    slider_->setRange(0, static_cast<int>(stops_.size()) - 1);
    slider_->setPageStep(std::max(1, static_cast<int>(stops_.size()) / 10));
    slider_->setAccessibleName(name);
    connect(slider_, &QSlider::valueChanged, this,
            [this](int position) { take(stops_[static_cast<std::size_t>(position)]); });
    connect(slider_, &ValueSlider::resetRequested, this, &ParameterSlider::reset);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ParameterSlider::restyle);
    value_ = stops_.front();
    restyle();
    showValue();
}

void ParameterSlider::setValue(int value) {
    value_ = value;
    const QSignalBlocker quiet(slider_);
    slider_->setValue(nearestStop(stops_, value));
    showValue();
}

void ParameterSlider::setDefault(int value, const QString& whose) {
    default_ = value;
    hasDefault_ = true;
    whose_ = whose;
    slider_->setMark(nearestStop(stops_, value));
    showNote();
}

void ParameterSlider::setNote(const QString& note) {
    noteText_ = note;
    showNote();
}

void ParameterSlider::take(int value) {
    if (value == value_) return;
    value_ = value;
    showValue();
    Q_EMIT changed(value);
}

void ParameterSlider::reset() {
    if (!hasDefault_ || !isEnabled()) return;
    const int before = value_;
    setValue(default_);
    if (value_ != before) Q_EMIT changed(value_);
}

void ParameterSlider::choose(int value) {
    const int before = value_;
    setValue(std::clamp(value, stops_.front(), stops_.back()));
    if (value_ != before) Q_EMIT changed(value_);
}

void ParameterSlider::typed() {
    QString text = edit_->text();
    text.remove(QRegularExpression(QStringLiteral("[^0-9\\-]")));
    bool ok = false;
    const int wanted = text.toInt(&ok);
    if (ok) choose(wanted);
    slider_->setFocus();
    showValue();
}

void ParameterSlider::showValue() {
    const QString text = unit_(value_);
    if (!edit_->hasFocus()) edit_->setText(text);
    slider_->setAccessibleDescription(text);
    QString tip = tr("%1: %2").arg(name_, text);
    if (hasDefault_) tip += tr("\n%1: %2 (double click takes it)").arg(whose_, unit_(default_));
    slider_->setToolTip(tip);
    label_->setToolTip(tip);
    showNote();
}

void ParameterSlider::showNote() {
    QString text = noteText_;
    if (hasDefault_ && value_ != default_)
        text = tr("%1 %2").arg(whose_, unit_(default_)) +
               (text.isEmpty() ? QString() : QStringLiteral(" · ") + text);
    note_->setText(text);
    note_->setVisible(!text.isEmpty());
}

bool ParameterSlider::eventFilter(QObject* object, QEvent* event) {
    if (object == edit_) {
        if (event->type() == QEvent::FocusIn) {
            edit_->setText(QString::number(value_));
            QMetaObject::invokeMethod(edit_, &QLineEdit::selectAll, Qt::QueuedConnection);
        } else if (event->type() == QEvent::FocusOut) {
            edit_->setText(unit_(value_));
        } else if (event->type() == QEvent::KeyPress &&
                   static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            slider_->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

void ParameterSlider::mouseDoubleClickEvent(QMouseEvent*) {
    reset();
}

void ParameterSlider::changeEvent(QEvent* event) {
    if (event->type() == QEvent::EnabledChange) restyle();
    QWidget::changeEvent(event);
}

void ParameterSlider::restyle() {
    const Theme& t = Theme::current();
    edit_->setFont(t.font(FontRole::monoStrong));
    edit_->setStyleSheet(QStringLiteral("QLineEdit { background: transparent; border: 0; color: %1; }"
                                        "QLineEdit:focus { background: %2; }")
                             .arg((isEnabled() ? t.text : t.faint).name(), t.inset.name()));
}

} // namespace tlbscope
