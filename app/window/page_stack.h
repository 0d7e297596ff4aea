// A stack that asks for the room of the page it shows, not for that of the largest.
#pragma once

#include <QStackedWidget>

namespace tlbscope {

class PageStack : public QStackedWidget {
    Q_OBJECT
public:
    using QStackedWidget::QStackedWidget;

    void add(QWidget* page);
    void show(int index);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    void fit();
};

} // namespace tlbscope
