#include "app/window/duel_page.h"

#include "app/window/actions.h"
#include "app/window/duel_bar.h"
#include "app/window/duel_controls.h"
#include "app/window/segmented_choice.h"
#include "app/window/side_card.h"
#include "app/window/themed_label.h"
#include "app/window/value_slider.h"
#include "engine/kernel/address_split.h"
#include "views/format/format.h"
#include "views/machine/machine_view.h"
#include "views/panels/delta_strip.h"
#include "views/theme/theme_notifier.h"

#include <QHBoxLayout>

namespace tlbscope {
namespace {

constexpr int kFrameMilliseconds = 16;
QString work_unit(const std::string& workload) {
    return workload.starts_with("hint") ? QObject::tr("iterations") : QObject::tr("accesses");
}

constexpr ViewNeeds kSeen{true, false, false}, kHidden{false, false, false};

} // namespace

DuelPage::DuelPage(const std::string& resources, const Actions& actions, QWidget* parent)
    : QWidget(parent), resources_(resources) {
    bar_ = new DuelBar(actions, this);
    controls_ = new DuelControls(resources, this);
    card_ = new SideCard(tr("Side by side"), controls_, this);
    build();
    frameTimer_.setSingleShot(true);
    frameTimer_.setTimerType(Qt::PreciseTimer);
    frameTimer_.setInterval(kFrameMilliseconds);
    connect(&frameTimer_, &QTimer::timeout, this, &DuelPage::takeFrame);
    connect(controls_, &DuelControls::changed, this, &DuelPage::restart);
    connect(bar_, &DuelBar::speedChanged, this, [this](double speed) {
        if (duel_) duel_->set_speed(speed);
    });
    connect(bar_->lockstep(), &SegmentedChoice::changed, this,
            [this](int i) { setLockstep(i == 0 ? Lockstep::work : Lockstep::time); });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &DuelPage::restyle);
    restyle();
}

DuelPage::~DuelPage() {
    duel_.reset();
}

void DuelPage::build() {
    auto* row = new QHBoxLayout(this);
    row->addWidget(card_);
    auto* right = new QVBoxLayout;
    machines_ = new QWidget(this);
    auto* machines = new QHBoxLayout(machines_);
    machines->setContentsMargins(0, 0, 0, 0);
    strip_ = new DeltaStrip(this);
    strip_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    right->addWidget(machines_, 3);
    right->addWidget(strip_, 2);
    row->addLayout(right, 1);
    for (Side& side : sides_) {
        side.box = new QWidget(machines_);
        auto* column = new QVBoxLayout(side.box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        side.title = new ThemedLabel({}, FontRole::title, Tone::text, this);
        side.counts = new ThemedLabel({}, FontRole::monoSmall, Tone::dim, this);
        side.machine = new MachineView(this);
        for (ThemedLabel* label : {side.title, side.counts}) {
            label->setMinimumWidth(1);
            label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
            column->addWidget(label);
        }
        column->addWidget(side.machine, 1);
        machines->addWidget(side.box, 1);
    }
}

QWidget* DuelPage::bar() const {
    return bar_;
}

void DuelPage::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    if (!active) {
        if (!duel_) return;
        wasRunning_ = shown_ && shown_->running;
        duel_->pause();
        duel_->set_needs(kHidden);
        return;
    }
    if (!duel_) restart();
    if (!duel_) return;
    duel_->set_needs(kSeen);
    if (wasRunning_) duel_->play();
    wantFrame();
}

void DuelPage::setPresenting(bool on) {
    card_->setVisible(!on);
    bar_->setPresenting(on);
}

const DuelChoice& DuelPage::choice() const {
    return controls_->choice();
}

void DuelPage::setChoice(const DuelChoice& choice) {
    if (choice == controls_->choice()) return;
    controls_->setChoice(choice);
    if (duel_) restart();
}

void DuelPage::restart() {
    if (!active_ && !duel_) return;
    try {
        const std::array<Scenario, 2> both = make_duel(controls_->choice());
        if (duel_) {
            duel_->reset(both[0], both[1]);
        } else {
            duel_ = std::make_unique<Duel>(
                resources_,
                [this] {
                    // On the worker's thread: one frame is asked for, however many snapshots come.
                    if (!frameWanted_.exchange(true))
                        QMetaObject::invokeMethod(this, &DuelPage::wantFrame, Qt::QueuedConnection);
                },
                both[0], both[1]);
            duel_->set_lockstep(lockstep_);
            duel_->set_speed(bar_->speed());
        }
        const DuelPair& pair = find_duel_pair(controls_->choice().pair);
        for (std::size_t i = 0; i < 2; ++i)
            sides_[i].title->setText(QString::fromUtf8(pair.titles[i]));
        strip_->setNames(QString::fromUtf8(pair.titles[0]), QString::fromUtf8(pair.titles[1]));
        strip_->setWorkUnit(work_unit(controls_->choice().workload));
    } catch (const std::exception& e) {
        Q_EMIT failed(QString::fromUtf8(e.what()));
    }
}

void DuelPage::setLockstep(Lockstep lockstep) {
    lockstep_ = lockstep;
    bar_->lockstep()->setCurrent(lockstep == Lockstep::work ? 0 : 1);
    if (duel_) duel_->set_lockstep(lockstep);
}

void DuelPage::setSpeed(double speed) {
    bar_->setSpeed(speed);
    if (duel_) duel_->set_speed(bar_->speed());
}

void DuelPage::playOrPause() {
    if (!duel_) return;
    if (shown_ && shown_->running)
        duel_->pause();
    else
        duel_->play();
}

void DuelPage::toStart() {
    if (duel_) duel_->seek_time(0);
}

void DuelPage::changeSpeed(int steps) {
    bar_->speedSlider()->setValue(bar_->speedSlider()->value() + steps);
}

void DuelPage::fullSpeed() {
    bar_->speedSlider()->setValue(bar_->speedSlider()->maximum());
}

void DuelPage::wantFrame() {
    if (!frameTimer_.isActive()) frameTimer_.start();
}

void DuelPage::takeFrame() {
    frameTimer_.stop();
    frameWanted_ = false;
    if (!duel_) return;
    const std::string error = duel_->take_error();
    const auto s = duel_->snapshot();
    if (!error.empty()) Q_EMIT failed(QString::fromUtf8(error));
    if (s == shown_) return;
    shown_ = s;
    bar_->show(*s);
    strip_->setSnapshot(s);
    for (std::size_t i = 0; i < 2; ++i)
        showSide(i);
    Q_EMIT frameDrawn();
}

void DuelPage::showSide(std::size_t i) {
    const DuelSide& side = shown_->sides[i];
    sides_[i].machine->setSnapshot(side.snapshot);
    sides_[i].counts->setText(tr("%1 · %2 %3 · lap %4")
                                  .arg(clockText(side.time, side.snapshot->machine->hz), grouped(side.work),
                                       work_unit(controls_->choice().workload), grouped(side.laps + 1)));
}

void DuelPage::restyle() {
    const Theme& t = Theme::current();
    layout()->setContentsMargins(0, 0, 0, 0);
    layout()->setSpacing(t.px(10));
    // In front of an audience the caption needs the room; both draw what fits.
    for (const Side& side : sides_)
        side.machine->setMinimumSize(1, t.px(70));
    strip_->setMinimumSize(1, t.px(90));
}

} // namespace tlbscope
