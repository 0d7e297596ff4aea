// A few choices side by side, one of them taken; the default carries a dot.
#pragma once

#include <QWidget>

class QButtonGroup;
class QToolButton;

namespace tlbscope {

class ThemedLabel;

class SegmentedChoice : public QWidget {
    Q_OBJECT
public:
    SegmentedChoice(const QString& name, const QStringList& choices, QWidget* parent = nullptr);

    int current() const;
    void setCurrent(int index); // no signal
    void setDefault(int index, const QString& whose);
    void setTip(int index, const QString& tip);
    void setNameShown(bool shown);
    // Larger type, for a choice that is more than a parameter.
    void setProminent(bool prominent);
    QToolButton* button(int index) const { return buttons_[index]; }
    int defaultIndex() const { return default_; }

Q_SIGNALS:
    void changed(int index);

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void restyle();

    ThemedLabel* label_;
    QButtonGroup* group_;
    QList<QToolButton*> buttons_;
    QStringList choices_;
    int default_ = -1;
    bool prominent_ = false;
    QString whose_;
};

} // namespace tlbscope
