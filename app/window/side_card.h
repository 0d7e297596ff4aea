// A column of controls on a card, with a title and a scroll bar where it does not fit.
#pragma once

#include <QWidget>

class QScrollArea;

namespace tlbscope {

class ThemedLabel;

class SideCard : public QWidget {
    Q_OBJECT
public:
    SideCard(const QString& title, QWidget* content, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();

    QWidget* content_;
    QScrollArea* scroll_;
};

} // namespace tlbscope
