#include "app/window/simulation_controls.h"

#include "app/window/choice_box.h"
#include "app/window/opening_scenario.h"
#include "app/window/parameter_slider.h"
#include "app/window/segmented_choice.h"
#include "app/window/themed_label.h"
#include "app/window/value_slider.h"
#include "engine/core/error.h"
#include "engine/kernel/flush_policy.h"
#include "views/format/format.h"
#include "views/theme/theme.h"

#include <QFrame>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace tlbscope {
namespace {

constexpr std::array kTimers{100, 250, 300, 1000};
constexpr int kMaxThreads = 256;

SiblingTlb siblingOf(Sharing sharing) {
    switch (sharing) {
    case Sharing::private_each:
        return SiblingTlb::private_each;
    case Sharing::split:
        return SiblingTlb::split;
    case Sharing::shared:
        break;
    }
    return SiblingTlb::shared;
}

int segmentOf(SiblingTlb sibling) {
    return static_cast<int>(sibling) - 1;
}

QString bytesOfPages(int pages) {
    return bytesText(static_cast<std::uint64_t>(pages) * kPageBytes);
}

} // namespace

SimulationControls::SimulationControls(const std::string& resources, QWidget* parent) : QWidget(parent) {
    for (const std::string& id : list_processors(resources))
        processors_.push_back(load_processor(resources, id));
    if (processors_.empty()) throw Error(resources + "/processors", "there is no processor file in it");
    build();
    showScenario();
}

void SimulationControls::addHeading(QVBoxLayout* column, const QString& text) {
    const Theme& t = Theme::current();
    if (column->count() > 0) {
        column->addSpacing(t.px(4));
        auto* line = new QFrame(this);
        line->setFrameShape(QFrame::HLine);
        line->setFrameShadow(QFrame::Plain);
        line->setForegroundRole(QPalette::Mid);
        column->addWidget(line);
    }
    column->addWidget(new ThemedLabel(text, FontRole::strong, Tone::text, this));
}

QComboBox* SimulationControls::addCombo(QVBoxLayout* column, const QString& name) {
    auto* combo = new ChoiceBox(name, this);
    column->addWidget(combo);
    return combo;
}

