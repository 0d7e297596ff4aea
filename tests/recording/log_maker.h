// Hand-made logs for tests.
#pragma once

#include "engine/recording/event_log.h"

#include <algorithm>

namespace tlbscope::test {

class LogMaker {
public:
    explicit LogMaker(double ticks_per_second = 1e9) : ticks_per_second_(ticks_per_second) {}

    std::uint32_t string(const std::string& text) {
        const auto at = std::find(names_.strings.begin(), names_.strings.end(), text);
        if (at != names_.strings.end()) return static_cast<std::uint32_t>(at - names_.strings.begin());
        names_.strings.push_back(text);
        return static_cast<std::uint32_t>(names_.strings.size() - 1);
    }

    // Returns the index of the event.
    std::uint64_t add(std::int64_t time, CpuId cpu, EventKind kind, std::int64_t arg = 0,
                      std::uint32_t id = 0, std::uint32_t aux = 0, std::uint8_t sub = 0,
                      std::uint32_t task = 1) {
        events_.push_back({time, arg, id, aux, task, cpu, kind, sub});
        return events_.size() - 1;
    }

    std::uint64_t flush(std::int64_t time, CpuId cpu, FlushReason reason, std::int64_t pages = 1,
                        std::uint32_t id = 0) {
        return add(time, cpu, EventKind::tlb_flush, pages, id, 0, static_cast<std::uint8_t>(reason),
                   cpu + 1u);
    }

    Names& names() { return names_; }

    EventLog log(std::uint64_t first_index = 0) const {
        std::vector<std::shared_ptr<const EventLog::Block>> blocks;
        for (std::size_t i = 0; i < events_.size(); i += EventLog::kBlock)
            blocks.push_back(std::make_shared<EventLog::Block>(
                events_.begin() + static_cast<std::ptrdiff_t>(i),
                events_.begin() +
                    static_cast<std::ptrdiff_t>(std::min(i + EventLog::kBlock, events_.size()))));
        return {blocks, first_index, ticks_per_second_, std::make_shared<const Names>(names_)};
    }

private:
    double ticks_per_second_;
    Names names_;
    std::vector<Event> events_;
};

// The csd pointer of a simulation.
inline std::int64_t csd(std::uint32_t shootdown, CpuId target) {
    return std::int64_t{shootdown} * 4096 + target + 1;
}

} // namespace tlbscope::test
