#include "app/window/settings.h"

#include "engine/core/error.h"

#include <QSettings>

#include <algorithm>
#include <cmath>

namespace tlbscope {
namespace {

QSettings file() {
    return QSettings(QSettings::IniFormat, QSettings::UserScope, "tlbscope", "window");
}

} // namespace

ThemeKind parseTheme(const std::string& name) {
    if (name == "dark") return ThemeKind::dark;
    if (name == "light") return ThemeKind::light;
    if (name == "contrast") return ThemeKind::high_contrast;
    throw Error("theme", "there is no theme \"" + name + "\"", "dark, light or contrast");
}

const char* themeName(ThemeKind kind) {
    switch (kind) {
    case ThemeKind::dark:
        return "dark";
    case ThemeKind::light:
        return "light";
    case ThemeKind::high_contrast:
        break;
    }
    return "contrast";
}

Page parsePage(const std::string& name) {
    for (const Page page : kPages)
        if (name == pageName(page)) return page;
    throw Error("page", "there is no page \"" + name + "\"", "machine, curve or duel");
}

Settings Settings::load() {
    Settings s;
    const QSettings stored = file();
    if (stored.status() != QSettings::NoError) return s;
    try {
        s.theme = parseTheme(stored.value("theme", "dark").toString().toStdString());
    } catch (const Error&) {
        // Written by another version, or by hand.
    }
    const double scale = stored.value("scale", 1.0).toDouble();
    if (std::isfinite(scale) && scale > 0) s.scale = std::clamp(scale, kMinScale, kMaxScale);
    const QString page = stored.value("page").toString();
    for (const Page known : kPages)
        if (page == QLatin1String(pageName(known))) s.page = known;
    s.geometry = stored.value("geometry").toByteArray();
    s.state = stored.value("state").toByteArray();
    return s;
}

void Settings::save() const {
    QSettings stored = file();
    if (stored.status() == QSettings::FormatError) stored.clear();
    stored.setValue("theme", themeName(theme));
    stored.setValue("scale", scale);
    stored.setValue("page", pageName(page));
    stored.setValue("geometry", geometry);
    stored.setValue("state", state);
}

} // namespace tlbscope
