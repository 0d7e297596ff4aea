// Filter and search over an event log, in bounded steps that can be continued.
#pragma once

#include "engine/recording/event_log.h"

#include <bitset>
#include <optional>

namespace tlbscope {

// All parts must hold; an empty part holds always.
struct EventFilter {
    std::bitset<256> kinds; // by EventKind; none set: every kind
    std::vector<CpuId> cpus;
    std::vector<std::uint32_t> tasks; // Event::task, or the next task of a sched_switch
    std::bitset<256> reasons;         // of tlb_flush; set: only tlb_flush matches
    std::optional<bool> full;         // of tlb_flush and flush_decision
    std::string text;                 // in the event's name, its strings, or the comm; case does not matter
    std::int64_t from = INT64_MIN, to = INT64_MAX; // ticks, both inclusive

    bool empty() const;
};

// A filter prepared for one log: text is compared once with each name, not with each event.
class EventMatcher {
public:
    EventMatcher(EventFilter filter, const EventLog& log);

    bool operator()(const Event& e) const;
    const EventFilter& filter() const { return filter_; }

private:
    bool text_matches(const Event& e) const;

    EventFilter filter_;
    std::vector<bool> cpus_;            // by CPU, where asked for
    std::vector<bool> strings_, texts_; // by number
    std::bitset<256> kind_names_, reason_names_;
    std::vector<std::uint32_t> comms_; // tasks whose comm matches, sorted
};

struct SearchStep {
    std::optional<std::uint64_t> found; // index of the match
    std::uint64_t next = 0;             // where to go on when nothing was found
    bool finished = false;              // nothing found up to the end (or the beginning)
};

// The first match at or after `from` (search_forward) or before `before` (search_backward), looking at no
// more than `budget` events. Restart with `next` until found or finished.
SearchStep search_forward(const EventLog& log, const EventMatcher& matches, std::uint64_t from,
                          std::uint64_t budget = 1 << 16);
SearchStep search_backward(const EventLog& log, const EventMatcher& matches, std::uint64_t before,
                           std::uint64_t budget = 1 << 16);

} // namespace tlbscope
