// The line at the top: transport, time, speed, what is running, the two big buttons.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace tlbscope {

struct Actions;
class ThemedLabel;
class TransportButton;
class ValueSlider;

class TransportBar : public QWidget {
    Q_OBJECT
public:
    TransportBar(const Actions& actions, QWidget* parent = nullptr);

    void show(const Snapshot& snapshot);
    void setPresenting(bool on);
    void setSpeed(double speed); // no signal
    double speed() const;
    ValueSlider* speedSlider() const { return speed_; }
    QLineEdit* timeField() const { return time_; }

Q_SIGNALS:
    void speedChanged(double simulatedPerHostSecond);
    void jumpRequested(const QString& place);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void restyle();
    void showSpeed();
    void elide();

    TransportButton* play_;
    QLineEdit* time_;
    ThemedLabel *place_, *speedText_, *title_, *subtitle_;
    ValueSlider* speed_;
    QPushButton* open_;
    bool presenting_ = false;
    QString timeText_, titleText_, subtitleText_, measured_;
};

} // namespace tlbscope
