// A recording with a cursor in it: steps, jumps and plays, and shows the machine as the events tell.
#pragma once

#include "engine/session/recorded_state.h"
#include "engine/session/session.h"

#include <functional>

namespace tlbscope {

// A recording with everything that makes jumps quick. Immutable; made on the loading thread.
struct Recording {
    // `progress` is called now and then with 0 … 1; returning false stops (the result is null).
    // Throws Error when the log has no event.
    static std::shared_ptr<Recording> prepare(EventLog log, std::string title, std::string summary,
                                              const std::function<bool(double)>& progress = {});

    EventLog log;
    std::shared_ptr<const ShootdownIndex> shootdowns;
    std::shared_ptr<const MachineDescription> machine;
    std::shared_ptr<const CounterView> totals; // of the whole recording
    std::string title, summary;
    std::vector<ReportLine> report;
    int cpus = 0;                            // at most 1024; events beyond are listed, not drawn
    std::uint64_t stride = EventLog::kBlock; // events between two remembered states
    std::vector<RecordedState> states;       // states[i]: before event first_index + i * stride
    std::vector<std::uint64_t> starts;       // event that begins each shootdown, sorted
    std::vector<std::uint32_t> start_of;     // shootdown of each of `starts`
    std::vector<std::int64_t> latest_end;    // latest end of shootdowns 0 … i
};

// Not thread safe; every member returns within about a millisecond. The recording has an event.
class RecordingPlayer {
public:
    explicit RecordingPlayer(std::shared_ptr<const Recording> recording);

    const Recording& recording() const { return *recording_; }
    std::uint64_t cursor() const { return cursor_; }
    std::int64_t now() const { return now_; }
    bool at_end() const { return cursor_ + 1 >= recording_->log.end_index(); }

    void seek(std::uint64_t event_index);
    void seek_time(std::int64_t ticks);
    void step_events(std::int64_t n);
    void step_shootdowns(std::int64_t n); // to its first event
    void go_to_next_flush();              // to the next tlb_flush
    // Ticks a second for playing; clocks that only count are played as if they were 10 µs a tick.
    double ticks_per_second() const;

    // Everything but run, sequence, rates and running. `shootdown`: index + 1, 0 the latest.
    void fill(const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out);

private:
    const RecordedState& state_at(std::uint64_t event_count); // after that many events of the log
    void fill_ipis(Snapshot& out) const;
    void fill_window(Snapshot& out);

    std::shared_ptr<const Recording> recording_;
    std::uint64_t cursor_ = 0;
    std::int64_t now_ = 0;
    // Two places are asked for again and again: the cursor and the beginning of the window.
    struct Cached {
        std::uint64_t taken = ~std::uint64_t{0};
        RecordedState state;
    };
    Cached cached_[2];
    std::size_t next_cached_ = 0;
};

// The recorded shootdown `number` (index + 1) in the words of the decision panel.
DecisionView describe_recorded(const Recording& recording, std::uint32_t number, std::int64_t now);

} // namespace tlbscope
