#include "app/cli/render_command.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/resource_folder.h"
#include "app/window/window_app.h"

#include <QString>

#include <cstdio>

namespace tlbscope {

namespace {

// "1600x1000"
std::pair<int, int> parse_size(const std::string& text) {
    int width = 0, height = 0, used = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) != 2 ||
        static_cast<std::size_t>(used) != text.size())
        throw UsageError("--size " + text + " is not WIDTHxHEIGHT, for example 1600x1000");
    if (width < 640 || width > 16384 || height < 400 || height > 16384)
        throw UsageError("--size " + text + " is outside 640 to 16384 by 400 to 16384");
    return {width, height};
}

// Qt's offscreen platform remarks on what a picture does not need; everything else is passed on.
void print_message(QtMsgType, const QMessageLogContext&, const QString& message) {
    if (message.contains(QLatin1String("propagateSizeHints")) ||
        message.contains(QLatin1String("XDG_RUNTIME_DIR")))
        return;
    std::fprintf(stderr, "%s\n", message.toLocal8Bit().constData());
}

} // namespace

void RenderCommand::add_to(CLI::App& app) {
    app.add_option("OUT", output_, "The picture to write; its name ends in .png or .svg.")
        ->required()
        ->check([](const std::string& name) -> std::string {
            return name.ends_with(".png") || name.ends_with(".svg")
                       ? ""
                       : name + " ends neither in .png nor in .svg";
        })
        ->type_name("");
    app.add_option("--size", size_, "Width and height of the window in logical pixels.")->type_name("WxH");
    app.add_option("--scale", scale_, "Device pixels a logical pixel, 0.5 to 8; 2 for a sharp print.")
        ->type_name("N")
        ->check(CLI::Range(0.5, 8.0));
    app.add_option("--theme", theme_, "Colours of the window: dark, light or contrast.")
        ->type_name("NAME")
        ->check(CLI::IsMember({"dark", "light", "contrast"}));
    app.add_option("--recording", recording_, "Draws this recording instead of a simulation.")
        ->type_name("FILE");
    auto* at = app.add_option("--at", at_microseconds_,
                              "The moment to draw, in microseconds since the start of the run or of the "
                              "recording. Otherwise a shootdown in flight, or the recording's first.");
    at->type_name("MICROSECONDS")->check(CLI::Range(0.0, 1e12));
    app.add_option("--event", at_event_, "The moment to draw, as the number of an event.")
        ->type_name("N")
        ->excludes(at);
    app.add_flag("--no-sweeps", no_sweeps_,
                 "Does not wait for the charts of throughput against a parameter.");
    auto* page = app.add_option("--page", page_, "What to draw: machine, curve or duel (two side by side).");
    page->type_name("NAME")->check(CLI::IsMember({"machine", "curve", "duel"}));
    auto* scene = app.add_option("--scene", scene_, "Draws a step of this scripted scene.");
    scene->type_name("ID")->excludes(page);
    app.add_option("--step", step_, "The step of the scene, 1 for the first.")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->needs(scene);
    app.add_flag("--present", present_, "Draws with the large type of the presentation mode.");
    scenario_.add_to(app);
}

int RenderCommand::run() {
    RenderOptions options;
    options.resources = resource_folder();
    options.output = output_;
    std::tie(options.width, options.height) = parse_size(size_);
    options.scale = scale_;
    options.theme = theme_;
    options.recording = recording_;
    if (scenario_.given()) {
        if (!recording_.empty())
            throw UsageError("--recording draws a recording; the options of a scenario do not apply");
        options.scenario = scenario_.scenario(options.resources);
    }
    if (at_microseconds_) options.at_seconds = *at_microseconds_ * 1e-6;
    options.at_event = at_event_;
    options.sweeps = !no_sweeps_;
    options.present = present_;
    options.page = page_;
    options.scene = scene_;
    options.step = static_cast<std::size_t>(step_ - 1);
    if (!recording_.empty() && (page_ != "machine" || !scene_.empty()))
        throw UsageError("--recording draws a recording on the machine's page");

    qInstallMessageHandler(print_message);
    const InterruptGuard guard;
    Progress progress("drawing");
    options.progress = [&](double share) {
        progress.show(share);
        return !InterruptGuard::requested();
    };
    const bool written = render_window(options);
    progress.finish();
    if (!written) {
        std::fprintf(stderr, "tlbscope: interrupted, %s was not written\n", output_.c_str());
        return exit_failed;
    }
    return exit_done;
}

} // namespace tlbscope
