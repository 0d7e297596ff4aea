#include "engine/recording/event_log.h"

#include <algorithm>

namespace tlbscope {

const std::string& Names::comm(std::uint32_t task) const {
    const auto at = std::lower_bound(tasks.begin(), tasks.end(), task,
                                     [](const auto& entry, std::uint32_t t) { return entry.first < t; });
    return at != tasks.end() && at->first == task ? at->second : strings[0];
}

EventLog::EventLog(std::vector<std::shared_ptr<const Block>> blocks, std::uint64_t first_index,
                   double ticks_per_second, std::shared_ptr<const Names> names)
    : blocks_(std::move(blocks)), first_(first_index), ticks_per_second_(ticks_per_second),
      names_(std::move(names)) {
    if (!blocks_.empty()) size_ = (blocks_.size() - 1) * kBlock + blocks_.back()->size();
}

std::uint64_t EventLog::lower_bound(std::int64_t t) const {
    const auto block = std::partition_point(blocks_.begin(), blocks_.end(),
                                            [t](const auto& b) { return !b->empty() && b->back().time < t; });
    if (block == blocks_.end()) return end_index();
    const auto event =
        std::partition_point((*block)->begin(), (*block)->end(), [t](const Event& e) { return e.time < t; });
    return first_ + static_cast<std::uint64_t>(block - blocks_.begin()) * kBlock +
           static_cast<std::uint64_t>(event - (*block)->begin());
}

} // namespace tlbscope
