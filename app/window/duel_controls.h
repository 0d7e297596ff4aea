// The column of the side-by-side page: which machines, which program, how large.
#pragma once

#include "app/window/duel_pairs.h"
#include "engine/hardware/processor.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;

namespace tlbscope {

class ParameterSlider;
class SegmentedChoice;

class DuelControls : public QWidget {
    Q_OBJECT
public:
    DuelControls(const std::string& resources, QWidget* parent);

    const DuelChoice& choice() const { return choice_; }
    void setChoice(const DuelChoice& choice); // no signal
    QComboBox* pair() const { return pair_; }
    ParameterSlider* workingSet() const { return workingSet_; }

Q_SIGNALS:
    void changed(const DuelChoice& choice);

private:
    QComboBox* addCombo(const QString& name);
    void build();
    void show();
    template <typename Change>
    void change(Change apply);

    std::vector<std::shared_ptr<const ProcessorSpec>> processors_;
    DuelChoice choice_;
    bool showing_ = false;
    QComboBox *pair_, *workload_, *processor_, *placement_;
    ParameterSlider* workingSet_;
    SegmentedChoice* timer_;
};

} // namespace tlbscope
