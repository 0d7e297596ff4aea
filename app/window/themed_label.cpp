#include "app/window/themed_label.h"

#include "views/theme/theme_notifier.h"

namespace tlbscope {
namespace {

QColor colour(const Theme& t, Tone tone) {
    switch (tone) {
    case Tone::text:
        return t.text;
    case Tone::dim:
        return t.dim;
    case Tone::faint:
        return t.faint;
    case Tone::accent:
        return readable(t.accent, t.panel);
    case Tone::warning:
        return readable(t.hue.vermillion, t.panel);
    }
    return t.text;
}

} // namespace

ThemedLabel::ThemedLabel(const QString& text, FontRole role, Tone tone, QWidget* parent)
    : QLabel(text, parent), role_(role), tone_(tone) {
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ThemedLabel::restyle);
    setTextFormat(Qt::PlainText);
    restyle();
}

void ThemedLabel::setTone(Tone tone) {
    if (tone == tone_) return;
    tone_ = tone;
    restyle();
}

void ThemedLabel::restyle() {
    const Theme& t = Theme::current();
    setFont(t.font(role_));
    // Not by palette: a change of the window's style sheet would put the old one back.
    setStyleSheet(
        QStringLiteral("QLabel { color: %1; background: transparent; }").arg(colour(t, tone_).name()));
}

} // namespace tlbscope
