#include "app/window/duel_controls.h"

#include "app/window/choice_box.h"
#include "app/window/figure_presets.h"
#include "app/window/parameter_slider.h"
#include "app/window/segmented_choice.h"
#include "app/window/themed_label.h"
#include "engine/core/error.h"
#include "engine/kernel/page_placement.h"
#include "engine/workload/workload.h"
#include "views/theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace tlbscope {
namespace {

constexpr std::array kTimers{100, 250, 1000};

} // namespace

DuelControls::DuelControls(const std::string& resources, QWidget* parent) : QWidget(parent) {
    for (const std::string& id : list_processors(resources))
        processors_.push_back(load_processor(resources, id));
    build();
    show();
}

QComboBox* DuelControls::addCombo(const QString& name) {
    auto* combo = new ChoiceBox(name, this);
    layout()->addWidget(combo);
    return combo;
}

void DuelControls::build() {
    const Theme& t = Theme::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(t.px(6));
    const auto heading = [&](const QString& text) {
        if (column->count() > 0) column->addSpacing(t.px(8));
        column->addWidget(new ThemedLabel(text, FontRole::strong, Tone::text, this));
    };
    heading(tr("Left and right"));
    pair_ = addCombo(tr("Left and right machine"));
    for (const DuelPair& pair : duel_pairs())
        pair_->addItem(QString::fromUtf8(pair.name), QString::fromUtf8(pair.id));
    heading(tr("Program"));
    workload_ = addCombo(tr("Program"));
    for (const WorkloadInfo& info : workloads()) {
        try {
            curve_axis(info.id);
            workload_->addItem(QString::fromUtf8(info.name), QString::fromUtf8(info.id));
        } catch (const Error&) {
            // No laps to compare.
        }
    }
    workingSet_ = new ParameterSlider(
        tr("Working set"), logStops(40, 2000, 6, {200, 300, 500, 700}),
        [](int kilobytes) { return QString::fromStdString(working_set_text(kilobytes * kKilo)); }, this);
    column->addWidget(workingSet_);
    heading(tr("Machine"));
    processor_ = addCombo(tr("Processor"));
    timer_ = new SegmentedChoice(
        tr("Timer, Hz"), {QStringLiteral("100"), QStringLiteral("250"), QStringLiteral("1000")}, this);
    column->addWidget(timer_);
    heading(tr("Page placement"));
    placement_ = addCombo(tr("Page placement"));
    for (const PagePlacementInfo& info : page_placements())
        placement_->addItem(QString::fromUtf8(info.name), QString::fromUtf8(info.id));
    column->addStretch(1);

    connect(pair_, &QComboBox::activated, this, [this](int index) {
        change([&](DuelChoice& c) { c.pair = duel_pairs()[static_cast<std::size_t>(index)].id; });
    });
    const auto combo = [this](QComboBox* box, std::string DuelChoice::*field) {
        connect(box, &QComboBox::activated, this, [this, box, field](int) {
            change([&](DuelChoice& c) { c.*field = box->currentData().toString().toStdString(); });
        });
    };
    combo(workload_, &DuelChoice::workload);
    combo(processor_, &DuelChoice::processor);
    combo(placement_, &DuelChoice::placement);
    connect(workingSet_, &ParameterSlider::changed, this,
            [this](int kilobytes) { change([&](DuelChoice& c) { c.working_set = kilobytes * kKilo; }); });
    connect(timer_, &SegmentedChoice::changed, this,
            [this](int i) { change([&](DuelChoice& c) { c.hz = kTimers[static_cast<std::size_t>(i)]; }); });
}

template <typename Change>
void DuelControls::change(Change apply) {
    if (showing_) return;
    const DuelChoice before = choice_;
    apply(choice_);
    if (choice_ == before) return;
    // A 64-bit kernel does not run on a 32-bit processor.
    const DuelPair& pair = find_duel_pair(choice_.pair);
    for (const auto& spec : processors_)
        if (spec->id == choice_.processor && spec->long_mode != pair.long_mode) {
            choice_.processor = pair.processor;
            break;
        }
    show();
    Q_EMIT changed(choice_);
}

void DuelControls::setChoice(const DuelChoice& choice) {
    choice_ = choice;
    show();
}

void DuelControls::show() {
    showing_ = true;
    const DuelPair& pair = find_duel_pair(choice_.pair);
    pair_->setCurrentIndex(pair_->findData(QString::fromStdString(choice_.pair)));
    workload_->setCurrentIndex(workload_->findData(QString::fromStdString(choice_.workload)));
    processor_->clear();
    for (const auto& spec : processors_)
        if (spec->long_mode == pair.long_mode)
            processor_->addItem(QString::fromStdString(spec->title()), QString::fromStdString(spec->id));
    processor_->setCurrentIndex(processor_->findData(QString::fromStdString(choice_.processor)));
    placement_->setEnabled(!pair.placements[0]);
    placement_->setCurrentIndex(placement_->findData(QString::fromStdString(choice_.placement)));
    const auto at = std::find(kTimers.begin(), kTimers.end(), choice_.hz);
    timer_->setCurrent(at == kTimers.end() ? -1 : static_cast<int>(at - kTimers.begin()));
    workingSet_->setDefault(500, tr("where April 2004 looked"));
    workingSet_->setValue(static_cast<int>(choice_.working_set / kKilo + 0.5));
    showing_ = false;
}

} // namespace tlbscope
