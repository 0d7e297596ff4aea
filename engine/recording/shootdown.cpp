#include "engine/recording/shootdown.h"

#include "engine/recording/shootdown_finder.h"

#include <algorithm>

namespace tlbscope {

std::optional<std::uint32_t> ShootdownIndex::of_event(std::uint64_t index) const {
    const auto at = std::lower_bound(by_event.begin(), by_event.end(), std::pair{index, std::uint32_t{0}});
    if (at == by_event.end() || at->first != index) return std::nullopt;
    return at->second;
}

std::optional<std::int64_t> delivery_time(const EventLog& log, const Shootdown& s, const ShootdownTarget& t) {
    const std::uint64_t from = s.announce != kNoEvent ? s.announce : t.send;
    if (from == kNoEvent || t.entry == kNoEvent) return std::nullopt;
    return log[t.entry].time - log[from].time;
}

std::optional<std::int64_t> service_time(const EventLog& log, const ShootdownTarget& t) {
    if (t.entry == kNoEvent || t.exit == kNoEvent) return std::nullopt;
    return log[t.exit].time - log[t.entry].time;
}

std::optional<std::int64_t> wait_time(const EventLog& log, const ShootdownIndex& index, const Shootdown& s) {
    if (s.initiator == kNoCpu || s.wait == kNoEvent || s.target_count == 0) return std::nullopt;
    if (log[s.wait].kind == EventKind::shootdown_wait) {
        if (s.done == kNoEvent || log[s.done].kind != EventKind::shootdown_done) return std::nullopt;
        return log[s.done].time - log[s.wait].time;
    }
    std::int64_t last = log[s.wait].time;
    for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t) {
        const ShootdownTarget& target = index.targets[t];
        const std::uint64_t ack = target.ack != kNoEvent ? target.ack : target.flush;
        if (target.pairing == Pairing::unmatched || ack == kNoEvent) return std::nullopt;
        last = std::max(last, log[ack].time);
    }
    return last - log[s.wait].time;
}

bool is_simulated_csd(const Event& e) {
    const std::uint32_t cpu = e.kind == EventKind::csd_queue_cpu ? e.aux : e.cpu;
    return e.id != 0 && e.arg == std::int64_t{e.id} * 4096 + cpu + 1;
}

bool is_flush_function(std::string_view name) {
    return name.find("flush_tlb") != std::string_view::npos ||
           name.find("kernel_range_flush") != std::string_view::npos;
}

ShootdownIndex find_shootdowns(const EventLog& log) {
    return ShootdownFinder(log).run();
}

} // namespace tlbscope
