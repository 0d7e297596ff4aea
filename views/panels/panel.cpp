#include "views/panels/panel.h"

#include "views/theme/theme_notifier.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace tlbscope {

int lineHeight(FontRole role) {
    return static_cast<int>(std::ceil(QFontMetricsF(Theme::current().font(role)).height()));
}

int textWidth(FontRole role, const QString& text) {
    return static_cast<int>(std::ceil(QFontMetricsF(Theme::current().font(role)).horizontalAdvance(text)));
}

void drawLine(QPainter& painter, const QRect& box, FontRole role, const QColor& color, const QString& text,
              Qt::Alignment align) {
    if (box.width() <= 0) return;
    const QFont& font = Theme::current().font(role);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(box, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, box.width() + 0.5));
}

void paintProgressLine(QPainter& painter, const QRect& content, int height, double share) {
    if (!(share >= 0 && share < 1)) return;
    const Theme& t = Theme::current();
    const QRect bar(content.left(), height - t.px(7), content.width(), t.px(3));
    painter.fillRect(bar, t.emptyCell);
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), t.accent);
}

Panel::Panel(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
    setAccessibleName(title);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        themeChanged();
        updateGeometry();
        update();
    });
}

void Panel::setTitle(const QString& title) {
    if (title == title_) return;
    title_ = title;
    setAccessibleName(title);
    Q_EMIT captionChanged();
    refresh();
}

void Panel::setTitleShown(bool shown) {
    titleShown_ = shown;
    updateGeometry();
    update();
}

void Panel::setFramed(bool framed) {
    framed_ = framed;
    updateGeometry();
    update();
}

void Panel::setContextChoices(const QStringList& alternatives) {
    if (alternatives == context_) return;
    context_ = alternatives;
    Q_EMIT captionChanged();
    refresh();
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    shown();
}

int Panel::titleHeight() const {
    if (!framed_) return 0;
    return titleShown_ || !context_.isEmpty() ? lineHeight(FontRole::title) + Theme::current().px(8) : 0;
}

QRect Panel::contentRect() const {
    if (!framed_) return rect();
    const Theme& t = Theme::current();
    return rect().adjusted(t.px(14), t.px(10) + titleHeight(), -t.px(14), -t.px(10));
}

void Panel::paintEvent(QPaintEvent*) {
    ++frames_;
    const Theme& t = Theme::current();
    QPainter painter(this);
    if (!framed_) {
        painter.fillRect(rect(), t.panel);
        paintContent(painter, rect());
        return;
    }
    painter.fillRect(rect(), t.window);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.border, 1));
    painter.setBrush(t.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.px(8), t.px(8));
    painter.setRenderHint(QPainter::Antialiasing, false);
    QRect line(t.px(14), t.px(10), width() - 2 * t.px(14), lineHeight(FontRole::title));
    if (titleShown_) {
        drawLine(painter, line, FontRole::title, t.text, title_);
        line.setLeft(line.left() + textWidth(FontRole::title, title_) + t.px(12));
    }
    for (const QString& text : context_)
        if (&text == &context_.back() || textWidth(FontRole::small, text) <= line.width()) {
            drawLine(painter, line, FontRole::small, t.dim, text,
                     titleShown_ ? Qt::AlignRight : Qt::AlignLeft);
            break;
        }
    paintContent(painter, contentRect());
}

} // namespace tlbscope