void SimulationControls::build() {
    const Theme& t = Theme::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(t.px(6));

    const auto pages = [](int n) { return pagesText(n); };
    const auto plain = [](int n) {
        return n < 0 ? QStringLiteral("−") + QString::number(-n) : QString::number(n);
    };

    addHeading(column, tr("Kernel"));
    policy_ = addCombo(column, tr("Kernel: rule for range or full flush"));
    for (const FlushPolicy& policy : flush_policies()) {
        policy_->addItem(QString::fromUtf8(policy.name), QString::fromUtf8(policy.id));
        policy_->setItemData(policy_->count() - 1, QString::fromUtf8(policy.source), Qt::ToolTipRole);
    }
    shift_ = new ParameterSlider(QStringLiteral("tlb_flushall_shift"), linearStops(-1, 12), plain, this);
    ceiling_ = new ParameterSlider(tr("Ceiling of single-page flushes"),
                                   logStops(1, 4096, 4, {0, 16, 32, kDefaultCeiling, 34, 129}), pages, this);
    ceiling_->setToolTip(QStringLiteral("tlb_single_page_flush_ceiling"));
    column->addWidget(shift_);
    column->addWidget(ceiling_);

    addHeading(column, tr("Workload"));
    workload_ =
        new SegmentedChoice(tr("Program"), {QStringLiteral("ebizzy"), QStringLiteral("mummap")}, this);
    threads_ = new ParameterSlider(
        tr("Threads"), logStops(1, kMaxThreads, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 24, 28}),
        plain, this);
    flushPages_ = new ParameterSlider(tr("Pages a flush"),
                                      logStops(1, 8192, 4, {33, 34, 128, 129, 130, 256, 257}), pages, this);
    workingSet_ = new ParameterSlider(tr("Working set"), logStops(16, 262144, 6, {1290}), bytesOfPages, this);
    freeing_ =
        new SegmentedChoice(tr("Freed by"), {QStringLiteral("munmap"), QStringLiteral("madvise")}, this);
    column->addWidget(workload_);
    column->addWidget(threads_);
    column->addWidget(flushPages_);
    column->addWidget(workingSet_);
    column->addWidget(freeing_);

    addHeading(column, tr("Machine"));
    processor_ = addCombo(column, tr("Processor"));
    for (const auto& spec : processors_)
        processor_->addItem(QStringLiteral("%1 · %2 × %3")
                                .arg(QString::fromStdString(spec->title()))
                                .arg(spec->topology.cores())
                                .arg(spec->topology.threads_per_core),
                            QString::fromStdString(spec->id));
    siblings_ = new SegmentedChoice(tr("Sibling TLBs"), {tr("private"), tr("split"), tr("shared")}, this);
    timer_ = new SegmentedChoice(
        tr("Timer, Hz"),
        {QStringLiteral("100"), QStringLiteral("250"), QStringLiteral("300"), QStringLiteral("1000")}, this);
    column->addWidget(siblings_);
    column->addWidget(timer_);
    auto* seedRow = new QHBoxLayout;
    seedRow->addWidget(new ThemedLabel(tr("Seed"), FontRole::body, Tone::dim, this));
    seed_ = new QSpinBox(this);
    seed_->setButtonSymbols(QAbstractSpinBox::NoButtons); // one types a seed
    seed_->setRange(0, 999999999);
    seed_->setAccessibleName(tr("Seed of the random numbers"));
    seed_->setKeyboardTracking(false);
    seed_->setFocusPolicy(Qt::StrongFocus);
    seedRow->addWidget(seed_, 1);
    column->addLayout(seedRow);
    column->addStretch(1);

    // Changes that need a new run say so.
    for (QWidget* w :
         std::initializer_list<QWidget*>{workload_, freeing_, processor_, siblings_, timer_, seed_})
        w->setStatusTip(tr("Takes effect with a new run, which starts at once"));

    connect(policy_, &QComboBox::activated, this, [this](int index) {
        change([&](Scenario& s) {
            s.policy = flush_policies()[static_cast<std::size_t>(index)].id;
            s.shift = s.ceiling = Scenario::kDefault;
        });
    });
    connect(shift_, &ParameterSlider::changed, this, [this](int v) {
        change([&](Scenario& s) { s.shift = v == shift_->defaultValue() ? Scenario::kDefault : v; });
    });
    connect(ceiling_, &ParameterSlider::changed, this, [this](int v) {
        change([&](Scenario& s) { s.ceiling = v == kDefaultCeiling ? Scenario::kDefault : v; });
    });
    connect(workload_, &SegmentedChoice::changed, this,
            [this](int i) { change([&](Scenario& s) { s.workload = i == 0 ? "ebizzy" : "mummap"; }); });
    connect(threads_, &ParameterSlider::changed, this,
            [this](int v) { change([&](Scenario& s) { s.threads = v; }); });
    connect(flushPages_, &ParameterSlider::changed, this,
            [this](int v) { change([&](Scenario& s) { s.flush_pages = v; }); });
    connect(workingSet_, &ParameterSlider::changed, this,
            [this](int v) { change([&](Scenario& s) { s.working_set_pages = v; }); });
    connect(freeing_, &SegmentedChoice::changed, this,
            [this](int i) { change([&](Scenario& s) { s.madvise = i; }); });
    connect(processor_, &QComboBox::activated, this, [this](int index) {
        change([&](Scenario& s) {
            s.processor = processors_[static_cast<std::size_t>(index)]->id;
            s.shift = Scenario::kDefault;
            s.sibling_tlb = SiblingTlb::processor;
            s.sockets = s.cores_per_socket = s.threads_per_core = 0;
        });
    });
    connect(siblings_, &SegmentedChoice::changed, this, [this](int i) {
        change([&](Scenario& s) {
            s.sibling_tlb =
                i == siblings_->defaultIndex() ? SiblingTlb::processor : static_cast<SiblingTlb>(i + 1);
        });
    });
    connect(timer_, &SegmentedChoice::changed, this,
            [this](int i) { change([&](Scenario& s) { s.hz = kTimers[static_cast<std::size_t>(i)]; }); });
    connect(seed_, &QSpinBox::valueChanged, this,
            [this](int v) { change([&](Scenario& s) { s.seed = static_cast<std::uint64_t>(v); }); });
}

template <typename Change>
void SimulationControls::change(Change apply) {
    if (showing_) return;
    const Scenario before = scenario_;
    apply(scenario_);
    if (scenario_ == before) return;
    showScenario();
    Q_EMIT scenarioChanged(scenario_);
}

