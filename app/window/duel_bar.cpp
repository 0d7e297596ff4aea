#include "app/window/duel_bar.h"

#include "app/window/actions.h"
#include "app/window/page_bar.h"
#include "app/window/present_button.h"
#include "app/window/segmented_choice.h"
#include "app/window/speed_scale.h"
#include "app/window/themed_label.h"
#include "app/window/transport_button.h"
#include "app/window/value_slider.h"
#include "views/format/format.h"
#include "views/theme/theme_notifier.h"

#include <QGridLayout>

namespace tlbscope {
namespace {

// A tick of a 1000 Hz timer takes two seconds.
constexpr double kDefaultSpeed = 1.0 / 2000;

} // namespace

DuelBar::DuelBar(const Actions& actions, QWidget* parent) : QWidget(parent) {
    using Symbol = TransportButton::Symbol;
    auto* row = new QHBoxLayout(this);
    const auto add = [&](Symbol symbol, QAction* action, bool primary = false) {
        auto* button = new TransportButton(symbol, action, primary, this);
        row->addWidget(button);
        return button;
    };
    add(Symbol::start, actions.toStart);
    add(Symbol::eventBack, actions.eventBack);
    play_ = add(Symbol::play, actions.play, true);
    add(Symbol::event, actions.event);
    add(Symbol::flush, actions.nextTick);

    time_ = new ThemedLabel({}, FontRole::monoStrong, Tone::text, this);
    place_ = new ThemedLabel({}, FontRole::monoSmall, Tone::dim, this);
    auto* times = new QVBoxLayout;
    times->setSpacing(0);
    times->addStretch(1);
    times->addWidget(time_);
    times->addWidget(place_);
    times->addStretch(1);
    row->addLayout(times);

    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(0);
    speed_ = new ValueSlider(this);
    speed_->setRange(0, SpeedScale::last());
    speed_->setPageStep(SpeedScale::kPerDecade);
    speed_->setMark(SpeedScale::positionOf(kDefaultSpeed));
    speed_->setValue(speed_->mark());
    speed_->setAccessibleName(tr("Speed: simulated time to time on the clock"));
    speedText_ = new ThemedLabel({}, FontRole::small, Tone::dim, this);
    grid->addWidget(new ThemedLabel(tr("Speed"), FontRole::small, Tone::dim, this), 0, 0);
    grid->addWidget(speed_, 0, 1);
    grid->addWidget(speedText_, 1, 0, 1, 2);
    row->addLayout(grid);
    connect(speed_, &QSlider::valueChanged, this, [this] {
        showSpeed();
        Q_EMIT speedChanged(speed());
    });
    connect(speed_, &ValueSlider::resetRequested, this, [this] { speed_->setValue(speed_->mark()); });

    lockstep_ = new SegmentedChoice(tr("In step by"), {tr("work"), tr("time")}, this);
    lockstep_->setTip(0, tr("Both have done the same work; their times differ"));
    lockstep_->setTip(1, tr("Both show the same time; one is ahead in work"));
    lockstep_->setCurrent(0);
    row->addWidget(lockstep_);
    row->addStretch(1);
    row->addWidget(new PresentButton(actions, this));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &DuelBar::restyle);
    restyle();
    showSpeed();
}

double DuelBar::speed() const {
    return SpeedScale::speedAt(speed_->value());
}

void DuelBar::setSpeed(double speed) {
    const QSignalBlocker quiet(speed_);
    speed_->setValue(SpeedScale::positionOf(speed));
    showSpeed();
}

void DuelBar::setPresenting(bool on) {
    presenting_ = on;
    restyle();
}

void DuelBar::show(const DuelSnapshot& s) {
    const double hz = s.sides[0].snapshot->machine->hz;
    time_->setText(clockText(s.sides[0].time, hz));
    place_->setText(cyclesText(s.sides[0].time));
    play_->setSymbol(s.running ? TransportButton::Symbol::pause : TransportButton::Symbol::play);
    lockstep_->setCurrent(s.lockstep == Lockstep::work ? 0 : 1);
    measured_.clear();
    if (s.moving)
        measured_ = tr("on its way …");
    else if (!s.running)
        measured_ = tr("paused");
    else if (s.slowdown > 0)
        measured_ = tr("measured 1 : %1").arg(grouped(static_cast<std::int64_t>(s.slowdown)));
    showSpeed();
}

void DuelBar::showSpeed() {
    const QString wanted = SpeedScale::text(speed());
    const QString text = measured_.isEmpty() ? wanted : QStringLiteral("%1 · %2").arg(wanted, measured_);
    speedText_->setText(speedText_->fontMetrics().horizontalAdvance(text) <= speedText_->width() ? text
                        : measured_.isEmpty() || measured_.startsWith(tr("measured"))            ? wanted
                                                                                                 : measured_);
    speed_->setAccessibleDescription(wanted);
    speed_->setToolTip(
        tr("Simulated time to time on the clock: %1\n[ slower, ] faster, \\ as fast as possible")
            .arg(wanted));
}

void DuelBar::restyle() {
    const Theme& t = Theme::current();
    layout()->setContentsMargins(t.px(18), t.px(7), t.px(14), t.px(8 + PageBar::kGap));
    layout()->setSpacing(t.px(7));
    QFont big = t.font(FontRole::monoStrong);
    big.setPointSizeF(big.pointSizeF() * 1.4);
    time_->setFont(big);
    time_->setFixedWidth(QFontMetrics(big).horizontalAdvance(QStringLiteral("00 000.000 000 ms ")));
    speed_->setFixedWidth(t.px(presenting_ ? 90 : 150));
    speedText_->setFixedWidth(t.px(presenting_ ? 140 : 215));
    showSpeed();
}

void DuelBar::paintEvent(QPaintEvent*) {
    paintBar(*this);
}

} // namespace tlbscope
