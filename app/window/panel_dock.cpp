#include "app/window/panel_dock.h"

#include "app/window/themed_label.h"
#include "views/panels/panel.h"
#include "views/theme/theme_notifier.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPainter>
#include <QToolButton>

namespace tlbscope {

PanelDock::PanelDock(const QString& id, const QString& title, QWidget* content, bool margins, QWidget* parent)
    : QDockWidget(title, parent), bar_(new QWidget(this)), content_(content),
      title_(new ThemedLabel(title, FontRole::title, Tone::text, bar_)),
      aside_(new ThemedLabel({}, FontRole::small, Tone::dim, bar_)), margins_(margins) {
    setObjectName(id);
    setAccessibleName(title);
    auto* row = new QHBoxLayout(bar_);
    row->addWidget(title_);
    row->addWidget(aside_, 1);
    aside_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    aside_->setMinimumWidth(1);
    aside_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    aside_->installEventFilter(this);
    setTitleBarWidget(bar_);
    auto* frame = new QWidget(this);
    auto* column = new QVBoxLayout(frame);
    column->addWidget(content);
    // A small window squeezes its panels rather than growing beyond the screen.
    content->setMinimumSize(1, Theme::current().px(40));
    setWidget(frame);
    connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
        onScreen_ = visible;
        if (visible) Q_EMIT appeared();
        QMetaObject::invokeMethod(this, &PanelDock::showTitle, Qt::QueuedConnection);
    });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &PanelDock::restyle);
    restyle();
}

PanelDock::PanelDock(const QString& id, Panel* panel, QWidget* parent)
    : PanelDock(id, panel->title(), panel, true, parent) {
    panel->setFramed(false);
    const auto caption = [this, panel] {
        setHeading(panel->title());
        setAside(panel->contextChoices());
    };
    connect(panel, &Panel::captionChanged, this, caption);
    caption();
}

// A tab above says the name already.
void PanelDock::showTitle() {
    const auto* window = qobject_cast<QMainWindow*>(parentWidget());
    const bool alone = isFloating() || !window || window->tabifiedDockWidgets(this).isEmpty();
    const bool silent = asideTexts_.isEmpty() || asideTexts_.first().isEmpty();
    title_->setVisible(alone);
    aside_->setVisible(!silent);
    const Theme& t = Theme::current();
    const bool empty = !alone && silent;
    bar_->layout()->setContentsMargins(t.px(14), t.px(empty ? 6 : 9), t.px(14), t.px(empty ? 0 : 5));
}

void PanelDock::setHeading(const QString& title) {
    title_->setText(title);
    nameTab();
}

void PanelDock::setTabName(const QString& name) {
    tabName_ = name;
    nameTab();
}

void PanelDock::nameTab() {
    setWindowTitle(tabName_.isEmpty() ? title_->text() : tabName_);
    toggleViewAction()->setText(title_->text());
}

void PanelDock::setAside(const QStringList& alternatives) {
    if (alternatives == asideTexts_) return;
    asideTexts_ = alternatives;
    showTitle();
    elide();
}

void PanelDock::elide() {
    const QFontMetrics metrics = aside_->fontMetrics();
    const int room = std::max(aside_->width(), 1);
    QString shown;
    for (const QString& text : asideTexts_)
        if (shown.isEmpty() && metrics.horizontalAdvance(text) <= room) shown = text;
    if (shown.isEmpty() && !asideTexts_.isEmpty())
        shown = metrics.elidedText(asideTexts_.last(), Qt::ElideRight, room);
    if (shown != aside_->text()) aside_->setText(shown);
    aside_->setToolTip(asideTexts_.isEmpty() || shown == asideTexts_.first() ? QString()
                                                                             : asideTexts_.first());
}

bool PanelDock::eventFilter(QObject* object, QEvent* event) {
    if (object == aside_ && event->type() == QEvent::Resize) elide();
    return QDockWidget::eventFilter(object, event);
}

void PanelDock::restyle() {
    const Theme& t = Theme::current();
    const int side = t.px(14);
    showTitle();
    const int edge = margins_ ? side : t.px(3);
    widget()->layout()->setContentsMargins(edge, 0, edge, margins_ ? t.px(10) : t.px(4));
    update();
}

void PanelDock::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::current();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.fillRect(rect(), t.window);
    p.setPen(QPen(t.border, 1));
    p.setBrush(t.panel);
    p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.px(7), t.px(7));
}

} // namespace tlbscope
