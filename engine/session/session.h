// The worker thread behind the window: runs a simulation or plays a recording, publishes snapshots.
#pragma once

#include "engine/session/machine_run.h"
#include "engine/session/snapshot.h"
#include "engine/simulation/scenario.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

// What the window can see at the moment; what is not visible is not computed.
struct ViewNeeds {
    bool cells = true;   // the TLB grids
    bool history = true; // timeline and event list
    bool decision = true;
};

// What became of a recording's lines: one line of the import report.
struct ReportLine {
    std::string group; // "events", "unknown", "skipped", …
    std::string what;  // "tlb_flush", "line without a time", …
    std::uint64_t count = 0;
    std::string example; // may be empty
};

struct LoadProgress {
    std::uint64_t id = 0; // grows with every open_recording(); 0: none yet
    std::string path;
    std::uint64_t bytes_done = 0, bytes_total = 0;
    bool active = false;
    std::string error;   // set when the load failed; the previous run or recording stays open
    std::string summary; // set when it ended well: "2 340 202 events, 0 skipped, 0 unknown kinds"
    std::vector<ReportLine> report;
};

struct Recording;
class SessionWorker;

// Runs on the loading thread. `progress` takes bytes done and in all and returns false to stop; the
// result is null then. Throws Error naming the file.
using LoadBytes = std::function<bool(std::uint64_t done, std::uint64_t total)>;
using RecordingLoader =
    std::function<std::shared_ptr<const Recording>(const std::string& path, const LoadBytes& progress)>;

// All members may be called from the GUI thread and return at once: commands are posted to the
// worker (Boost.Asio), which owns every mutable state. The destructor stops and joins the worker
// within a slice (5 ms), whatever it is doing.
class Session {
public:
    // `resources`: folder that holds processors/. `notify` is called on the worker thread, at most
    // once per taken snapshot (coalesced), when snapshot() or load_progress() has something new. It
    // must not call the session's commands with locks of its own held. Throws Error when the
    // processor's file or the scenario is bad.
    Session(std::string resources, std::function<void()> notify, const Scenario& first = {});
    // With other machines and recordings than the usual.
    Session(MachineFactory machines, RecordingLoader loader, std::function<void()> notify,
            const Scenario& first = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Newest published snapshot; never null after construction has returned.
    std::shared_ptr<const Snapshot> snapshot() const;
    LoadProgress load_progress() const;
    // Last error of a command ("threads: 0 is outside 1 … 4096"); cleared by reading.
    std::string take_error();

    void reset(const Scenario& scenario); // new run at time 0, paused state kept
    // Takes effect in the running machine where it can (shift, ceiling, policy, threads, pages,
    // working set); processor, seed, topology or workload need a new run, which it starts.
    void apply(const Scenario& scenario);
    Scenario scenario() const; // as last asked for
    // Number of reset() and apply() so far; Snapshot::edits says which of them it reflects.
    std::uint64_t edits() const;

    // A place in the order of commands. Snapshot::mark reaches it when everything asked for before is
    // done, movements included (loads are not).
    std::uint64_t mark();
    // Blocks until then, or for so long; true when reached. For tests and pictures, not for a window.
    bool wait_for(std::uint64_t mark, double seconds);

    void play();
    void pause();
    // Simulated seconds per host second, 1e-9 … 1; infinity: as fast as possible.
    void set_speed(double simulated_per_host_second);
    // Steps pause; a seek does not. Steps add up while one is still on its way.
    void step_event(int n = 1);     // negative: back
    void step_shootdown(int n = 1); // negative: back
    void run_to_next_flush();       // next tlb_flush on any CPU
    // To the moment at which event `event_index` has just happened. A simulation may go back to any
    // moment of its run; beyond its history that takes a longer re-run (Snapshot::moving).
    void seek(std::uint64_t event_index);
    void seek_time(std::int64_t ticks); // 0 or less: the very start
    // Decision and cost shown; 0 follows the latest.
    void select_shootdown(std::uint32_t shootdown);
    void set_needs(const ViewNeeds& needs);

    void open_recording(const std::string& path); // replaces the simulation when it has loaded
    void cancel_load();
    void close_recording(); // back to the simulation

private:
    std::unique_ptr<SessionWorker> worker_;
};

} // namespace tlbscope
