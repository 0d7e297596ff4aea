#include "app/window/page_stack.h"

#include <QEvent>
#include <QLayout>

namespace tlbscope {

void PageStack::add(QWidget* page) {
    addWidget(page);
    fit();
}

void PageStack::show(int index) {
    setCurrentIndex(index);
    fit();
}

// The layout takes the largest page; one that is ignored counts as nothing.
void PageStack::fit() {
    for (int i = 0; i < count(); ++i) {
        const auto policy = i == currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        widget(i)->setSizePolicy(policy, policy);
    }
    updateGeometry();
}

QSize PageStack::sizeHint() const {
    return currentWidget() ? currentWidget()->sizeHint() : QSize();
}

QSize PageStack::minimumSizeHint() const {
    return currentWidget() ? currentWidget()->minimumSizeHint() : QSize();
}

bool PageStack::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QStackedWidget::event(event);
}

} // namespace tlbscope
