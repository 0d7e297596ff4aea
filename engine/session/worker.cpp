// The worker's life, its slices and what it publishes.
#include "engine/session/worker.h"

#include <boost/asio/executor_work_guard.hpp>

#include <cmath>

namespace tlbscope {
namespace {

constexpr auto kSlice = std::chrono::milliseconds(4);
constexpr auto kFrame = std::chrono::milliseconds(16);
// Lag that is forgiven instead of made up for.
constexpr double kMaxLagSeconds = 0.1;
constexpr auto kMeterSpan = std::chrono::milliseconds(700);

double seconds(Deadline::Clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

} // namespace

SessionWorker::SessionWorker(MachineFactory machines, RecordingLoader loader, std::function<void()> notify,
                             const Scenario& first)
    : asked_(first), notify_(std::move(notify)), machines_(std::move(machines)), loader_(std::move(loader)) {
    track_ = std::make_unique<SimulationTrack>(machines_, first);
    publish();
    notified_ = false;
    thread_ = std::thread([this] {
        for (;;) {
            try {
                io_.run();
                return;
            } catch (const std::exception& e) {
                report(e.what());
            }
        }
    });
}

SessionWorker::~SessionWorker() {
    stop_ = true;
    post([this] {
        if (load_cancel_) *load_cancel_ = true;
        io_.stop();
    });
    guard_.reset();
    thread_.join();
    loading_.stop();
    loading_.join();
}

std::shared_ptr<const Snapshot> SessionWorker::snapshot() {
    notified_ = false;
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

LoadProgress SessionWorker::load_progress() const {
    const std::lock_guard lock(mutex_);
    return load_;
}

std::string SessionWorker::take_error() {
    const std::lock_guard lock(mutex_);
    return std::exchange(error_, {});
}

Scenario SessionWorker::scenario() const {
    const std::lock_guard lock(mutex_);
    return asked_;
}

std::uint64_t SessionWorker::mark() {
    const std::uint64_t mark = marks_ += 1;
    post([this, mark] {
        on_track(true, [this, mark] {
            mark_ = mark;
            publish_soon();
        });
    });
    return mark;
}

bool SessionWorker::wait_for(std::uint64_t mark, double seconds) {
    std::unique_lock lock(mutex_);
    return published_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [&] { return snapshot_->mark >= mark; });
}

void SessionWorker::report(const std::string& error) {
    {
        const std::lock_guard lock(mutex_);
        error_ = error;
    }
    notify();
}

void SessionWorker::notify() {
    if (!notified_.exchange(true) && notify_) notify_();
}

void SessionWorker::wake() {
    if (std::exchange(slice_posted_, true)) return;
    post([this] { slice(); });
}

void SessionWorker::slice() {
    slice_posted_ = false;
    if (stop_) return;
    try {
        if (player_)
            slice_recording();
        else
            slice_simulation();
    } catch (...) {
        // A machine that fails must not fail again and again.
        playing_ = false;
        track_->stop_moving();
        deferred_.clear();
        publish_soon();
        throw;
    }
}

void SessionWorker::slice_simulation() {
    const Deadline deadline = Deadline::in(kSlice, &stop_);
    if (track_->moving()) {
        const bool arrived = track_->work(deadline);
        publish_soon();
        if (!arrived) return wake();
        if (track_->gave_up()) report("no such flush within 200 ms of simulated time; stopped there");
        meter_.clear();
        anchor();
        run_deferred();
        return wake();
    }
    if (!playing_) return;
    if (std::isinf(speed_)) {
        track_->run_to_time(track_->machine().now() + (Cycles{1} << 40), deadline);
        publish_soon();
        return wake();
    }
    const Cycles target = anchor_ticks_ + static_cast<Cycles>(due());
    const bool reached = track_->run_to_time(target, deadline);
    publish_soon();
    if (reached) return wait_a_frame();
    const double lag = due() + static_cast<double>(anchor_ticks_ - track_->machine().now());
    if (lag > kMaxLagSeconds * speed_ * track_->machine().description()->hz) anchor();
    wake();
}

void SessionWorker::slice_recording() {
    if (!playing_) return;
    if (std::isinf(speed_))
        player_->seek(player_->recording().log.end_index());
    else
        player_->seek_time(anchor_ticks_ + static_cast<std::int64_t>(due()));
    if (player_->at_end()) playing_ = false;
    publish_soon();
    if (playing_) wait_a_frame();
}

void SessionWorker::wait_a_frame() {
    frame_timer_.expires_after(kFrame / 2);
    frame_timer_.async_wait([this](const boost::system::error_code& error) {
        if (!error) wake();
    });
}

void SessionWorker::anchor() {
    anchor_host_ = Clock::now();
    anchor_ticks_ = player_ ? player_->now() : track_->machine().now();
}

double SessionWorker::due() const {
    const double hz = player_ ? player_->ticks_per_second() : track_->machine().description()->hz;
    return std::min(seconds(Clock::now() - anchor_host_) * speed_ * hz, 1e18);
}

void SessionWorker::publish_soon() {
    if (std::exchange(publish_posted_, true)) return;
    const auto run = [this](const boost::system::error_code& error) {
        if (error) return;
        auto now = [this] { publish(); };
        guarded(now);
    };
    // Also without delay it goes through the queue: commands that wait there share one snapshot.
    publish_timer_.expires_at(std::max(last_publish_ + kFrame, Clock::now()));
    publish_timer_.async_wait(run);
}

void SessionWorker::publish() {
    publish_posted_ = false;
    last_publish_ = Clock::now();
    auto next = std::make_shared<Snapshot>();
    if (player_) {
        player_->fill(needs_, selected_, *next);
        next->scenario = track_->scenario();
    } else {
        track_->fill(needs_, selected_, *next);
    }
    next->run = run_;
    next->sequence = ++sequence_;
    next->edits = edit_;
    next->mark = mark_;
    next->running = playing_;
    measure(*next);
    {
        const std::lock_guard lock(mutex_);
        snapshot_ = std::move(next);
    }
    published_.notify_all();
    notify();
}

void SessionWorker::measure(Snapshot& s) {
    if (!playing_ || s.moving) {
        meter_.clear();
        return;
    }
    const Meter here{last_publish_, s.now, s.counters.tlb_accesses};
    if (!meter_.empty() && meter_.back().ticks > here.ticks) meter_.clear();
    meter_.push_back(here);
    while (meter_.size() > 2 && here.host - meter_[1].host >= kMeterSpan)
        meter_.pop_front();
    const Meter& from = meter_.front();
    const double host = seconds(here.host - from.host);
    if (host <= 0 || here.ticks <= from.ticks) return;
    s.slowdown = host * s.machine->hz / static_cast<double>(here.ticks - from.ticks);
    if (here.accesses >= from.accesses)
        s.accesses_per_host_second = static_cast<double>(here.accesses - from.accesses) / host;
}

} // namespace tlbscope
