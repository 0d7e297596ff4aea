// Tells views that Theme::current() has changed, once a change.
#pragma once

#include <QObject>

namespace tlbscope {

class ThemeNotifier : public QObject {
    Q_OBJECT
public:
    static ThemeNotifier& instance(); // lives as long as the process; GUI thread

Q_SIGNALS:
    void changed();

private:
    ThemeNotifier() = default;
};

} // namespace tlbscope
