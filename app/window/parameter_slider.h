// One numeric parameter: name, value with its unit (which can be typed), slider, default marked.
#pragma once

#include "app/window/stops.h"

#include <QWidget>

#include <functional>

class QLineEdit;

namespace tlbscope {

class ThemedLabel;
class ValueSlider;

class ParameterSlider : public QWidget {
    Q_OBJECT
public:
    // `unit` writes a value with its unit: 129 -> "129 pages".
    ParameterSlider(const QString& name, Stops stops, std::function<QString(int)> unit,
                    QWidget* parent = nullptr);

    int value() const { return value_; }
    void setValue(int value);                         // no signal
    void choose(int value);                           // as if typed
    void setDefault(int value, const QString& whose); // marked and said in the note: "kernel default 1"
    int defaultValue() const { return default_; }
    // A line below the slider, for what follows from the value.
    void setNote(const QString& note);
    ValueSlider* slider() const { return slider_; }

Q_SIGNALS:
    void changed(int value);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void take(int value);
    void reset();
    void showValue();
    void showNote();
    void typed();
    void restyle();

    QString name_;
    Stops stops_;
    std::function<QString(int)> unit_;
    ThemedLabel* label_;
    QLineEdit* edit_;
    ValueSlider* slider_;
    ThemedLabel* note_;
    QString noteText_, whose_;
    int value_ = 0, default_ = 0;
    bool hasDefault_ = false;
};

} // namespace tlbscope
