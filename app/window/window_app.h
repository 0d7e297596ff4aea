// How the command line starts the window, and how it draws the window without a display.
#pragma once

#include "engine/simulation/scenario.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tlbscope {

struct WindowOptions {
    std::string resources;            // folder that holds processors/
    std::optional<Scenario> scenario; // none: openingScenario()
    std::string recording; // opened at start unless empty; a bad file shows its error in the window
    std::string theme;     // "dark", "light", "contrast"; empty: as chosen last
    double speed = 0;      // simulated seconds per host second; 0: the default
    bool play = true;      // start running
    bool present = false;  // full screen with large type
    std::string page;      // "machine", "curve", "duel"; empty: the one shown last
    std::string scene;     // presented at once unless empty
};

// Makes the QApplication, shows the window and runs until it is closed. Returns the exit status.
// Call on the main thread. Throws Error for an unknown theme or an invalid scenario.
int run_window(int& argc, char** argv, const WindowOptions& options);

struct RenderOptions {
    std::string resources;
    std::string output;               // ends in .png or .svg
    int width = 1600, height = 1000;  // logical pixels, 640 … 16384 × 400 … 16384
    double scale = 1;                 // device pixels a logical pixel, 0.5 … 8
    std::string theme = "dark";       // "dark", "light", "contrast"
    std::optional<Scenario> scenario; // none: as in WindowOptions
    std::string recording;            // drawn instead of a simulation unless empty
    // Where the picture is taken: the first that is set, else a shootdown in flight after 2 ms
    // (simulation) or the first shootdown (recording).
    std::optional<double> at_seconds;      // since the start of the run or of the recording
    std::optional<std::uint64_t> at_event; // index of the event the view stands on
    bool sweeps = true;                    // wait for the throughput charts (simulation only)
    bool present = false;                  // large type
    std::string page = "machine";          // "machine", "curve", "duel"; at_seconds is also the duel's
    std::string scene;                     // a step of a scene instead, unless empty
    std::size_t step = 0;                  // counted from 0
    // Called now and then with 0 … 1; returning false cancels (render_window returns false).
    std::function<bool(double)> progress;
};

// Draws the real main window on Qt's offscreen platform and writes it to options.output. The run is
// deterministic: same options, same picture. Makes its own QApplication when there is none, so it
// must be the only user of Qt in a process without one. False: cancelled, nothing written.
// Throws Error for a bad option, an unreadable recording or an unwritable file.
bool render_window(const RenderOptions& options);

} // namespace tlbscope
