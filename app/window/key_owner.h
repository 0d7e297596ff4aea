// Which keys belong to the widget that has the focus rather than to the window's shortcuts.
#pragma once

class QKeyEvent;
class QWidget;

namespace tlbscope {

// A list keeps its arrow keys, a button its space bar, a field its letters.
bool keepsKey(const QWidget* focus, const QKeyEvent* event);

} // namespace tlbscope
