// How long a slice of work may go on.
#pragma once

#include <atomic>
#include <chrono>

namespace tlbscope {

// Over when the time is up or when somebody asked to stop (`stop` not owned, may be null).
struct Deadline {
    using Clock = std::chrono::steady_clock;
    Clock::time_point end;
    const std::atomic<bool>* stop = nullptr;

    bool over() const { return (stop && stop->load(std::memory_order_relaxed)) || Clock::now() >= end; }
    static Deadline in(Clock::duration span, const std::atomic<bool>* stop_flag = nullptr) {
        return {Clock::now() + span, stop_flag};
    }
    static Deadline never() { return {Clock::time_point::max(), nullptr}; }
};

} // namespace tlbscope
