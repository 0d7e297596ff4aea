#include "app/cli/window_command.h"

#include "app/resource_folder.h"
#include "app/window/window_app.h"
#include "engine/core/error.h"

#include <algorithm>
#include <cstdlib>

namespace tlbscope {

namespace {

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

} // namespace

void WindowCommand::add_to(CLI::App& app) {
    app.add_option("FILE", recording_,
                   "A recording to open: kernel trace text, trace-cmd report text or perf script text.")
        ->type_name("");
    const auto keep = [this](CLI::Option* option) {
        options_.push_back(option->group("Window"));
        return option;
    };
    keep(app.add_option("--theme", theme_,
                        "Colours of the window: dark, light or contrast. Otherwise as chosen last."))
        ->type_name("NAME")
        ->check(CLI::IsMember({"dark", "light", "contrast"}));
    keep(app.add_option(
             "--speed", speed_,
             "Simulated seconds a second to start with, 1e-9 to 1. Otherwise slow enough to follow."))
        ->type_name("N")
        ->default_str("")
        ->check(CLI::Range(1e-9, 1.0));
    keep(app.add_flag("--paused", paused_, "Starts paused."));
    keep(app.add_option("--page", page_,
                        "What to begin with: machine, curve or duel. Otherwise as shown last."))
        ->type_name("NAME")
        ->check(CLI::IsMember({"machine", "curve", "duel"}));
    keep(app.add_option("--scene", scene_,
                        "Presents a scripted scene, for example where-did-the-17-percent-go."))
        ->type_name("ID");
    keep(app.add_flag("--present", present_, "Starts in full screen with large type, for an audience."));
    scenario_.add_to(app);
}

void WindowCommand::refuse_options(const std::string& subcommand) const {
    const bool given = scenario_.given() || std::any_of(options_.begin(), options_.end(),
                                                        [](const auto* o) { return o->count() > 0; });
    if (given)
        throw UsageError("options of " + subcommand + " stand behind it: tlbscope " + subcommand +
                         " --threads 8");
    if (!recording_.empty())
        throw UsageError("a file stands behind the subcommand: tlbscope " + subcommand + " " + recording_);
}

int WindowCommand::run() {
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") && !is_set("QT_QPA_PLATFORM"))
        throw Error(
            "window", "there is no display: DISPLAY and WAYLAND_DISPLAY are not set",
            "tlbscope render OUT.png draws the window into a file; simulate, sweep and inspect need none");
    WindowOptions options;
    options.resources = resource_folder();
    if (scenario_.given()) options.scenario = scenario_.scenario(options.resources);
    options.recording = recording_;
    options.theme = theme_;
    options.speed = speed_;
    options.play = !paused_;
    options.present = present_;
    options.page = page_;
    options.scene = scene_;
    return run_window(argc_, argv_, options);
}

} // namespace tlbscope
