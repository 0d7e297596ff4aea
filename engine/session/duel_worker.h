// The thread behind a Duel: one io_context, commands in, snapshots out.
#pragma once

#include "engine/session/duel_track.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tlbscope {

// What is marked "any thread" may be called from any; everything else runs on the worker thread.
class DuelWorker {
public:
    DuelWorker(MachineFactory machines, std::function<void()> notify, const Scenario& left,
               const Scenario& right);
    ~DuelWorker();

    // Any thread.
    template <typename Command>
    void post(Command command) {
        boost::asio::post(io_, [this, command = std::move(command)]() mutable { guarded(command); });
    }
    std::shared_ptr<const DuelSnapshot> snapshot();
    std::string take_error();
    std::uint64_t mark();
    bool wait_for(std::uint64_t mark, double seconds);

    // Commands.
    void reset(const Scenario& left, const Scenario& right);
    void set_lockstep(Lockstep lockstep);
    void play(bool on);
    void set_speed(double simulated_per_host_second);
    void set_needs(const ViewNeeds& needs);
    // Pauses, and moves: `at_rest` once an earlier movement has arrived, else instead of it.
    void move(std::function<void(DuelTrack&)> movement, bool at_rest);

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

    void wake(); // have slice() run soon
    void slice();
    void advance();
    void run_deferred();
    void wait_a_frame();
    void anchor(); // playing goes on from here and now
    double due() const;
    void publish_soon();
    void publish();

    // Shared with other threads.
    std::mutex mutex_;
    std::condition_variable published_;
    std::shared_ptr<const DuelSnapshot> snapshot_;
    std::string error_;
    std::atomic<std::uint64_t> marks_{0};
    std::atomic<bool> notified_{false}, stop_{false};
    const std::function<void()> notify_;
    const MachineFactory machines_;

    // The worker's own.
    std::unique_ptr<DuelTrack> track_;
    struct Deferred {
        std::function<void()> command;
        bool at_rest = false;
    };
    std::deque<Deferred> deferred_; // until the movement has arrived
    ViewNeeds needs_{true, false, false};
    bool playing_ = false, commanded_ = false;
    double speed_ = 1e-3;
    Clock::time_point anchor_host_{};
    Cycles anchor_time_ = 0;
    Cycles reach_ = 1 << 16; // what a slice can do
    bool slice_posted_ = false, publish_posted_ = false, publish_due_ = false;
    Clock::time_point last_publish_{};
    std::uint64_t run_ = 1, sequence_ = 0, mark_ = 0;
    struct Meter {
        Clock::time_point host;
        Cycles time = 0;
    };
    std::deque<Meter> meter_;

    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{io_.get_executor()};
    boost::asio::steady_timer frame_timer_{io_}, publish_timer_{io_};
    std::thread thread_; // last: everything above lives when it starts
};

} // namespace tlbscope
