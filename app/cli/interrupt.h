// Ctrl-C as a flag, so that whatever runs can stop tidily.
#pragma once

#include <atomic>

namespace tlbscope {

// While it lives, the first SIGINT or SIGTERM sets requested(); a second one ends the process as
// usual. One at a time.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    static const std::atomic<bool>& requested();
};

} // namespace tlbscope
