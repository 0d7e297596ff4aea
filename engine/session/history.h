// The events of a run that are still at hand: bounded, and shared block by block with snapshots.
#pragma once

#include "engine/recording/event_log.h"

#include <deque>

namespace tlbscope {

class History {
public:
    // Keeps the last `max_blocks` blocks of EventLog::kBlock events, at least 2.
    explicit History(std::size_t max_blocks = 256);

    // Forgets everything; the next event appended has index `first_index`.
    void restart(std::uint64_t first_index);
    void append(const Event* events, std::size_t count);
    // Forgets the events from `end` on; no effect when there are none.
    void truncate(std::uint64_t end);

    std::uint64_t first_index() const { return first_; }
    std::uint64_t end_index() const;
    const Event& operator[](std::uint64_t index) const;
    // Index of the first event later than t; end_index() if none.
    std::uint64_t upper_bound(Cycles t) const;

    // Changes with every change of the contents.
    std::uint64_t version() const { return version_; }
    // Shares all full blocks; copies the last.
    EventLog log(double ticks_per_second, std::shared_ptr<const Names> names) const;

private:
    std::size_t max_blocks_;
    std::uint64_t first_ = 0, version_ = 0;
    std::deque<std::shared_ptr<const EventLog::Block>> full_;
    EventLog::Block last_;
};

} // namespace tlbscope
