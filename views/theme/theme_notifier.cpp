#include "views/theme/theme_notifier.h"

namespace tlbscope {

ThemeNotifier& ThemeNotifier::instance() {
    static ThemeNotifier notifier;
    return notifier;
}

} // namespace tlbscope
