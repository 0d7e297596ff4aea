#include "app/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace tlbscope {

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    finish();
}

void Progress::show(double share) {
    if (!terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    std::fprintf(stderr, "\r%s: %3.0f %%", what_.c_str(), 100 * std::clamp(share, 0.0, 1.0));
    std::fflush(stderr);
    shown_ = true;
}

void Progress::finish() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

} // namespace tlbscope
