#include "engine/session/history.h"

#include <algorithm>

namespace tlbscope {

History::History(std::size_t max_blocks) : max_blocks_(std::max<std::size_t>(max_blocks, 2)) {
    last_.reserve(EventLog::kBlock);
}

void History::restart(std::uint64_t first_index) {
    ++version_;
    full_.clear();
    last_.clear();
    first_ = first_index;
}

void History::append(const Event* events, std::size_t count) {
    version_ += count > 0;
    while (count > 0) {
        const std::size_t n = std::min(count, EventLog::kBlock - last_.size());
        last_.insert(last_.end(), events, events + n);
        events += n;
        count -= n;
        if (last_.size() < EventLog::kBlock) break;
        full_.push_back(std::make_shared<const EventLog::Block>(std::move(last_)));
        last_ = {};
        last_.reserve(EventLog::kBlock);
        if (full_.size() >= max_blocks_) {
            full_.pop_front();
            first_ += EventLog::kBlock;
        }
    }
}

void History::truncate(std::uint64_t end) {
    if (end >= end_index()) return;
    if (end <= first_) {
        restart(end);
        return;
    }
    ++version_;
    const std::uint64_t keep = end - first_;
    const std::size_t whole = keep / EventLog::kBlock;
    const std::size_t part = keep % EventLog::kBlock;
    if (whole < full_.size()) {
        last_.assign(full_[whole]->begin(), full_[whole]->begin() + static_cast<std::ptrdiff_t>(part));
        full_.resize(whole);
    } else {
        last_.resize(part);
    }
    last_.reserve(EventLog::kBlock);
}

std::uint64_t History::end_index() const {
    return first_ + full_.size() * EventLog::kBlock + last_.size();
}

const Event& History::operator[](std::uint64_t index) const {
    const std::uint64_t i = index - first_;
    const std::size_t block = i / EventLog::kBlock;
    return block < full_.size() ? (*full_[block])[i % EventLog::kBlock] : last_[i % EventLog::kBlock];
}

std::uint64_t History::upper_bound(Cycles t) const {
    std::uint64_t low = first_, high = end_index();
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if ((*this)[middle].time <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

EventLog History::log(double ticks_per_second, std::shared_ptr<const Names> names) const {
    std::vector<std::shared_ptr<const EventLog::Block>> blocks(full_.begin(), full_.end());
    if (!last_.empty()) blocks.push_back(std::make_shared<const EventLog::Block>(last_));
    return EventLog(std::move(blocks), first_, ticks_per_second, std::move(names));
}

} // namespace tlbscope
