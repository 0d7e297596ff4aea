// The thread behind a Session: one io_context, commands in, snapshots out.
#pragma once

#include "engine/session/recording_player.h"
#include "engine/session/simulation_track.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tlbscope {

// What is marked "any thread" may be called from any; everything else runs on the worker thread.
class SessionWorker {
public:
    SessionWorker(MachineFactory machines, RecordingLoader loader, std::function<void()> notify,
                  const Scenario& first);
    ~SessionWorker();

    // Any thread.
    template <typename Command>
    void post(Command command) {
        boost::asio::post(io_, [this, command = std::move(command)]() mutable { guarded(command); });
    }
    std::shared_ptr<const Snapshot> snapshot();
    LoadProgress load_progress() const;
    std::string take_error();
    void set_scenario(const Scenario& scenario, bool restart); // counts as an edit
    Scenario scenario() const;
    std::uint64_t edits() const { return edits_.load(); }
    std::uint64_t mark();
    bool wait_for(std::uint64_t mark, double seconds);

    // Commands.
    void play(bool on);
    void set_speed(double simulated_per_host_second);
    void step_events(int n);
    void step_shootdowns(int n);
    void run_to_next_flush();
    void seek(std::uint64_t index);
    void seek_time(std::int64_t ticks);
    void select_shootdown(std::uint32_t shootdown);
    void set_needs(const ViewNeeds& needs);
    void open_recording(const std::string& path);
    void cancel_load();
    void close_recording();

private:
    using Clock = Deadline::Clock;

    template <typename Function>
    void guarded(Function& function) {
        try {
            function();
        } catch (const std::exception& e) {
            report(e.what());
        }
    }
    void report(const std::string& error);
    void notify();

    void take_scenario(const Scenario& scenario, std::uint64_t edit, bool restart);
    // Runs the command on the simulation, after those that wait for a movement to arrive.
    void on_track(bool at_rest, std::function<void()> command);
    void run_deferred();

    void wake(); // have slice() run soon
    void slice();
    void slice_simulation();
    void slice_recording();
    void wait_a_frame();
    void anchor();      // playing goes on from here and now
    double due() const; // ticks since the anchor that should have passed by now

    void publish_soon();
    void publish();
    void measure(Snapshot& snapshot);

    void load_finished(std::uint64_t id, std::shared_ptr<const Recording> recording, std::string error);

    // Shared with other threads.
    mutable std::mutex mutex_;
    std::condition_variable published_;
    std::shared_ptr<const Snapshot> snapshot_;
    LoadProgress load_;
    std::string error_;
    Scenario asked_;
    std::atomic<std::uint64_t> edits_{0}, marks_{0};
    std::atomic<bool> notified_{false}, stop_{false};
    const std::function<void()> notify_;
    const MachineFactory machines_;
    const RecordingLoader loader_;

    // The worker's own.
    std::unique_ptr<SimulationTrack> track_;
    std::unique_ptr<RecordingPlayer> player_; // null: the simulation is shown
    struct Deferred {
        bool at_rest = false;
        std::function<void()> command;
    };
    std::deque<Deferred> deferred_;
    ViewNeeds needs_;
    std::uint32_t selected_ = 0;
    bool playing_ = false;
    double speed_ = 5e-4;
    Clock::time_point anchor_host_{};
    std::int64_t anchor_ticks_ = 0;
    bool slice_posted_ = false, publish_posted_ = false;
    Clock::time_point last_publish_{};
    std::uint64_t run_ = 1, sequence_ = 0, edit_ = 0, mark_ = 0;
    struct Meter {
        Clock::time_point host;
        std::int64_t ticks = 0;
        std::uint64_t accesses = 0;
    };
    std::deque<Meter> meter_;
    std::uint64_t load_id_ = 0;
    std::shared_ptr<std::atomic<bool>> load_cancel_;

    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{io_.get_executor()};
    boost::asio::steady_timer frame_timer_{io_}, publish_timer_{io_};
    boost::asio::thread_pool loading_{1};
    std::thread thread_; // last: everything above lives when it starts
};

} // namespace tlbscope
