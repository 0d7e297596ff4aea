// The line at the top of the side-by-side page: transport, time, speed, and in which step both go.
#pragma once

#include "engine/session/duel.h"

#include <QWidget>

namespace tlbscope {

struct Actions;
class SegmentedChoice;
class ThemedLabel;
class TransportButton;
class ValueSlider;

class DuelBar : public QWidget {
    Q_OBJECT
public:
    DuelBar(const Actions& actions, QWidget* parent = nullptr);

    void show(const DuelSnapshot& snapshot);
    void setPresenting(bool on);                  // large type leaves less room
    void setSpeed(double simulatedPerHostSecond); // no signal
    double speed() const;
    ValueSlider* speedSlider() const { return speed_; }
    SegmentedChoice* lockstep() const { return lockstep_; } // by work, by time

Q_SIGNALS:
    void speedChanged(double simulatedPerHostSecond);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    void showSpeed();

    TransportButton* play_;
    ThemedLabel *time_, *place_, *speedText_;
    ValueSlider* speed_;
    SegmentedChoice* lockstep_;
    QString measured_;
    bool presenting_ = false;
};

} // namespace tlbscope
