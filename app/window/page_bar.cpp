#include "app/window/page_bar.h"

#include "app/window/actions.h"
#include "app/window/page_stack.h"
#include "app/window/segmented_choice.h"
#include "views/theme/theme.h"
#include "views/theme/theme_notifier.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace tlbscope {

void paintBar(QWidget& bar) {
    const Theme& t = Theme::current();
    QPainter p(&bar);
    const int bottom = bar.height() - t.px(PageBar::kGap);
    p.fillRect(bar.rect(), t.window);
    p.fillRect(0, 0, bar.width(), bottom, t.panel);
    p.fillRect(0, bottom - 1, bar.width(), 1, t.border);
}

PageBar::PageBar(const Actions& actions, QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->setSizeConstraint(QLayout::SetNoConstraint); // see minimumSizeHint()
    const std::array pages{actions.machinePage, actions.curvePage, actions.duelPage};
    QStringList names;
    for (const QAction* action : pages)
        names << action->text().remove(u'&');
    choice_ = new SegmentedChoice(tr("Page"), names, this);
    choice_->setNameShown(false);
    choice_->setProminent(true);
    for (int i = 0; i < names.size(); ++i)
        choice_->setTip(i, pages[static_cast<std::size_t>(i)]->toolTip());
    bars_ = new PageStack(this);
    row->addWidget(choice_);
    row->addWidget(bars_, 1);
    connect(choice_, &SegmentedChoice::changed, this,
            [pages](int index) { pages[static_cast<std::size_t>(index)]->trigger(); });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &PageBar::restyle);
    restyle();
}

void PageBar::setBar(Page, QWidget* bar) {
    bars_->add(bar);
}

void PageBar::show(Page page) {
    choice_->setCurrent(static_cast<int>(page));
    bars_->show(static_cast<int>(page));
}

QSize PageBar::minimumSizeHint() const {
    return bars_->minimumSizeHint().expandedTo({0, choice_->sizeHint().height()});
}

void PageBar::fit() {
    choice_->setVisible(choice_->sizeHint().width() + bars_->minimumSizeHint().width() <= width());
}

void PageBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

bool PageBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fit();
    return QWidget::event(event);
}

void PageBar::restyle() {
    const Theme& t = Theme::current();
    choice_->setContentsMargins(t.px(14), 0, 0, t.px(kGap));
}

void PageBar::paintEvent(QPaintEvent*) {
    paintBar(*this);
}

} // namespace tlbscope
