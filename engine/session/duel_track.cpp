#include "engine/session/duel_track.h"

#include "engine/core/error.h"

#include <algorithm>

namespace tlbscope {
namespace {

// Between two looks at the finished laps.
constexpr Cycles kLook = 20 * DuelTrack::kGrain;
constexpr std::size_t kMaxLaps = 2048;
constexpr std::size_t kMaxSamples = 1 << 15;
constexpr double kSearchSeconds = 0.2;

} // namespace

SimulationTrack::Limits DuelTrack::small_limits() {
    SimulationTrack::Limits limits;
    limits.history_blocks = 64;
    limits.checkpoints = 32;
    limits.checkpoint_bytes = std::size_t{96} << 20;
    return limits;
}

DuelTrack::DuelTrack(const MachineFactory& factory, const Scenario& left, const Scenario& right,
                     SimulationTrack::Limits limits)
    : sides_{std::make_unique<SimulationTrack>(factory, left, limits),
             std::make_unique<SimulationTrack>(factory, right, limits)} {
    if (sides_[0]->machine().description()->hz != sides_[1]->machine().description()->hz)
        throw Error("side by side", "the two machines run at different clock rates",
                    "choose the same processor for both");
    samples_.push_back({});
}

void DuelTrack::set_lockstep(Lockstep lockstep) {
    if (lockstep == lockstep_) return;
    lockstep_ = lockstep;
    if (goal_ == Goal::none || goal_ == Goal::place) go_to_time(time_);
}

void DuelTrack::go_to_time(Cycles t) {
    begin_placing(std::max<Cycles>(t, 0));
}

void DuelTrack::begin_placing(Cycles t) {
    for (const auto& side : sides_)
        side->stop_moving();
    goal_ = Goal::place;
    time_ = t;
    left_placed_ = started_[0] = started_[1] = false;
}

void DuelTrack::step_events(int n) {
    if (n == 0) return;
    steps_ = goal_ == Goal::step ? steps_ + n : n;
    goal_ = Goal::step;
}

void DuelTrack::go_to_next_tick() {
    goal_ = Goal::tick;
}

void DuelTrack::stop_moving() {
    for (const auto& side : sides_)
        side->stop_moving();
    goal_ = Goal::none;
    time_ = sides_[0]->machine().now();
}

bool DuelTrack::work(const Deadline& deadline) {
    if (goal_ == Goal::step || goal_ == Goal::tick) {
        if (!find(deadline)) return false;
        begin_placing(time_);
    }
    if (goal_ == Goal::none) return true;
    if (!left_placed_) {
        if (!place(0, time_, deadline)) return false;
        left_placed_ = true;
    }
    if (lockstep_ == Lockstep::time ? !place(1, time_, deadline) : !catch_up(deadline)) return false;
    goal_ = Goal::none;
    return true;
}

bool DuelTrack::find(const Deadline& deadline) {
    const bool found = goal_ == Goal::step ? find_step(deadline) : find_tick(deadline);
    return found || gave_up_;
}

bool DuelTrack::find_step(const Deadline& deadline) {
    while (steps_ != 0) {
        std::optional<Cycles> nearest;
        for (std::size_t i = 0; i < clocks(); ++i) {
            if (steps_ > 0) {
                const auto t = next(i, time_, deadline, [](const Event&) { return true; });
                if (!t) return false;
                nearest = std::min(nearest.value_or(*t), *t);
            } else if (const auto t = previous(i, time_)) {
                nearest = std::max(nearest.value_or(*t), *t);
            }
        }
        time_ = nearest.value_or(0);
        steps_ += steps_ > 0 ? -1 : 1;
        if (time_ == 0 && steps_ < 0) steps_ = 0;
    }
    return true;
}

bool DuelTrack::find_tick(const Deadline& deadline) {
    const auto entry = [](const Event& e) { return e.kind == EventKind::local_timer_entry; };
    const auto exit = [](const Event& e) { return e.kind == EventKind::local_timer_exit; };
    std::optional<Cycles> first;
    std::array<Cycles, 2> begin{};
    for (std::size_t i = 0; i < clocks(); ++i) {
        const auto t = next(i, time_, deadline, entry);
        if (!t) return false;
        begin[i] = *t;
        first = std::min(first.value_or(*t), *t);
    }
    if (*first - 1 > time_) {
        time_ = *first - 1;
        return true;
    }
    // Standing before it: over it, on every machine whose tick is under way meanwhile.
    Cycles end = *first;
    for (std::size_t i = 0; i < clocks(); ++i) {
        if (begin[i] > end) continue;
        const auto t = next(i, begin[i], deadline, exit);
        if (!t) return false;
        end = std::max(end, *t);
    }
    time_ = end;
    return true;
}

template <typename Wanted>
std::optional<Cycles> DuelTrack::next(std::size_t i, Cycles t, const Deadline& deadline, Wanted wanted) {
    SimulationTrack& track = *sides_[i];
    const Cycles give_up = t + static_cast<Cycles>(hz() * kSearchSeconds);
    std::uint64_t index = track.history().upper_bound(t);
    for (;;) {
        for (; index < track.history().end_index(); ++index)
            if (wanted(track.history()[index])) return track.history()[index].time;
        // The end of what is known, which may lie ahead of where the machine stands.
        if (track.moving()) {
            if (!track.work(deadline)) return {};
        } else if (track.machine().event_count() < track.history().end_index()) {
            track.go_to_events(track.history().end_index());
        } else if (track.machine().now() >= give_up) {
            gave_up_ = true;
            return {};
        } else {
            track.run_to_time(std::max(track.machine().now(), t) + kLook, deadline);
            note(i);
        }
        if (deadline.over()) return {};
    }
}

std::optional<Cycles> DuelTrack::previous(std::size_t i, Cycles t) const {
    const History& history = sides_[i]->history();
    const std::uint64_t index = history.upper_bound(t - 1);
    if (index > history.first_index()) return history[index - 1].time;
    // Forgotten: going there brings it back.
    if (history.first_index() > 0 && index < history.end_index())
        return std::max<Cycles>(history[index].time - 1, 0);
    return {};
}

bool DuelTrack::place(std::size_t i, Cycles t, const Deadline& deadline) {
    SimulationTrack& track = *sides_[i];
    if (!std::exchange(started_[i], true) && track.machine().now() >= t) track.go_to_time(t);
    if (track.moving() && !track.work(deadline)) return false;
    while (track.machine().now() < t) {
        track.run_to_time(std::min(track.machine().now() + kLook, t), deadline);
        note(i);
        if (track.machine().now() < t && deadline.over()) return false;
    }
    return true;
}

bool DuelTrack::catch_up(const Deadline& deadline) {
    SimulationTrack& track = *sides_[1];
    const std::uint64_t goal = sides_[0]->machine().work().work;
    if (!std::exchange(started_[1], true)) {
        const Cycles now = track.machine().now();
        const bool known = before_.time == now - kGrain;
        if (known && before_.work < goal && track.machine().work().work >= goal) return true;
        // The last place known to be short of it.
        const auto after = std::lower_bound(samples_.begin(), samples_.end(), goal,
                                            [](const Sample& s, std::uint64_t w) { return s.work < w; });
        const Cycles from = after == samples_.begin() ? 0 : std::prev(after)->time;
        if (now < from || now % kGrain != 0 || track.machine().work().work >= goal) track.go_to_time(from);
    }
    if (track.moving() && !track.work(deadline)) return false;
    while (track.machine().work().work < goal) {
        before_ = {track.machine().now(), track.machine().work().work};
        track.run_to_time(before_.time + kGrain, Deadline::never());
        note(1);
        if (deadline.over()) return false;
    }
    return true;
}

void DuelTrack::note(std::size_t i) {
    const MachineRun& machine = sides_[i]->machine();
    const WorkMark lap = machine.lap();
    auto& laps = laps_[i];
    if (lap.laps > 0) laps.insert_or_assign(lap.laps, lap);
    if (laps.size() > kMaxLaps) // never the one that has just come
        laps.erase(laps.begin()->first == lap.laps ? std::prev(laps.end()) : laps.begin());
    if (i == 1 && machine.now() % kGrain == 0 && machine.now() >= samples_.back().time + sample_spacing_) {
        samples_.push_back({machine.now(), machine.work().work});
        if (samples_.size() > kMaxSamples) {
            for (std::size_t k = 0; 2 * k < samples_.size(); ++k)
                samples_[k] = samples_[2 * k];
            samples_.resize((samples_.size() + 1) / 2);
            sample_spacing_ *= 2;
        }
    }
}

void DuelTrack::fill(const ViewNeeds& needs, DuelSnapshot& out) {
    out.lockstep = lockstep_;
    for (std::size_t i = 0; i < 2; ++i) {
        SimulationTrack& track = *sides_[i];
        auto snapshot = std::make_shared<Snapshot>();
        track.fill(needs, 0, *snapshot);
        const WorkMark now = track.machine().work();
        DuelSide& side = out.sides[i];
        side.work = now.work;
        side.laps = track.machine().lap().laps;
        side.time = track.machine().now();
        side.ticks = now.ticks;
        side.cr3_loads = now.cr3_loads;
        side.walks = now.mmu.walks;
        side.buckets = now.buckets;
        side.shares = curve_shares(now.buckets, now.stalls);
        side.snapshot = std::move(snapshot);
    }
    const std::uint64_t both = std::min(out.sides[0].laps, out.sides[1].laps);
    for (auto left = laps_[0].rbegin(); left != laps_[0].rend(); ++left) {
        if (left->first > both) continue;
        const auto right = laps_[1].find(left->first);
        if (right == laps_[1].end()) continue;
        DuelLap lap;
        lap.laps = left->first;
        lap.work = left->second.work;
        const std::array<const WorkMark*, 2> marks{&left->second, &right->second};
        for (std::size_t i = 0; i < 2; ++i) {
            lap.time[i] = marks[i]->time;
            lap.shares[i] = curve_shares(marks[i]->buckets, marks[i]->stalls);
            lap.ticks[i] = marks[i]->ticks;
            lap.cr3_loads[i] = marks[i]->cr3_loads;
            lap.walks[i] = marks[i]->mmu.walks;
        }
        out.lap = lap;
        break;
    }
}

} // namespace tlbscope
