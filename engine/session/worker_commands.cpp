// What the worker does when the window asks for something.
#include "engine/core/error.h"
#include "engine/session/worker.h"

#include <cmath>

namespace tlbscope {
namespace {

constexpr double kSlowest = 1e-9;

} // namespace

void SessionWorker::set_scenario(const Scenario& scenario, bool restart) {
    std::uint64_t edit;
    {
        const std::lock_guard lock(mutex_);
        asked_ = scenario;
        edit = edits_ += 1;
    }
    post([this, scenario, edit, restart] { take_scenario(scenario, edit, restart); });
}

void SessionWorker::take_scenario(const Scenario& scenario, std::uint64_t edit, bool restart) {
    const auto new_run = [this, scenario, edit] {
        deferred_.clear();
        edit_ = edit;
        publish_soon();
        track_ = std::make_unique<SimulationTrack>(machines_, scenario);
        ++run_;
        selected_ = 0;
        meter_.clear();
        anchor();
        wake();
    };
    if (restart || !is_live_change(track_->scenario(), scenario)) return new_run();
    on_track(true, [this, scenario, edit] {
        edit_ = edit;
        publish_soon();
        if (scenario != track_->scenario()) track_->apply(scenario);
    });
}

void SessionWorker::on_track(bool at_rest, std::function<void()> command) {
    deferred_.push_back({at_rest, std::move(command)});
    run_deferred();
}

void SessionWorker::run_deferred() {
    while (!deferred_.empty() && !(deferred_.front().at_rest && track_->moving())) {
        const auto command = std::move(deferred_.front().command);
        deferred_.pop_front();
        guarded(command);
    }
}

void SessionWorker::play(bool on) {
    if (on && player_ && player_->at_end()) player_->seek(player_->recording().log.first_index());
    playing_ = on;
    if (!on && track_->searching()) track_->stop_moving();
    meter_.clear();
    anchor();
    publish_soon();
    wake();
}

void SessionWorker::set_speed(double speed) {
    if (std::isnan(speed) || speed <= 0)
        throw Error("speed", "it must be above 0",
                    "simulated seconds per host second, 1e-9 to 1 or infinite");
    speed_ = std::max(speed, kSlowest);
    meter_.clear();
    anchor();
    wake();
}

void SessionWorker::step_events(int n) {
    playing_ = false;
    if (player_)
        player_->step_events(n);
    else
        on_track(!track_->stepping(), [this, n] { track_->step_events(n); });
    publish_soon();
    wake();
}

void SessionWorker::step_shootdowns(int n) {
    playing_ = false;
    selected_ = 0;
    if (player_)
        player_->step_shootdowns(n);
    else
        on_track(n > 0 ? !track_->searching() : !track_->stepping(),
                 [this, n] { track_->step_shootdowns(n); });
    publish_soon();
    wake();
}

void SessionWorker::run_to_next_flush() {
    playing_ = false;
    selected_ = 0;
    if (player_)
        player_->go_to_next_flush();
    else
        on_track(true, [this] { track_->go_to_next_flush(); });
    publish_soon();
    wake();
}

void SessionWorker::seek(std::uint64_t index) {
    if (player_)
        player_->seek(index);
    else
        on_track(false, [this, index] { track_->go_to_events(index + 1); });
    anchor();
    publish_soon();
    wake();
}

void SessionWorker::seek_time(std::int64_t ticks) {
    if (player_)
        player_->seek_time(ticks);
    else if (ticks <= 0)
        on_track(false, [this] { track_->go_to_events(0); });
    else
        on_track(false, [this, ticks] { track_->go_to_time(ticks); });
    anchor();
    publish_soon();
    wake();
}

void SessionWorker::select_shootdown(std::uint32_t shootdown) {
    selected_ = shootdown;
    publish_soon();
}

void SessionWorker::set_needs(const ViewNeeds& needs) {
    needs_ = needs;
    publish_soon();
}

void SessionWorker::open_recording(const std::string& path) {
    cancel_load();
    const std::uint64_t id = ++load_id_;
    load_cancel_ = std::make_shared<std::atomic<bool>>(false);
    {
        const std::lock_guard lock(mutex_);
        load_ = {};
        load_.id = id;
        load_.path = path;
        load_.active = true;
    }
    notify();
    boost::asio::post(loading_, [this, id, path, cancel = load_cancel_] {
        std::shared_ptr<const Recording> recording;
        std::string error;
        try {
            if (!*cancel && !stop_)
                recording = loader_(path, [&](std::uint64_t done, std::uint64_t total) {
                    {
                        const std::lock_guard lock(mutex_);
                        if (!*cancel) load_.bytes_done = done, load_.bytes_total = total;
                    }
                    if (!notified_.load()) post([this] { notify(); });
                    return !*cancel && !stop_;
                });
        } catch (const std::exception& e) {
            error = e.what();
        }
        post([this, id, recording = std::move(recording), error = std::move(error)]() mutable {
            load_finished(id, std::move(recording), std::move(error));
        });
    });
}

void SessionWorker::load_finished(std::uint64_t id, std::shared_ptr<const Recording> recording,
                                  std::string error) {
    if (id != load_id_ || !load_cancel_ || *load_cancel_) return;
    load_cancel_.reset();
    {
        const std::lock_guard lock(mutex_);
        load_.active = false;
        load_.error = std::move(error);
        if (recording) {
            load_.bytes_done = load_.bytes_total;
            load_.summary = recording->summary;
            load_.report = recording->report;
        }
    }
    if (recording) {
        playing_ = false;
        player_ = std::make_unique<RecordingPlayer>(std::move(recording));
        // The first shootdown is what one opens a recording for.
        player_->step_shootdowns(1);
        ++run_;
        selected_ = 0;
        meter_.clear();
        anchor();
        publish_soon();
    }
    notify();
}

void SessionWorker::cancel_load() {
    if (!load_cancel_) return;
    {
        const std::lock_guard lock(mutex_);
        *load_cancel_ = true;
        load_.active = false;
    }
    load_cancel_.reset();
    notify();
}

void SessionWorker::close_recording() {
    cancel_load();
    if (!player_) return;
    playing_ = false;
    player_.reset();
    ++run_;
    selected_ = 0;
    meter_.clear();
    anchor();
    publish_soon();
    wake();
}

} // namespace tlbscope
