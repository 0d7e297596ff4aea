#include "engine/recording/search.h"

#include "engine/recording/log_builder.h"
#include "engine/recording/scan.h"
#include "engine/recording/shootdown.h"

#include <algorithm>

namespace tlbscope {
namespace {

bool contains(std::string_view text, std::string_view lowered) {
    if (lowered.size() > text.size()) return false;
    for (std::size_t i = 0; i + lowered.size() <= text.size(); ++i) {
        std::size_t k = 0;
        while (k < lowered.size() && scan::lower(text[i + k]) == lowered[k])
            ++k;
        if (k == lowered.size()) return true;
    }
    return false;
}

} // namespace

bool EventFilter::empty() const {
    return kinds.none() && cpus.empty() && tasks.empty() && reasons.none() && !full && text.empty() &&
           from == INT64_MIN && to == INT64_MAX;
}

EventMatcher::EventMatcher(EventFilter filter, const EventLog& log) : filter_(std::move(filter)) {
    for (const CpuId cpu : filter_.cpus) {
        if (cpu >= cpus_.size()) cpus_.resize(cpu + std::size_t{1});
        cpus_[cpu] = true;
    }
    std::sort(filter_.tasks.begin(), filter_.tasks.end());
    if (filter_.text.empty()) return;
    std::string lowered = filter_.text;
    for (char& c : lowered)
        c = scan::lower(c);
    const Names& names = log.names();
    for (const std::string& s : names.strings)
        strings_.push_back(contains(s, lowered));
    for (const std::string& s : names.texts)
        texts_.push_back(contains(s, lowered));
    for (const auto& [task, comm] : names.tasks)
        if (contains(comm, lowered)) comms_.push_back(task);
    for (std::size_t kind = 0; kind < static_cast<std::size_t>(EventKind::count_); ++kind)
        kind_names_[kind] = contains(to_string(static_cast<EventKind>(kind)), lowered);
    for (std::size_t reason = 0; reason < 6; ++reason)
        reason_names_[reason] = contains(to_string(static_cast<FlushReason>(reason)), lowered);
    // The two kinds of system calls have the call in `sub`.
    for (std::size_t call = 1; call < 6; ++call)
        reason_names_[128 + call] =
            contains(std::string("sys_") + to_string(static_cast<Syscall>(call)), lowered);
}

bool EventMatcher::text_matches(const Event& e) const {
    if (kind_names_[static_cast<std::size_t>(e.kind)]) return true;
    if (std::binary_search(comms_.begin(), comms_.end(), e.task)) return true;
    switch (e.kind) {
    case EventKind::tlb_flush:
        return reason_names_[e.sub < 6 ? e.sub : 127];
    case EventKind::marker: {
        const auto i = static_cast<std::size_t>(e.arg);
        return i < texts_.size() && texts_[i];
    }
    case EventKind::sched_switch:
        if (std::binary_search(comms_.begin(), comms_.end(), e.aux)) return true;
        break;
    case EventKind::sys_enter:
    case EventKind::sys_exit:
        if (e.sub < 6 && reason_names_[std::size_t{128} + e.sub]) return true;
        break;
    default:
        break;
    }
    const NamesOfKind names = names_of_kind(e.kind);
    if (names.id_is_string && !is_simulated_csd(e) && e.id < strings_.size() && strings_[e.id]) return true;
    const auto arg = static_cast<std::size_t>(e.arg);
    return names.arg == NamesOfKind::Arg::string && arg < strings_.size() && strings_[arg];
}

bool EventMatcher::operator()(const Event& e) const {
    if (e.time < filter_.from || e.time > filter_.to) return false;
    if (filter_.kinds.any() && !filter_.kinds[static_cast<std::size_t>(e.kind)]) return false;
    if (!filter_.cpus.empty() && (e.cpu >= cpus_.size() || !cpus_[e.cpu])) return false;
    if (filter_.reasons.any() && (e.kind != EventKind::tlb_flush || !filter_.reasons[e.sub])) return false;
    if (filter_.full) {
        const bool decision = e.kind == EventKind::flush_decision;
        if (!decision && e.kind != EventKind::tlb_flush) return false;
        if ((decision ? e.sub != 0 : e.arg == kTlbFlushAll) != *filter_.full) return false;
    }
    if (!filter_.tasks.empty()) {
        const auto has = [this](std::uint32_t task) {
            return std::binary_search(filter_.tasks.begin(), filter_.tasks.end(), task);
        };
        if (!has(e.task) && !(e.kind == EventKind::sched_switch && has(e.aux))) return false;
    }
    return filter_.text.empty() || text_matches(e);
}

SearchStep search_forward(const EventLog& log, const EventMatcher& matches, std::uint64_t from,
                          std::uint64_t budget) {
    SearchStep step;
    from = std::max(from, log.first_index());
    // A time range is found by the index, not by walking.
    if (matches.filter().from != INT64_MIN) from = std::max(from, log.lower_bound(matches.filter().from));
    const std::uint64_t end = log.end_index();
    const std::uint64_t stop = from < end ? from + std::min(budget, end - from) : end;
    for (std::uint64_t i = from; i < stop; ++i) {
        if (log[i].time > matches.filter().to) {
            step.next = end;
            step.finished = true;
            return step;
        }
        if (!matches(log[i])) continue;
        step.found = i;
        step.next = i + 1;
        return step;
    }
    step.next = stop;
    step.finished = stop >= end;
    return step;
}

SearchStep search_backward(const EventLog& log, const EventMatcher& matches, std::uint64_t before,
                           std::uint64_t budget) {
    SearchStep step;
    before = std::min(before, log.end_index());
    if (matches.filter().to != INT64_MAX) before = std::min(before, log.lower_bound(matches.filter().to + 1));
    const std::uint64_t first = log.first_index();
    const std::uint64_t stop = before > first ? before - std::min(budget, before - first) : before;
    for (std::uint64_t i = before; i > stop; --i) {
        if (log[i - 1].time < matches.filter().from) {
            step.next = first;
            step.finished = true;
            return step;
        }
        if (!matches(log[i - 1])) continue;
        step.found = i - 1;
        step.next = i - 1;
        return step;
    }
    step.next = stop;
    step.finished = stop <= first;
    return step;
}

} // namespace tlbscope
