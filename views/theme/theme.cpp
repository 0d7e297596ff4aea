#include "views/theme/theme.h"

#include "views/theme/theme_notifier.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

Theme& mutableCurrent() {
    static Theme theme = Theme::make(ThemeKind::dark);
    return theme;
}

void setDark(Theme& t) {
    t.window = "#0f1217";
    t.panel = "#171b22";
    t.card = "#1d222b";
    t.inset = "#12161c";
    t.border = "#2c333e";
    t.emptyCell = "#272d37";
    t.text = "#e8ecf2";
    t.dim = "#a9b3c1";
    t.faint = "#8b96a5";
    t.accent = "#56b4e9";
    t.onAccent = "#0b1016";
    t.hue = {"#e69f00", "#56b4e9", "#12a97f", "#f0e442", "#2e86d1", "#ee6a1f", "#cc79a7", "#7f8a99"};
}

void setLight(Theme& t) {
    t.window = "#eff2f5";
    t.panel = "#ffffff";
    t.card = "#fafbfc";
    t.inset = "#f0f3f6";
    t.border = "#d3d9e1";
    t.emptyCell = "#e6eaef";
    t.text = "#161b22";
    t.dim = "#465160";
    t.faint = "#5d6877";
    t.accent = "#0072b2";
    t.onAccent = "#ffffff";
    t.hue = {"#b06f00", "#2380bf", "#00815d", "#8f8200", "#004e8c", "#c24400", "#a8487f", "#6b7685"};
}

void setHighContrast(Theme& t) {
    t.window = "#000000";
    t.panel = "#000000";
    t.card = "#000000";
    t.inset = "#0d0d0d";
    t.border = "#ffffff";
    t.emptyCell = "#1f1f1f";
    t.text = "#ffffff";
    t.dim = "#eeeeee";
    t.faint = "#d8d8d8";
    t.accent = "#7fd0ff";
    t.onAccent = "#000000";
    t.hue = {"#ffb000", "#6cc8ff", "#1fd6a3", "#fff04a", "#5aa2ff", "#ff7a2e", "#f29ac6", "#a8b0bb"};
}

QString firstInstalled(const QStringList& wanted, QFontDatabase::SystemFont otherwise) {
    const QStringList families = QFontDatabase::families();
    for (const QString& family : wanted)
        if (families.contains(family)) return family;
    return QFontDatabase::systemFont(otherwise).family();
}

void setFonts(Theme& t) {
    static const QString sans =
        firstInstalled({"Inter", "Noto Sans", "DejaVu Sans"}, QFontDatabase::GeneralFont);
    static const QString mono =
        firstInstalled({"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"}, QFontDatabase::FixedFont);
    const auto make = [&](const QString& family, double points, QFont::Weight weight) {
        QFont font(family);
        font.setPointSizeF(points * t.scale);
        font.setWeight(weight);
        font.setHintingPreference(QFont::PreferNoHinting);
        return font;
    };
    t.fonts = {make(sans, 9.5, QFont::Normal),     make(sans, 9.5, QFont::DemiBold),
               make(sans, 8.5, QFont::Normal),     make(sans, 7.75, QFont::Normal),
               make(sans, 10.25, QFont::DemiBold), make(mono, 9.25, QFont::Normal),
               make(mono, 8.25, QFont::Normal),    make(mono, 9.25, QFont::Bold)};
    t.em = QFontMetricsF(t.font(FontRole::body)).height();
}

} // namespace

Theme Theme::make(ThemeKind kind, double scale) {
    Theme theme;
    theme.kind = kind;
    theme.scale = std::isfinite(scale) ? std::clamp(scale, 0.5, 4.0) : 1.0;
    switch (kind) {
    case ThemeKind::dark:
        setDark(theme);
        break;
    case ThemeKind::light:
        setLight(theme);
        break;
    case ThemeKind::high_contrast:
        setHighContrast(theme);
        break;
    }
    setFonts(theme);
    return theme;
}

