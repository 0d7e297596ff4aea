#include "app/cli/interrupt.h"

#include <csignal>

namespace tlbscope {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int number) {
    interrupted = true;
    std::signal(number, SIG_DFL);
}

} // namespace

InterruptGuard::InterruptGuard() {
    interrupted = false;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptGuard::requested() {
    return interrupted;
}

} // namespace tlbscope
