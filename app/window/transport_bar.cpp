#include "app/window/transport_bar.h"

#include "app/window/actions.h"
#include "app/window/page_bar.h"
#include "app/window/present_button.h"
#include "app/window/speed_scale.h"
#include "app/window/themed_label.h"
#include "app/window/transport_button.h"
#include "app/window/value_slider.h"
#include "views/format/format.h"
#include "views/theme/theme_notifier.h"

#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>

namespace tlbscope {
namespace {

constexpr int kPlaceDigits = 31;

QPushButton* bigButton(QAction* action, const QString& text, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setToolTip(action->toolTip());
    button->setFocusPolicy(Qt::TabFocus);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

} // namespace

TransportBar::TransportBar(const Actions& actions, QWidget* parent) : QWidget(parent) {
    using Symbol = TransportButton::Symbol;
    auto* row = new QHBoxLayout(this);
    const auto add = [&](Symbol symbol, QAction* action, bool primary = false) {
        auto* button = new TransportButton(symbol, action, primary, this);
        row->addWidget(button);
        return button;
    };
    add(Symbol::start, actions.toStart);
    add(Symbol::shootdownBack, actions.shootdownBack);
    add(Symbol::eventBack, actions.eventBack);
    play_ = add(Symbol::play, actions.play, true);
    add(Symbol::event, actions.event);
    add(Symbol::shootdown, actions.shootdown);
    add(Symbol::flush, actions.nextFlush);

    time_ = new QLineEdit(this);
    time_->setFrame(false);
    time_->setAccessibleName(tr("Time; type a time or #event to jump there"));
    time_->setToolTip(actions.jump->toolTip() + u'\n' + actions.jump->statusTip());
    time_->setFocusPolicy(Qt::ClickFocus);
    time_->installEventFilter(this);
    place_ = new ThemedLabel({}, FontRole::monoSmall, Tone::dim, this);
    auto* times = new QVBoxLayout;
    times->setSpacing(0);
    times->addStretch(1);
    times->addWidget(time_);
    times->addWidget(place_);
    times->addStretch(1);
    row->addSpacing(6);
    row->addLayout(times);
    row->addSpacing(12);

    auto* speedGrid = new QGridLayout;
    speedGrid->setVerticalSpacing(0);
    auto* name = new ThemedLabel(tr("Speed"), FontRole::small, Tone::dim, this);
    speed_ = new ValueSlider(this);
    speed_->setRange(0, SpeedScale::last());
    speed_->setPageStep(SpeedScale::kPerDecade);
    speed_->setMark(SpeedScale::positionOf(SpeedScale::defaultSpeed()));
    speed_->setValue(speed_->mark());
    speed_->setAccessibleName(tr("Speed: simulated time to time on the clock"));
    speedText_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    speedGrid->addWidget(name, 0, 0);
    speedGrid->addWidget(speed_, 0, 1);
    speedGrid->addWidget(speedText_, 1, 0, 1, 2);
    row->addLayout(speedGrid);
    connect(speed_, &QSlider::valueChanged, this, [this] {
        showSpeed();
        Q_EMIT speedChanged(speed());
    });
    connect(speed_, &ValueSlider::resetRequested, this, [this] { speed_->setValue(speed_->mark()); });

    title_ = new ThemedLabel({}, FontRole::title, Tone::text, this);
    subtitle_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    for (ThemedLabel* label : {title_, subtitle_}) {
        label->setMinimumWidth(1);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    auto* titles = new QVBoxLayout;
    titles->setSpacing(0);
    titles->addStretch(1);
    titles->addWidget(title_);
    titles->addWidget(subtitle_);
    titles->addStretch(1);
    row->addSpacing(10);
    row->addLayout(titles, 1);

    open_ = bigButton(actions.open, tr("Open…"), this);
    row->addWidget(open_);
    row->addWidget(new PresentButton(actions, this));

    connect(time_, &QLineEdit::returnPressed, this, [this] {
        const QString text = time_->text();
        time_->clearFocus();
        Q_EMIT jumpRequested(text);
    });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &TransportBar::restyle);
    restyle();
    showSpeed();
}

double TransportBar::speed() const {
    return SpeedScale::speedAt(speed_->value());
}

void TransportBar::setSpeed(double speed) {
    const QSignalBlocker quiet(speed_);
    speed_->setValue(SpeedScale::positionOf(speed));
    showSpeed();
}

void TransportBar::setPresenting(bool on) {
    presenting_ = on;
    // Large type leaves no room for what an audience does not need.
    open_->setVisible(!on);
    restyle();
    showSpeed();
}

void TransportBar::show(const Snapshot& s) {
    const bool recorded = s.machine->recorded;
    const double ticks = recorded ? s.log.ticks_per_second() : s.machine->hz;
    timeText_ = clockText(s.now, ticks);
    if (!time_->hasFocus()) time_->setText(timeText_);
    const QString event = tr("event %1").arg(grouped(s.event_count));
    if (recorded)
        place_->setText(tr("%1 of %2").arg(event, grouped(s.log.end_index())));
    else
        place_->setText(QStringLiteral("%1 · %2").arg(cyclesText(s.now), event));
    play_->setSymbol(s.running ? TransportButton::Symbol::pause : TransportButton::Symbol::play);
    measured_.clear();
    if (s.moving)
        measured_ = tr("working out the jump …");
    else if (s.running && s.slowdown > 0) {
        measured_ = tr("measured 1 : %1")
                        .arg(s.slowdown < 10 ? QString::number(s.slowdown, 'f', 1)
                                             : grouped(static_cast<std::int64_t>(s.slowdown)));
        if (!recorded) measured_ += tr(", %1 accesses/s").arg(siText(s.accesses_per_host_second));
    } else if (!s.running)
        measured_ = tr("paused");
    showSpeed();
    titleText_ = QString::fromStdString(s.title);
    subtitleText_ = QString::fromStdString(s.subtitle);
    elide();
}

void TransportBar::showSpeed() {
    const QString wanted = SpeedScale::text(speed());
    QString text = measured_.isEmpty() ? wanted : QStringLiteral("%1 · %2").arg(wanted, measured_);
    const QFontMetrics metrics = speedText_->fontMetrics();
    if (metrics.horizontalAdvance(text) > speedText_->width())
        text = metrics.elidedText(text.section(u',', 0, 0), Qt::ElideRight, speedText_->width());
    speedText_->setText(text);
    speed_->setAccessibleDescription(wanted);
    speed_->setToolTip(
        tr("Simulated time to time on the clock: %1\n[ slower, ] faster, \\ as fast as possible")
            .arg(wanted));
}

void TransportBar::elide() {
    for (const auto& [label, text] : {std::pair{title_, &titleText_}, {subtitle_, &subtitleText_}}) {
        const QString shown = label->fontMetrics().elidedText(*text, Qt::ElideRight, label->width());
        if (shown == label->text()) continue;
        label->setText(shown);
        label->setToolTip(shown == *text ? QString() : *text);
    }
}

void TransportBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

bool TransportBar::eventFilter(QObject* object, QEvent* event) {
    if (object == time_) {
        if (event->type() == QEvent::FocusIn) {
            QMetaObject::invokeMethod(time_, &QLineEdit::selectAll, Qt::QueuedConnection);
        } else if (event->type() == QEvent::FocusOut) {
            time_->setText(timeText_);
        } else if (event->type() == QEvent::KeyPress &&
                   static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            time_->clearFocus();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

void TransportBar::paintEvent(QPaintEvent*) {
    paintBar(*this);
}

void TransportBar::restyle() {
    const Theme& t = Theme::current();
    layout()->setContentsMargins(t.px(14), t.px(7), t.px(14), t.px(8 + PageBar::kGap));
    layout()->setSpacing(t.px(7));
    QFont big = t.font(FontRole::monoStrong);
    big.setPointSizeF(big.pointSizeF() * 1.4);
    time_->setFont(big);
    time_->setStyleSheet(QStringLiteral("QLineEdit { background: transparent; border: 0; color: %1; }"
                                        "QLineEdit:focus { background: %2; }")
                             .arg(t.text.name(), t.inset.name()));
    const int column = QFontMetrics(t.font(FontRole::monoSmall)).horizontalAdvance(u'0') * kPlaceDigits;
    time_->setFixedWidth(column);
    place_->setMinimumWidth(column);
    speed_->setFixedWidth(t.px(presenting_ ? 110 : 190));
    speedText_->setFixedWidth(t.px(presenting_ ? 190 : 225));
    open_->setFont(t.font(FontRole::body));
    updateGeometry();
    elide();
}

} // namespace tlbscope
