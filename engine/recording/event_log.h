// An immutable sequence of events that any number of threads may read, cheap to copy.
#pragma once

#include "engine/core/event.h"

#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

// Strings that events point to by index; index 0 is always the empty string.
struct Names {
    std::vector<std::string> strings{""};
    std::vector<std::string> texts{""};
    // CPU sets of ipi_send_cpumask and ipi_raise; index 0 is the empty set.
    std::vector<std::vector<CpuId>> masks{{}};
    // comm by Event::task; a recording fills it from sched_switch and line heads.
    std::vector<std::pair<std::uint32_t, std::string>> tasks; // sorted by first
    // Thread group (process) by Event::task, where a recording has it. Sorted by first.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> groups;

    const std::string& string(std::uint32_t i) const { return strings[i < strings.size() ? i : 0]; }
    // Empty when the task was never named.
    const std::string& comm(std::uint32_t task) const;
};

// Sorted by (time, order of arrival). Events live in blocks of exactly kBlock (the last may be
// shorter), so that a growing log shares all full blocks with its predecessor.
class EventLog {
public:
    static constexpr std::size_t kBlock = 4096;
    using Block = std::vector<Event>;

    EventLog() = default;
    // All blocks but the last hold kBlock events. `first_index` is the number of events that were
    // before blocks.front() and have been dropped. `ticks_per_second`: 1e9 for nanoseconds, the
    // processor's clock for cycles, 0 where time is only an order (counter clock).
    EventLog(std::vector<std::shared_ptr<const Block>> blocks, std::uint64_t first_index,
             double ticks_per_second, std::shared_ptr<const Names> names);

    bool empty() const { return size_ == 0; }
    // Valid indices are first_index() .. end_index()-1; they stay valid as the log grows.
    std::uint64_t first_index() const { return first_; }
    std::uint64_t end_index() const { return first_ + size_; }
    const Event& operator[](std::uint64_t index) const {
        const std::uint64_t i = index - first_;
        return (*blocks_[i / kBlock])[i % kBlock];
    }
    // Index of the first event with time >= t; end_index() if none.
    std::uint64_t lower_bound(std::int64_t t) const;

    double ticks_per_second() const { return ticks_per_second_; }
    // For a clock whose rate is known better than the recording says.
    void set_ticks_per_second(double rate) { ticks_per_second_ = rate; }
    const Names& names() const { return *names_; }
    std::shared_ptr<const Names> shared_names() const { return names_; }

private:
    std::vector<std::shared_ptr<const Block>> blocks_;
    std::uint64_t first_ = 0;
    std::uint64_t size_ = 0;
    double ticks_per_second_ = 1e9;
    std::shared_ptr<const Names> names_ = std::make_shared<Names>();
};

} // namespace tlbscope
