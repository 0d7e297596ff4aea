// "Present F5", with the menu of scenes behind its arrow.
#pragma once

#include <QToolButton>

namespace tlbscope {

struct Actions;

class PresentButton : public QToolButton {
    Q_OBJECT
public:
    PresentButton(const Actions& actions, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
};

} // namespace tlbscope
