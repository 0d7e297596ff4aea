#include "engine/session/duel_worker.h"

#include "engine/core/error.h"

#include <cmath>

namespace tlbscope {
namespace {

constexpr auto kSlice = std::chrono::milliseconds(4);
constexpr auto kFrame = std::chrono::milliseconds(16);
constexpr auto kMeterSpan = std::chrono::milliseconds(700);
// Lag that is forgiven instead of made up for.
constexpr double kMaxLagSeconds = 0.1;
constexpr double kSlowest = 1e-9;

double seconds(Deadline::Clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

} // namespace

DuelWorker::DuelWorker(MachineFactory machines, std::function<void()> notify, const Scenario& left,
                       const Scenario& right)
    : notify_(std::move(notify)), machines_(std::move(machines)) {
    track_ = std::make_unique<DuelTrack>(machines_, left, right);
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

DuelWorker::~DuelWorker() {
    stop_ = true;
    post([this] { io_.stop(); });
    guard_.reset();
    thread_.join();
}

std::shared_ptr<const DuelSnapshot> DuelWorker::snapshot() {
    notified_ = false;
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

std::string DuelWorker::take_error() {
    const std::lock_guard lock(mutex_);
    return std::exchange(error_, {});
}

std::uint64_t DuelWorker::mark() {
    const std::uint64_t mark = marks_ += 1;
    post([this, mark] {
        const auto reached = [this, mark] {
            mark_ = mark;
            publish_soon();
        };
        deferred_.push_back({reached, true});
        run_deferred();
    });
    return mark;
}

bool DuelWorker::wait_for(std::uint64_t mark, double span) {
    std::unique_lock lock(mutex_);
    return published_.wait_for(lock, std::chrono::duration<double>(span),
                               [&] { return snapshot_->mark >= mark; });
}

void DuelWorker::report(const std::string& error) {
    {
        const std::lock_guard lock(mutex_);
        error_ = error;
    }
    notify();
}

void DuelWorker::notify() {
    if (!notified_.exchange(true) && notify_) notify_();
}

void DuelWorker::reset(const Scenario& left, const Scenario& right) {
    auto track = std::make_unique<DuelTrack>(machines_, left, right);
    track->set_lockstep(track_->lockstep());
    track_ = std::move(track);
    // Movements on the old machines have nowhere to go; marks are still waited for.
    ++run_;
    meter_.clear();
    anchor();
    publish_soon();
    wake();
    run_deferred();
}

void DuelWorker::set_lockstep(Lockstep lockstep) {
    track_->set_lockstep(lockstep);
    publish_soon();
    wake();
}

void DuelWorker::play(bool on) {
    playing_ = on;
    meter_.clear();
    anchor();
    publish_soon();
    wake();
}

void DuelWorker::set_speed(double speed) {
    if (std::isnan(speed) || speed <= 0)
        throw Error("speed", "it must be above 0",
                    "simulated seconds per host second, 1e-9 to 1 or infinite");
    speed_ = std::max(speed, kSlowest);
    meter_.clear();
    anchor();
    publish_soon();
    wake();
}

void DuelWorker::set_needs(const ViewNeeds& needs) {
    needs_ = needs;
    publish_soon();
}

void DuelWorker::move(std::function<void(DuelTrack&)> movement, bool at_rest) {
    playing_ = false;
    const auto begin = [this, movement = std::move(movement)] {
        commanded_ = true;
        movement(*track_);
    };
    deferred_.push_back({begin, at_rest});
    run_deferred();
    publish_soon();
    wake();
}

void DuelWorker::run_deferred() {
    while (!deferred_.empty() && !(deferred_.front().at_rest && track_->moving())) {
        const auto command = std::move(deferred_.front().command);
        deferred_.pop_front();
        guarded(command);
    }
}

void DuelWorker::wake() {
    if (std::exchange(slice_posted_, true)) return;
    post([this] {
        slice_posted_ = false;
        slice();
    });
}

void DuelWorker::slice() {
    if (stop_) return;
    try {
        advance();
    } catch (...) {
        // A machine that fails must not fail again and again.
        playing_ = false;
        track_->stop_moving();
        run_deferred();
        publish_soon();
        throw;
    }
}

void DuelWorker::advance() {
    const Deadline deadline = Deadline::in(kSlice, &stop_);
    if (!track_->moving() && playing_) {
        Cycles target = track_->time() + reach_;
        if (!std::isinf(speed_))
            target = std::min(target, anchor_time_ + static_cast<Cycles>(std::llround(due())));
        if (target <= track_->time()) return wait_a_frame();
        track_->go_to_time(target);
    }
    if (!track_->moving()) return;
    const Cycles from = track_->side(0).machine().now();
    const auto begin = Clock::now();
    const bool arrived = track_->work(deadline);
    if (!arrived) {
        reach_ = std::max<Cycles>(reach_ / 2, DuelTrack::kGrain);
        return wake();
    }
    if (std::exchange(commanded_, false)) { // playing goes on from there
        anchor();
        meter_.clear();
    }
    if (track_->gave_up()) report("no such event within 200 ms of simulated time; stopped there");
    if (track_->time() - from >= reach_ && Clock::now() - begin < kSlice / 2)
        reach_ = std::min<Cycles>(reach_ * 2, Cycles{1} << 36);
    if (publish_due_)
        publish();
    else
        publish_soon();
    if (!playing_) {
        run_deferred();
        return wake();
    }
    const double lag = due() + static_cast<double>(anchor_time_ - track_->time());
    if (!std::isinf(speed_) && lag > kMaxLagSeconds * speed_ * track_->hz() + static_cast<double>(reach_))
        anchor();
    run_deferred();
    wake();
}

void DuelWorker::wait_a_frame() {
    frame_timer_.expires_after(kFrame / 2);
    frame_timer_.async_wait([this](const boost::system::error_code& error) {
        if (!error) wake();
    });
}

void DuelWorker::anchor() {
    anchor_host_ = Clock::now();
    anchor_time_ = track_->time();
}

double DuelWorker::due() const {
    return std::min(seconds(Clock::now() - anchor_host_) * std::min(speed_, 1e6) * track_->hz(), 1e18);
}

void DuelWorker::publish_soon() {
    if (std::exchange(publish_posted_, true)) return;
    publish_timer_.expires_at(std::max(last_publish_ + kFrame, Clock::now()));
    publish_timer_.async_wait([this](const boost::system::error_code& error) {
        if (error) return;
        auto now = [this] { publish(); };
        guarded(now);
    });
}

// Between two movements both machines stand where they belong; while one is on its way, what was shown
// before stays.
void DuelWorker::publish() {
    if (track_->moving() && playing_ && snapshot_ && snapshot_->run == run_) {
        publish_due_ = true; // on arrival, which is near
        return;
    }
    publish_posted_ = publish_due_ = false;
    last_publish_ = Clock::now();
    auto next = std::make_shared<DuelSnapshot>();
    const bool elsewhere = track_->moving() && snapshot_ && snapshot_->run == run_;
    if (elsewhere)
        *next = *snapshot_;
    else
        track_->fill(needs_, *next);
    next->run = run_;
    next->sequence = ++sequence_;
    next->mark = mark_;
    next->running = playing_;
    next->moving = elsewhere;
    next->speed = speed_;
    next->slowdown = 0;
    if (playing_) {
        const Meter here{last_publish_, next->sides[0].time};
        if (!meter_.empty() && meter_.back().time > here.time) meter_.clear();
        meter_.push_back(here);
        while (meter_.size() > 2 && here.host - meter_[1].host >= kMeterSpan)
            meter_.pop_front();
        const Meter& from = meter_.front();
        if (here.time > from.time)
            next->slowdown =
                seconds(here.host - from.host) * track_->hz() / static_cast<double>(here.time - from.time);
    }
    {
        const std::lock_guard lock(mutex_);
        snapshot_ = std::move(next);
    }
    published_.notify_all();
    notify();
}

} // namespace tlbscope
