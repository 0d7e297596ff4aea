// The column of the curve page: which figure, on which machine, from how many runs.
#pragma once

#include "app/window/figure_presets.h"
#include "engine/hardware/processor.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;

namespace tlbscope {

class ParameterSlider;
class SegmentedChoice;
class ThemedLabel;

class CurveControls : public QWidget {
    Q_OBJECT
public:
    // Throws Error when there are no processors.
    CurveControls(const std::string& resources, QWidget* parent);

    const FigureChoice& choice() const { return choice_; }
    void setChoice(const FigureChoice& choice); // no signal
    // What runs, and how far it is: "96 of 512 runs".
    void setProgress(const QString& text);
    const ProcessorSpec& processor() const;
    QComboBox* preset() const { return preset_; }
    ParameterSlider* l2() const { return l2_; }

Q_SIGNALS:
    void changed(const FigureChoice& choice);

private:
    void build();
    QComboBox* addCombo(const QString& name);
    void show();
    template <typename Change>
    void change(Change apply);

    std::vector<std::shared_ptr<const ProcessorSpec>> processors_;
    FigureChoice choice_;
    bool showing_ = false;
    QComboBox *preset_, *processor_, *workload_, *placement_;
    ThemedLabel *about_, *placementAbout_, *progress_;
    ParameterSlider* l2_;
    SegmentedChoice *seeds_, *points_;
};

} // namespace tlbscope