int Theme::px(double units) const {
    return std::max(units > 0 ? 1 : 0, static_cast<int>(std::lround(units * em / 16)));
}

QColor Theme::state(CpuState state) const {
    switch (state) {
    case CpuState::idle:
    case CpuState::lazy:
    case CpuState::unknown:
        return hue.grey;
    case CpuState::user:
        return hue.green;
    case CpuState::syscall:
        return mix(hue.grey, text, 0.3);
    case CpuState::fault:
        return mix(hue.grey, text, 0.55);
    case CpuState::blocked:
        return hue.vermillion;
    case CpuState::flushing:
        return hue.orange;
    case CpuState::waiting:
        return hue.yellow;
    case CpuState::servicing:
        return hue.sky;
    case CpuState::interrupt:
        return hue.blue;
    case CpuState::switching:
        return hue.purple;
    }
    return hue.grey;
}

QColor Theme::bucket(Bucket bucket) const {
    switch (bucket) {
    case Bucket::user:
        return hue.green;
    case Bucket::cache_miss:
        return mix(hue.green, text, 0.45);
    case Bucket::page_walk:
        return hue.purple;
    case Bucket::fault:
        return mix(hue.grey, text, 0.55);
    case Bucket::syscall:
        return mix(hue.grey, text, 0.3);
    case Bucket::local_flush:
        return hue.orange;
    case Bucket::wait_acks:
        return hue.yellow;
    case Bucket::ipi_service:
        return hue.sky;
    case Bucket::interrupt:
        return hue.blue;
    case Bucket::switch_mm:
        return hue.vermillion;
    case Bucket::cr3_load:
        return mix(hue.vermillion, text, 0.4);
    case Bucket::idle:
    case Bucket::count_:
        return hue.grey;
    }
    return hue.grey;
}

QColor Theme::span(SpanKind of) const {
    switch (of) {
    case SpanKind::user:
        return hue.green;
    case SpanKind::kernel:
        return mix(hue.grey, text, 0.3);
    case SpanKind::fault:
        return mix(hue.grey, text, 0.55);
    case SpanKind::flush:
        return hue.orange;
    case SpanKind::wait_acks:
        return hue.yellow;
    case SpanKind::service:
        return hue.sky;
    case SpanKind::interrupt:
        return hue.blue;
    case SpanKind::blocked:
        return hue.vermillion;
    case SpanKind::idle:
        return hue.grey;
    case SpanKind::gap:
        return hue.grey;
    }
    return hue.grey;
}

QColor Theme::spanFill(SpanKind of) const {
    switch (of) {
    case SpanKind::user:
        return mix(panel, hue.green, kind == ThemeKind::light ? 0.3 : 0.34);
    case SpanKind::kernel:
        return mix(panel, span(of), 0.42);
    case SpanKind::fault:
        return mix(panel, span(of), 0.62);
    case SpanKind::wait_acks:
        return kind == ThemeKind::light ? mix(panel, hue.yellow, 0.42) : hue.yellow; // hatched in full colour
    case SpanKind::blocked:
        return mix(panel, hue.vermillion, 0.3);
    case SpanKind::idle:
        return mix(panel, hue.grey, 0.16);
    case SpanKind::gap:
        return inset;
    default:
        return span(of);
    }
}

QColor Theme::series(std::size_t index) const {
    // Purple marks published figures in the charts, so it comes last.
    const std::array order = {hue.sky,  hue.orange,     hue.green, hue.yellow,
                              hue.blue, hue.vermillion, hue.grey,  hue.purple};
    return order[index % order.size()];
}

const Theme& Theme::current() {
    return mutableCurrent();
}

void Theme::apply(QApplication& application, const Theme& theme) {
    mutableCurrent() = theme;
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(theme.palette());
    QApplication::setFont(theme.font(FontRole::body));
    application.setStyleSheet(theme.styleSheet());
    Q_EMIT ThemeNotifier::instance().changed();
}

} // namespace tlbscope
