// The line at the top: the choice of the page, and the bar of the page that is shown.
#pragma once

#include "app/window/page.h"

#include <QWidget>

namespace tlbscope {

struct Actions;
class PageStack;
class SegmentedChoice;

class PageBar : public QWidget {
    Q_OBJECT
public:
    static constexpr int kGap = 10; // of window between the bar and the cards, in px() units

    PageBar(const Actions& actions, QWidget* parent = nullptr);

    void setBar(Page page, QWidget* bar); // in the order of kPages
    void show(Page page);
    SegmentedChoice* choice() const { return choice_; }
    // The choice gives way where the page's bar would not fit beside it: menu and keys choose as well.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    void fit();

    SegmentedChoice* choice_;
    PageStack* bars_;
};

// Paints the bar's surface, also for the bars in it.
void paintBar(QWidget& bar);

} // namespace tlbscope
