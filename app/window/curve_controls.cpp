#include "app/window/curve_controls.h"

#include "app/window/choice_box.h"
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

constexpr std::array kSeeds{1, 4, 16};
constexpr std::array kPoints{16, 32, 64};

QString kibText(int kib) {
    return kib < 1024 ? QStringLiteral("%1 KiB").arg(kib) : QStringLiteral("%1 MiB").arg(kib / 1024);
}

QStringList numbers(const auto& values) {
    QStringList list;
    for (const int v : values)
        list << QString::number(v);
    return list;
}

int indexOf(const auto& values, int value) {
    const auto at = std::find(values.begin(), values.end(), value);
    return at == values.end() ? -1 : static_cast<int>(at - values.begin());
}

bool hasLaps(const char* workload) {
    try {
        curve_axis(workload);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

CurveControls::CurveControls(const std::string& resources, QWidget* parent) : QWidget(parent) {
    for (const std::string& id : list_processors(resources))
        processors_.push_back(load_processor(resources, id));
    if (processors_.empty()) throw Error(resources + "/processors", "there is no processor file in it");
    build();
    show();
}

QComboBox* CurveControls::addCombo(const QString& name) {
    return new ChoiceBox(name, this);
}

void CurveControls::build() {
    const Theme& t = Theme::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(t.px(6));
    const auto heading = [&](const QString& text) {
        if (column->count() > 0) column->addSpacing(t.px(8));
        column->addWidget(new ThemedLabel(text, FontRole::strong, Tone::text, this));
    };
    const auto note = [&] {
        auto* label = new ThemedLabel({}, FontRole::small, Tone::dim, this);
        label->setWordWrap(true);
        column->addWidget(label);
        return label;
    };

    heading(tr("Lines"));
    preset_ = addCombo(tr("Lines of the figure"));
    for (const FigurePreset& preset : figure_presets())
        preset_->addItem(QString::fromUtf8(preset.name), QString::fromUtf8(preset.id));
    column->addWidget(preset_);
    about_ = note();

    heading(tr("Program"));
    workload_ = addCombo(tr("Program"));
    for (const WorkloadInfo& info : workloads())
        if (hasLaps(info.id)) workload_->addItem(QString::fromUtf8(info.name), QString::fromUtf8(info.id));
    column->addWidget(workload_);

    heading(tr("Machine"));
    processor_ = addCombo(tr("Processor"));
    column->addWidget(processor_);
    l2_ = new ParameterSlider(tr("L2"), {128, 256, 512, 1024, 2048, 4096}, kibText, this);
    column->addWidget(l2_);

    heading(tr("Page placement"));
    placement_ = addCombo(tr("Page placement"));
    for (const PagePlacementInfo& info : page_placements())
        placement_->addItem(QString::fromUtf8(info.name), QString::fromUtf8(info.id));
    column->addWidget(placement_);
    placementAbout_ = note();

    heading(tr("Runs"));
    seeds_ = new SegmentedChoice(tr("Placements a point"), numbers(kSeeds), this);
    points_ = new SegmentedChoice(tr("Points a line"), numbers(kPoints), this);
    column->addWidget(seeds_);
    column->addWidget(points_);
    progress_ = note();
    column->addStretch(1);

    connect(preset_, &QComboBox::activated, this, [this](int index) {
        change([&](FigureChoice& c) { c.preset = figure_presets()[static_cast<std::size_t>(index)].id; });
    });
    connect(workload_, &QComboBox::activated, this, [this](int) {
        change([&](FigureChoice& c) { c.workload = workload_->currentData().toString().toStdString(); });
    });
    connect(processor_, &QComboBox::activated, this, [this](int) {
        change([&](FigureChoice& c) {
            c.processor = processor_->currentData().toString().toStdString();
            c.l2_kib = 0;
        });
    });
    connect(placement_, &QComboBox::activated, this, [this](int) {
        change([&](FigureChoice& c) { c.placement = placement_->currentData().toString().toStdString(); });
    });
    connect(l2_, &ParameterSlider::changed, this, [this](int kib) {
        change([&](FigureChoice& c) { c.l2_kib = kib == l2_->defaultValue() ? 0 : kib; });
    });
    connect(seeds_, &SegmentedChoice::changed, this, [this](int i) {
        change([&](FigureChoice& c) { c.seeds = kSeeds[static_cast<std::size_t>(i)]; });
    });
    connect(points_, &SegmentedChoice::changed, this, [this](int i) {
        change([&](FigureChoice& c) { c.points = kPoints[static_cast<std::size_t>(i)]; });
    });
}

template <typename Change>
void CurveControls::change(Change apply) {
    if (showing_) return;
    const FigureChoice before = choice_;
    apply(choice_);
    if (choice_ == before) return;
    // A 64-bit kernel does not run on a 32-bit processor.
    const FigurePreset& preset = find_figure_preset(choice_.preset);
    if (processor().long_mode != preset.long_mode) {
        choice_.processor = preset.processor;
        choice_.l2_kib = 0;
    }
    show();
    Q_EMIT changed(choice_);
}

void CurveControls::setChoice(const FigureChoice& choice) {
    choice_ = choice;
    show();
}

const ProcessorSpec& CurveControls::processor() const {
    for (const auto& spec : processors_)
        if (spec->id == choice_.processor) return *spec;
    return *processors_.front();
}

void CurveControls::setProgress(const QString& text) {
    if (progress_->text() != text) progress_->setText(text);
}

void CurveControls::show() {
    showing_ = true;
    const FigurePreset& preset = find_figure_preset(choice_.preset);
    preset_->setCurrentIndex(preset_->findData(QString::fromStdString(choice_.preset)));
    about_->setText(QString::fromUtf8(preset.about));
    workload_->setCurrentIndex(workload_->findData(QString::fromStdString(choice_.workload)));
    processor_->clear();
    for (const auto& spec : processors_)
        if (spec->long_mode == preset.long_mode)
            processor_->addItem(QString::fromStdString(spec->title()), QString::fromStdString(spec->id));
    processor_->setCurrentIndex(processor_->findData(QString::fromStdString(choice_.processor)));
    const int own = static_cast<int>(processor().l2.bytes / 1024);
    l2_->setDefault(own, tr("processor's own"));
    l2_->setValue(choice_.l2_kib ? choice_.l2_kib : own);
    placement_->setEnabled(!preset.placements);
    placement_->setCurrentIndex(placement_->findData(QString::fromStdString(choice_.placement)));
    placementAbout_->setText(
        preset.placements
            ? tr("The lines differ in it.")
            : QString::fromUtf8(
                  page_placements()[static_cast<std::size_t>(std::max(0, placement_->currentIndex()))]
                      .description));
    seeds_->setCurrent(indexOf(kSeeds, choice_.seeds));
    points_->setCurrent(indexOf(kPoints, choice_.points));
    showing_ = false;
}

} // namespace tlbscope
