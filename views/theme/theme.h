// Colours, fonts and sizes of every painted view. A value; Theme::current() is what the window uses now.
// GUI thread only.
#pragma once

#include "engine/core/bucket.h"
#include "engine/recording/spans.h"
#include "engine/session/snapshot.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

class QApplication;

namespace tlbscope {

enum class ThemeKind : std::uint8_t { dark, light, high_contrast };

// The eight colours of Okabe and Ito ("Color Universal Design", 2008), adapted in lightness to the
// background, plus a grey. Never the only cue: shapes, hatches and words say the same.
struct Palette8 {
    QColor orange, sky, green, yellow, blue, vermillion, purple, grey;
};

enum class FontRole : std::uint8_t { body, strong, small, caption, title, mono, monoSmall, monoStrong };
inline constexpr std::size_t kFontRoles = 8;

struct Theme {
    ThemeKind kind = ThemeKind::dark;
    double scale = 1; // of every font and distance; 1 at a desk, 1.6 in front of a hall

    // Surfaces, from back to front, and lines.
    QColor window, panel, card, inset, border, emptyCell;
    // Text: all three have a contrast of at least 4.5 to window, panel, card and inset.
    QColor text, dim, faint;
    QColor accent, onAccent;
    Palette8 hue;

    std::array<QFont, kFontRoles> fonts;
    double em = 16; // height of a line of body text in pixels; distances are derived from it

    // `scale` 0.5 … 4. The application's font gives the base size.
    static Theme make(ThemeKind kind, double scale = 1);

    const QFont& font(FontRole role) const { return fonts[static_cast<std::size_t>(role)]; }
    // A distance of `units` at a line height of 16.
    int px(double units) const;

    QColor state(CpuState) const;
    QColor bucket(Bucket) const;
    QColor span(SpanKind) const; // strong colour: label, edge, legend
    // What a lane is filled with: calm for user, kernel and idle, strong for what matters.
    QColor spanFill(SpanKind) const;
    // Series of a chart, in order, then again from the start.
    QColor series(std::size_t index) const;

    QPalette palette() const;
    QString styleSheet() const;

    static const Theme& current();
    // Sets style, palette, font and style sheet of the application and tells ThemeNotifier.
    static void apply(QApplication& application, const Theme& theme);
};

// WCAG 2.1 relative luminance and contrast ratio (1 … 21) of opaque colours.
double luminance(const QColor& color);
double contrast(const QColor& a, const QColor& b);
// `share` of b in a, in sRGB.
QColor mix(const QColor& a, const QColor& b, double share);
// `color` moved towards black or white until its contrast to `background` is at least `ratio`.
QColor readable(const QColor& color, const QColor& background, double ratio = 4.5);

} // namespace tlbscope
