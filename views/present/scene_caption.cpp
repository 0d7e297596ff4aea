#include "views/present/scene_caption.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

// Larger than anything around it: it is read from the last row.
constexpr double kHeadline = 1.75, kBody = 1.4, kSource = 1.05, kSmallest = 0.6;

QFont sized(FontRole role, double factor, double shrink) {
    QFont font = Theme::current().font(role);
    font.setPointSizeF(font.pointSizeF() * factor * shrink);
    return font;
}

int wrapped(const QFont& font, const QString& text, int width) {
    if (text.isEmpty()) return 0;
    return static_cast<int>(std::ceil(
        QFontMetricsF(font)
            .boundingRect(QRectF(0, 0, std::max(1, width), 1e6), Qt::AlignLeft | Qt::TextWordWrap, text)
            .height()));
}

qint64 overlap(const QRect& a, const QRect& b) {
    const QRect both = a.intersected(b);
    return both.isEmpty() ? 0 : qint64{both.width()} * both.height();
}

} // namespace

SceneCaption::SceneCaption(QWidget* parent) : Panel(tr("Scene"), parent) {
    setTitleShown(false);
    setFramed(false);
    hint_ = tr("space → next · ← back · Esc end");
    setFocusPolicy(Qt::NoFocus);
}

void SceneCaption::setText(const SceneCaptionText& text) {
    if (text == text_) return;
    text_ = text;
    shrink_ = 0;
    QString spoken;
    if (text.step > 0) spoken = tr("Step %1 of %2. ").arg(text.step).arg(text.steps);
    setAccessibleName(text.headline.isEmpty() ? title() : text.headline);
    setAccessibleDescription(spoken + text.body + (text.source.isEmpty() ? QString() : u'\n' + text.source));
    updateGeometry();
    refresh();
}

void SceneCaption::setHint(const QString& hint) {
    if (hint == hint_) return;
    hint_ = hint;
    shrink_ = 0;
    updateGeometry();
    refresh();
}

int SceneCaption::padding() const {
    return Theme::current().px(18);
}

SceneCaption::Fonts SceneCaption::fonts(double shrink) {
    return {sized(FontRole::title, kHeadline, shrink), sized(FontRole::body, kBody, shrink),
            sized(FontRole::small, kSource, shrink), sized(FontRole::strong, kSource, shrink)};
}

SceneCaption::Blocks SceneCaption::layOut(const QRect& box, const Fonts& fonts) const {
    const Theme& t = Theme::current();
    Blocks b;
    int y = box.top();
    const int line = static_cast<int>(std::ceil(QFontMetricsF(fonts.number).height()));
    if (text_.step > 0 || !hint_.isEmpty()) {
        const QString number = text_.step > 0 ? tr("%1 / %2").arg(text_.step).arg(text_.steps) : QString();
        const int width = static_cast<int>(std::ceil(QFontMetricsF(fonts.number).horizontalAdvance(number)));
        b.number = QRect(box.left(), y, width, line);
        const int hint = static_cast<int>(std::ceil(QFontMetricsF(fonts.source).horizontalAdvance(hint_)));
        const int left = b.number.right() + t.px(14), dots = std::max(0, text_.steps) * t.px(14) + t.px(12);
        if (left + dots <= box.right()) b.dots = QRect(left, y, dots, line);
        // The hint is the first to go where the side is narrow.
        if (left + dots + t.px(16) + hint <= box.right())
            b.hint = QRect(box.right() + 1 - hint, y, hint, line);
        y += line + t.px(8);
    }
    b.headline = QRect(box.left(), y, box.width(), wrapped(fonts.headline, text_.headline, box.width()));
    if (!text_.headline.isEmpty()) y = b.headline.bottom() + 1 + t.px(6);
    b.body = QRect(box.left(), y, box.width(), wrapped(fonts.body, text_.body, box.width()));
    if (!text_.body.isEmpty()) y = b.body.bottom() + 1 + t.px(8);
    b.source = QRect(box.left(), y, box.width(), wrapped(fonts.source, text_.source, box.width()));
    if (!text_.source.isEmpty()) y = b.source.bottom() + 1;
    b.height = y - box.top();
    return b;
}

