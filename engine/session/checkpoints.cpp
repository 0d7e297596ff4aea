#include "engine/session/checkpoints.h"

#include <algorithm>

namespace tlbscope {
namespace {

bool earlier(const Position& a, const Position& b) {
    return a.events != b.events ? a.events < b.events : a.time < b.time;
}

} // namespace

Checkpoints::Checkpoints(std::size_t max_count, std::size_t max_bytes)
    : max_count_(std::max<std::size_t>(max_count, 3)), max_bytes_(max_bytes) {}

void Checkpoints::clear() {
    list_.clear();
}

void Checkpoints::take(const Position& at, std::size_t journal, const MachineRun& machine) {
    const auto place =
        std::lower_bound(list_.begin(), list_.end(), at,
                         [](const Checkpoint& c, const Position& p) { return earlier(c.at, p); });
    if (place != list_.end() && !earlier(at, place->at)) return;
    list_.insert(place, Checkpoint{at, journal, machine.clone()});
    thin();
}

void Checkpoints::drop_after(const Position& at) {
    while (list_.size() > 1 && !earlier(list_.back().at, at))
        list_.pop_back();
}

const Checkpoint* Checkpoints::before_events(std::uint64_t events) const {
    for (auto c = list_.rbegin(); c != list_.rend(); ++c)
        if (c->at.events < events || (c->at.events == events && c->at.by_events)) return &*c;
    return nullptr;
}

const Checkpoint* Checkpoints::before_time(Cycles t) const {
    for (auto c = list_.rbegin(); c != list_.rend(); ++c)
        if (c->at.time <= t) return &*c;
    return nullptr;
}

std::size_t Checkpoints::bytes() const {
    std::size_t sum = 0;
    for (const Checkpoint& c : list_)
        sum += c.machine->memory_bytes();
    return sum;
}

void Checkpoints::thin() {
    while (list_.size() > max_count_ || (list_.size() > 3 && bytes() > max_bytes_)) {
        const Cycles newest = list_.back().at.time;
        std::size_t victim = 1;
        double least = 0;
        for (std::size_t i = 1; i + 1 < list_.size(); ++i) {
            const double gap = static_cast<double>(list_[i + 1].at.time - list_[i - 1].at.time);
            const double age = static_cast<double>(newest - list_[i].at.time) + 1;
            if (const double worth = gap / age; i == 1 || worth < least) {
                least = worth;
                victim = i;
            }
        }
        list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(victim));
    }
}

} // namespace tlbscope