void SimulationControls::setScenario(const Scenario& scenario) {
    scenario_ = scenario;
    showScenario();
}

const ProcessorSpec& SimulationControls::processor() const {
    for (const auto& spec : processors_)
        if (spec->id == scenario_.processor) return *spec;
    return *processors_.front();
}

bool SimulationControls::usesShift() const {
    return find_flush_policy(scenario_.policy).uses_shift;
}

bool SimulationControls::usesCeiling() const {
    return find_flush_policy(scenario_.policy).uses_ceiling;
}

int SimulationControls::effectiveShift() const {
    return scenario_.shift != Scenario::kDefault
               ? scenario_.shift
               : find_flush_policy(scenario_.policy).default_shift(processor());
}

int SimulationControls::effectiveCeiling() const {
    return scenario_.ceiling != Scenario::kDefault ? scenario_.ceiling : kDefaultCeiling;
}

void SimulationControls::showScenario() {
    showing_ = true;
    const FlushPolicy& policy = find_flush_policy(scenario_.policy);
    const ProcessorSpec& spec = processor();
    const Scenario defaults = openingScenario();
    policy_->setCurrentIndex(policy_->findData(QString::fromStdString(scenario_.policy)));
    policy_->setToolTip(QString::fromUtf8(policy.source));
    shift_->setVisible(policy.uses_shift);
    if (policy.uses_shift) {
        shift_->setDefault(policy.default_shift(spec), tr("kernel default"));
        shift_->setValue(effectiveShift());
    }
    ceiling_->setVisible(policy.uses_ceiling);
    ceiling_->setDefault(kDefaultCeiling, tr("kernel default"));
    ceiling_->setValue(effectiveCeiling());

    workload_->setCurrent(scenario_.workload == "mummap" ? 1 : 0);
    threads_->setDefault(defaults.threads, tr("start value"));
    threads_->setValue(scenario_.threads);
    flushPages_->setDefault(defaults.flush_pages, tr("program's own"));
    flushPages_->setValue(scenario_.flush_pages);
    workingSet_->setDefault(defaults.working_set_pages, tr("program's own"));
    workingSet_->setValue(scenario_.working_set_pages);
    freeing_->setVisible(scenario_.workload != "mummap");
    freeing_->setDefault(defaults.madvise, tr("start value"));
    freeing_->setCurrent(scenario_.madvise);

    processor_->setCurrentIndex(processor_->findData(QString::fromStdString(scenario_.processor)));
    siblings_->setEnabled(scenario_.threads_per_core == 0 ? spec.topology.threads_per_core > 1
                                                          : scenario_.threads_per_core > 1);
    siblings_->setDefault(segmentOf(siblingOf(spec.stlb.entries ? spec.stlb.sharing : spec.dtlb.sharing)),
                          tr("this processor's second level TLB"));
    siblings_->setCurrent(scenario_.sibling_tlb == SiblingTlb::processor ? siblings_->defaultIndex()
                                                                         : segmentOf(scenario_.sibling_tlb));
    timer_->setDefault(1, tr("kernel default"));
    const auto at = std::find(kTimers.begin(), kTimers.end(), scenario_.hz);
    timer_->setCurrent(at == kTimers.end() ? -1 : static_cast<int>(at - kTimers.begin()));
    seed_->setValue(static_cast<int>(std::min<std::uint64_t>(scenario_.seed, 999999999)));
    showConsequences();
    showing_ = false;
}

void SimulationControls::showConsequences() {
    const FlushPolicy& policy = find_flush_policy(scenario_.policy);
    const ProcessorSpec& spec = processor();
    FlushInput input;
    input.pages = scenario_.flush_pages;
    input.total_vm = 1u << 24;
    input.tlb_lld_4k = spec.tlb_lld_4k;
    input.tlb_lli_4k = spec.tlb_lli_4k;
    input.shift = policy.uses_shift ? effectiveShift() : -1;
    input.ceiling = effectiveCeiling();
    const FlushDecision decision = policy.decide(input);
    const QString limit = decision.threshold < 0
                              ? tr("always a full flush")
                              : tr("range flush up to %1").arg(pagesText(decision.threshold));
    shift_->setNote(limit);
    ceiling_->setNote(QString());
    workingSet_->setNote(pagesText(scenario_.working_set_pages));
    flushPages_->setNote(decision.full ? tr("over it: full flush") : tr("within it: range flush"));
}

} // namespace tlbscope
