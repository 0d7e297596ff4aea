// The parts of the theme that go to Qt's own widgets.
#include "views/theme/theme.h"

namespace tlbscope {

QPalette Theme::palette() const {
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, const QColor& color, const QColor& disabled) {
        p.setColor(QPalette::All, role, color);
        p.setColor(QPalette::Disabled, role, disabled);
    };
    const QColor off = mix(dim, panel, 0.35);
    set(QPalette::Window, window, window);
    set(QPalette::WindowText, text, off);
    set(QPalette::Base, inset, inset);
    set(QPalette::AlternateBase, panel, panel);
    set(QPalette::Text, text, off);
    set(QPalette::PlaceholderText, faint, off);
    set(QPalette::Button, card, card);
    set(QPalette::ButtonText, text, off);
    set(QPalette::BrightText, onAccent, onAccent);
    set(QPalette::Highlight, accent, mix(accent, panel, 0.6));
    set(QPalette::HighlightedText, onAccent, onAccent);
    set(QPalette::Link, readable(accent, panel), off);
    set(QPalette::LinkVisited, readable(hue.purple, panel), off);
    set(QPalette::ToolTipBase, card, card);
    set(QPalette::ToolTipText, text, off);
    set(QPalette::Light, mix(border, text, 0.15), border);
    set(QPalette::Midlight, border, border);
    set(QPalette::Mid, border, border);
    set(QPalette::Dark, mix(panel, border, 0.5), border);
    set(QPalette::Shadow, window, window);
    return p;
}

QString Theme::styleSheet() const {
    return QStringLiteral(
               "QToolTip { color: %1; background: %2; border: 1px solid %3; padding: %4px; }"
               "QScrollBar:vertical { background: transparent; width: %5px; margin: 0; }"
               "QScrollBar:horizontal { background: transparent; height: %5px; margin: 0; }"
               "QScrollBar::handle { background: %6; border-radius: %7px; }"
               "QScrollBar::handle:vertical { min-height: %8px; }"
               "QScrollBar::handle:horizontal { min-width: %8px; }"
               "QScrollBar::handle:hover { background: %9; }"
               "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
               "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
               "QHeaderView::section { color: %10; background: %2; border: 0; border-bottom: 1px solid %3;"
               " padding: %4px; }"
               "QTableView { gridline-color: transparent; border: 0; }")
        .arg(text.name(), card.name(), border.name())
        .arg(px(4))
        .arg(px(10))
        .arg(mix(panel, faint, 0.5).name())
        .arg(px(4))
        .arg(px(28))
        .arg(faint.name(), dim.name());
}

} // namespace tlbscope
