// The parameters of the simulated kernel, workload and machine. Every change is announced at once.
#pragma once

#include "engine/hardware/processor.h"
#include "engine/simulation/scenario.h"

#include <QWidget>

class QComboBox;
class QSpinBox;
class QVBoxLayout;

namespace tlbscope {

class ParameterSlider;
class SegmentedChoice;

class SimulationControls : public QWidget {
    Q_OBJECT
public:
    // Throws Error when a processor's file is bad or there is none.
    explicit SimulationControls(const std::string& resources, QWidget* parent = nullptr);

    const Scenario& scenario() const { return scenario_; }
    void setScenario(const Scenario& scenario); // no signal

    // What the kernel makes of kDefault, and what a chart marks.
    int effectiveShift() const;
    int effectiveCeiling() const;
    bool usesShift() const;
    bool usesCeiling() const;
    const ProcessorSpec& processor() const;

    ParameterSlider* shift() const { return shift_; }
    ParameterSlider* ceiling() const { return ceiling_; }
    ParameterSlider* threads() const { return threads_; }
    ParameterSlider* flushPages() const { return flushPages_; }
    ParameterSlider* workingSet() const { return workingSet_; }

Q_SIGNALS:
    void scenarioChanged(const tlbscope::Scenario& scenario);

private:
    void build();
    QComboBox* addCombo(QVBoxLayout* column, const QString& name);
    void addHeading(QVBoxLayout* column, const QString& text);
    void showScenario();
    void showConsequences();
    template <typename Change>
    void change(Change apply);

    std::vector<std::shared_ptr<const ProcessorSpec>> processors_;
    Scenario scenario_;
    bool showing_ = false;

    QComboBox* policy_ = nullptr;
    QComboBox* processor_ = nullptr;
    ParameterSlider *shift_ = nullptr, *ceiling_ = nullptr, *threads_ = nullptr, *flushPages_ = nullptr,
                    *workingSet_ = nullptr;
    SegmentedChoice *workload_ = nullptr, *freeing_ = nullptr, *siblings_ = nullptr, *timer_ = nullptr;
    QSpinBox* seed_ = nullptr;
};

} // namespace tlbscope