int SceneCaption::heightFor(int width) const {
    const int pad = padding();
    return layOut(QRect(0, 0, std::max(1, width - 2 * pad), 1), fonts(1)).height + 2 * pad;
}

QSize SceneCaption::sizeHint() const {
    const int width = Theme::current().px(900);
    return {width, heightFor(width)};
}

QSize SceneCaption::minimumSizeHint() const {
    return {Theme::current().px(240), Theme::current().px(90)};
}

QRect SceneCaption::place(const QRect& window, const QRect& target, int margin) const {
    const QRect area = window.adjusted(margin, margin, -margin, -margin);
    const int wide = area.width(), most = std::max(1, window.height() / 2),
              high = std::min({heightFor(wide), most, area.height()});
    // At a side: a third of the width, as high as the text then is.
    const int narrow =
        std::clamp(area.width() / 3, std::min(area.width(), minimumSizeHint().width()), area.width());
    const int tall = std::min(heightFor(narrow), area.height());
    const int middle = area.top() + (area.height() - tall) / 2;
    const QRect choices[] = {
        QRect(area.left(), area.bottom() + 1 - high, wide, high), QRect(area.left(), area.top(), wide, high),
        QRect(area.right() + 1 - narrow, middle, narrow, tall), QRect(area.left(), middle, narrow, tall)};
    const QRect* best = &choices[0];
    if (!target.isEmpty())
        for (const QRect& choice : choices)
            if (overlap(choice, target) < overlap(*best, target)) best = &choice;
    return *best;
}

double SceneCaption::shrink() const {
    if (shrink_ > 0 && shrunkFor_ == size()) return shrink_;
    shrunkFor_ = size();
    const QRect box = rect().adjusted(padding(), padding(), -padding(), -padding());
    for (shrink_ = 1; shrink_ > kSmallest + 0.001; shrink_ -= 0.05)
        if (layOut(box, fonts(shrink_)).height <= box.height()) break;
    return shrink_;
}

void SceneCaption::themeChanged() {
    shrink_ = 0;
}

void SceneCaption::paintDots(QPainter& painter, const QRect& box) const {
    const Theme& t = Theme::current();
    const double r = t.px(3.5), step = t.px(14), y = box.center().y() + 0.5;
    double x = box.left() + r;
    painter.setPen(Qt::NoPen);
    for (int i = 1; i <= text_.steps; ++i) {
        const bool now = i == text_.step;
        painter.setBrush(now ? t.accent : i < text_.step ? t.dim : mix(t.card, t.faint, 0.45));
        if (now) { // longer, not only of another colour
            painter.drawRoundedRect(QRectF(x - r, y - r, 2 * r + t.px(9), 2 * r), r, r);
            x += t.px(9);
        } else {
            painter.drawEllipse(QPointF(x, y), r, r);
        }
        x += step;
    }
}

void SceneCaption::paintContent(QPainter& painter, const QRect&) {
    const Theme& t = Theme::current();
    painter.fillRect(rect(), t.card);
    painter.fillRect(QRect(0, 0, width(), 1), t.border);
    // The stripe that says: this is the speaker, not the machine.
    painter.fillRect(QRect(0, 0, t.px(4), height()), t.accent);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect box = rect().adjusted(padding(), padding(), -padding(), -padding());
    const Fonts f = fonts(shrink());
    const Blocks b = layOut(box, f);
    const auto write = [&](const QRect& where, const QFont& font, const QColor& color, const QString& text,
                           int flags) {
        if (text.isEmpty() || where.isEmpty()) return;
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(where, flags, text);
    };
    const int line = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
              block = Qt::AlignLeft | Qt::TextWordWrap;
    if (text_.step > 0) {
        write(b.number, f.number, readable(t.accent, t.card), tr("%1 / %2").arg(text_.step).arg(text_.steps),
              line);
        if (!b.dots.isEmpty()) paintDots(painter, b.dots);
    }
    write(b.hint, f.source, t.faint, hint_, line);
    write(b.headline, f.headline, t.text, text_.headline, block);
    write(b.body, f.body, mix(t.text, t.dim, 0.25), text_.body, block);
    write(b.source, f.source, t.faint, text_.source, block);
}

} // namespace tlbscope
