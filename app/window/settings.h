// What the window remembers from one start to the next. A broken or strange file counts as none.
#pragma once

#include "app/window/page.h"
#include "views/theme/theme.h"

#include <QByteArray>

namespace tlbscope {

struct Settings {
    ThemeKind theme = ThemeKind::dark;
    double scale = 1; // 0.7 … 2.5
    QByteArray geometry, state;
    Page page = Page::machine;

    static Settings load();
    void save() const;
};

inline constexpr double kMinScale = 0.7, kMaxScale = 2.5;

// "dark", "light", "contrast". Throws Error for another name.
ThemeKind parseTheme(const std::string& name);
const char* themeName(ThemeKind kind);
// pageName() back. Throws Error for another name.
Page parsePage(const std::string& name);

} // namespace tlbscope
