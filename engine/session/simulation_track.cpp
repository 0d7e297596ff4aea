#include "engine/session/simulation_track.h"

#include "engine/core/error.h"

#include <algorithm>

namespace tlbscope {
namespace {

// A chunk between two looks at the clock.
constexpr auto kChunk = std::chrono::microseconds(400);
// Events to have before the goal when the history has to be made anew.
constexpr std::uint64_t kLead = 20000;
// A search that finds nothing ends after this much simulated time.
constexpr double kSearchSeconds = 0.2;
// Copying must stay below this share of running.
constexpr int kCopyShare = 12;

// Whether a change made at `change` is part of the state at `place`.
bool comes_before(const Position& change, const Position& place) {
    if (!place.by_events) return change.time <= place.time;
    return change.by_events ? change.events <= place.events : change.events < place.events;
}

} // namespace

bool starts_shootdown(const Event& event) {
    return event.kind == EventKind::flush_decision && event.aux > 0;
}

SimulationTrack::SimulationTrack(MachineFactory factory, const Scenario& scenario)
    : SimulationTrack(std::move(factory), scenario, Limits{}) {}

SimulationTrack::SimulationTrack(MachineFactory factory, const Scenario& scenario, Limits limits)
    : limits_(limits), first_scenario_(scenario), scenario_(scenario), history_(limits.history_blocks),
      checkpoints_(limits.checkpoints, limits.checkpoint_bytes) {
    current_.machine = factory(scenario);
    current_.machine->listen(&buffer_);
    current_.at = {current_.machine->now(), current_.machine->event_count(), true};
    machine_ = current_.machine.get();
    history_.restart(machine_->event_count());
    checkpoints_.take(current_.at, 0, *machine_);
}

void SimulationTrack::go_to_events(std::uint64_t events) {
    stop_moving();
    goal_ = {Goal::Kind::events, events, 0, 0};
    const std::uint64_t here = machine_->event_count();
    const Checkpoint* from = checkpoints_.before_events(events);
    if (events < shown_ || (events == 0 && machine_->now() > 0) || (from && from->at.events > here))
        restore(*from, events);
}

void SimulationTrack::go_to_time(Cycles t) {
    stop_moving();
    goal_ = {Goal::Kind::time, 0, std::max<Cycles>(t, 0), 0};
    const Checkpoint* from = checkpoints_.before_time(goal_.time);
    if (goal_.time < machine_->now() || (from && from->at.time > machine_->now()))
        restore(*from, history_.upper_bound(goal_.time));
}

void SimulationTrack::step_events(std::int64_t n) {
    const std::uint64_t base = goal_.kind == Goal::Kind::events ? goal_.count : shown_;
    const std::uint64_t back = static_cast<std::uint64_t>(-n);
    if (n < 0)
        go_to_events(base > back ? base - back : 0);
    else
        go_to_events(base + static_cast<std::uint64_t>(n));
}

void SimulationTrack::step_shootdowns(std::int64_t n) {
    if (n == 0) return;
    if (n > 0) {
        if (goal_.kind == Goal::Kind::shootdown) {
            goal_.left += n;
        } else {
            stop_moving();
            goal_ = {Goal::Kind::shootdown, shown_, search_end(), n};
        }
        return;
    }
    std::uint64_t at = goal_.kind == Goal::Kind::events ? goal_.count : shown_;
    std::uint64_t found = history_.first_index();
    at = std::min(at, history_.end_index());
    // The state stands after event at-1, so that one does not count as earlier.
    for (std::uint64_t i = at > 0 ? at - 1 : 0; i > history_.first_index() && n < 0;) {
        --i;
        if (starts_shootdown(history_[i])) {
            found = i + 1;
            ++n;
        }
    }
    go_to_events(n == 0 ? found : history_.first_index());
}

void SimulationTrack::go_to_next_flush() {
    stop_moving();
    goal_ = {Goal::Kind::flush, shown_, search_end(), 1};
}

Cycles SimulationTrack::search_end() const {
    return machine_->now() + static_cast<Cycles>(machine_->description()->hz * kSearchSeconds);
}

void SimulationTrack::stop_moving() {
    goal_ = {};
    scratch_.reset();
    buffer_.clear();
}

void SimulationTrack::restore(const Checkpoint& checkpoint, std::uint64_t goal_events) {
    const Checkpoint* from = &checkpoint;
    const bool lost = history_.first_index() > 0 && goal_events <= history_.first_index();
    if (lost || from->at.events > history_.end_index()) {
        const Checkpoint* lead = checkpoints_.before_events(goal_events > kLead ? goal_events - kLead : 0);
        if (lead && lead->at.events < from->at.events) from = lead;
        history_.restart(from->at.events);
    }
    scratch_ = Run{from->machine->clone(), from->journal, from->at};
    scratch_->machine->listen(&buffer_);
}

bool SimulationTrack::work(const Deadline& deadline) {
    bool there = true;
    switch (goal_.kind) {
    case Goal::Kind::none:
        return true;
    case Goal::Kind::events:
        there = advance(active(), {0, goal_.count, true}, deadline);
        break;
    case Goal::Kind::time:
        there = advance(active(), {goal_.time, 0, false}, deadline);
        break;
    case Goal::Kind::shootdown:
    case Goal::Kind::flush:
        there = advance_match(active(), deadline);
        break;
    }
    if (there) arrive();
    return there;
}

void SimulationTrack::arrive() {
    if (scratch_) {
        current_ = std::move(*scratch_);
        machine_ = current_.machine.get();
        scratch_.reset();
        scenario_ = current_.journal > 0 ? journal_[current_.journal - 1].scenario : first_scenario_;
    }
    sampling_ = false;
    shown_ = machine_->event_count();
    if (goal_.kind != Goal::Kind::time) shown_ = std::min(shown_, goal_.count);
    goal_ = {};
}

bool SimulationTrack::run_to_time(Cycles t, const Deadline& deadline) {
    sampling_ = true;
    const bool there = t <= machine_->now() || advance(current_, {t, 0, false}, deadline);
    shown_ = machine_->event_count();
    return there;
}

// Every way forward goes through here: at most one chunk or one parameter change nearer to the
// place, never beyond a change of the journal. False: already there.
bool SimulationTrack::approach(Run& run, const Position& place) {
    const Cycles now = run.machine->now();
    const std::uint64_t count = run.machine->event_count();
    const Change* change = run.journal < journal_.size() ? &journal_[run.journal] : nullptr;
    if (change && comes_before(change->at, place)) {
        const Position& at = change->at;
        if (at.by_events ? count >= at.events : now >= at.time && !run.at.by_events)
            take_change(run);
        else if (at.by_events)
            chunk(run, true, std::min(events_a_chunk_, at.events - count), 0);
        else
            chunk(run, false, 0, std::min(now + cycles_a_chunk_, at.time));
        return true;
    }
    if (place.by_events) {
        if (count >= place.events) return false;
        chunk(run, true, std::min(events_a_chunk_, place.events - count), 0);
    } else {
        // After run_events() there may be more to happen at this very time.
        if (now > place.time || (now == place.time && !run.at.by_events)) return false;
        chunk(run, false, 0, std::min(now + cycles_a_chunk_, place.time));
    }
    return true;
}

bool SimulationTrack::advance(Run& run, const Position& place, const Deadline& deadline) {
    while (approach(run, place))
        if (deadline.over()) return false;
    return true;
}

bool SimulationTrack::advance_match(Run& run, const Deadline& deadline) {
    for (;;) {
        for (; goal_.count < run.machine->event_count(); ++goal_.count) {
            if (goal_.count < history_.first_index()) continue;
            const Event& event = history_[goal_.count];
            const bool match = goal_.kind == Goal::Kind::flush ? event.kind == EventKind::tlb_flush
                                                               : starts_shootdown(event);
            if (match && --goal_.left == 0) {
                ++goal_.count;
                return true;
            }
        }
        if (run.machine->now() > goal_.time) {
            gave_up_ = true;
            return true;
        }
        if (deadline.over()) return false;
        advance(run, {0, run.machine->event_count() + 1, true}, Deadline::never());
    }
}

void SimulationTrack::chunk(Run& run, bool by_events, std::uint64_t events, Cycles t) {
    const auto begin = Deadline::Clock::now();
    const std::uint64_t count = run.machine->event_count();
    if (by_events)
        run.machine->run_events(events);
    else
        run.machine->run_until(t);
    if (by_events && events > 0 && run.machine->event_count() == count)
        throw Error("simulation",
                    "it came to a standstill at " + std::to_string(run.machine->now()) + " cycles");
    run.at = {run.machine->now(), run.machine->event_count(), by_events};
    drain(run);
    const auto spent = Deadline::Clock::now() - begin;
    if (by_events) {
        if (spent > kChunk)
            events_a_chunk_ = std::max<std::uint64_t>(events_a_chunk_ / 2, 1);
        else if (events >= events_a_chunk_ && spent < kChunk / 2)
            events_a_chunk_ = std::min<std::uint64_t>(events_a_chunk_ * 2, 65536);
    } else {
        if (spent > kChunk)
            cycles_a_chunk_ = std::max<Cycles>(cycles_a_chunk_ / 2, 16);
        else if (spent < kChunk / 2)
            cycles_a_chunk_ = std::min<Cycles>(cycles_a_chunk_ * 2, Cycles{1} << 40);
    }
    consider_checkpoint(run, spent);
}

void SimulationTrack::take_change(Run& run) {
    const Change& change = journal_[run.journal++];
    run.machine->apply(change.scenario);
    drain(run);
    if (!scratch_) scenario_ = change.scenario;
}

void SimulationTrack::drain(Run& run) {
    if (buffer_.empty()) return;
    std::uint64_t index = run.machine->event_count() - buffer_.size();
    std::size_t known = 0;
    for (; known < buffer_.size() && index < history_.end_index(); ++known, ++index)
        if (index >= history_.first_index() && history_[index] != buffer_[known]) ++mismatches_;
    history_.append(buffer_.data() + known, buffer_.size() - known);
    buffer_.clear();
}

void SimulationTrack::consider_checkpoint(Run& run, Deadline::Clock::duration spent) {
    since_checkpoint_ += spent;
    if (since_checkpoint_ < limits_.spacing || since_checkpoint_ < copy_cost_ * kCopyShare) return;
    const auto begin = Deadline::Clock::now();
    checkpoints_.take(run.at, run.journal, *run.machine);
    copy_cost_ = Deadline::Clock::now() - begin;
    since_checkpoint_ = {};
}

void SimulationTrack::apply(const Scenario& scenario) {
    Snapshot before;
    machine_->observe(ViewNeeds{false, false, false}, 0, before);
    machine_->apply(scenario);
    journal_.erase(journal_.begin() + static_cast<std::ptrdiff_t>(current_.journal), journal_.end());
    history_.truncate(current_.at.events);
    checkpoints_.drop_after(current_.at);
    journal_.push_back({current_.at, scenario, before.counters.records});
    ++current_.journal;
    scenario_ = scenario;
    drain(current_);
    shown_ = machine_->event_count();
}

} // namespace tlbscope
