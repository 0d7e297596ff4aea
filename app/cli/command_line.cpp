#include "app/cli/command_line.h"

#include "app/cli/attribute_command.h"
#include "app/cli/catalogue.h"
#include "app/cli/curve_command.h"
#include "app/cli/help_formatter.h"
#include "app/cli/hint_command.h"
#include "app/cli/inspect_command.h"
#include "app/cli/render_command.h"
#include "app/cli/simulate_command.h"
#include "app/cli/sweep_command.h"
#include "app/cli/validate_command.h"
#include "app/cli/window_command.h"
#include "engine/core/error.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

namespace tlbscope {

namespace {

const char* const kAbout = "tlbscope shows what the TLBs of a machine are doing while its kernel flushes "
                           "them: who sends the shootdown "
                           "IPI, who waits, who is interrupted, why the kernel chose a range flush or a full "
                           "flush, and what that costs "
                           "in refills. Without a subcommand it opens its window, which simulates ebizzy on "
                           "an Ivy Bridge, or shows the "
                           "recording FILE.";

const char* const kFooter =
    "The exit status is 0 when all was done, 1 when something failed or was interrupted, 2 for wrong usage.\n"
    "Every subcommand explains itself: tlbscope simulate --help.";

struct Entry {
    CLI::App* app;
    std::unique_ptr<Command> command;
};

template <class T>
void add_command(std::vector<Entry>& entries, CLI::App& app, const char* name, const char* description) {
    CLI::App* sub = app.add_subcommand(name, description);
    auto command = std::make_unique<T>();
    command->add_to(*sub);
    entries.push_back({sub, std::move(command)});
}

int complain(const std::string& what, int status) {
    std::fflush(stdout);
    std::fprintf(stderr, "tlbscope: %s\n", what.c_str());
    return status;
}

int run(int argc, char** argv) {
    CLI::App app(kAbout, "tlbscope");
    app.formatter(std::make_shared<HelpFormatter>());
    app.option_defaults()->always_capture_default();
    app.set_help_flag("-h,--help", "Prints this help and ends.");
    app.set_version_flag("--version", "tlbscope " TLBSCOPE_VERSION, "Prints the version and ends.");
    app.footer(kFooter);
    app.require_subcommand(0, 1);

    Catalogue catalogue;
    catalogue.add_to(app);
    WindowCommand window(argc, argv);
    window.add_to(app);
    std::vector<Entry> entries;
    add_command<SimulateCommand>(
        entries, app, "simulate",
        "Runs one simulation without a window and prints its throughput, the kernel's "
        "counters, and whose cycles went where.");
    add_command<SweepCommand>(
        entries, app, "sweep",
        "Simulates a parameter over a range of values and prints the throughput at each.");
    add_command<CurveCommand>(entries, app, "curve",
                              "Runs HINT or a walk over working sets on several kernels and prints the "
                              "throughput at each, the knees and where one kernel falls behind.");
    add_command<AttributeCommand>(
        entries, app, "attribute",
        "Splits the difference between two kernels at one working set into ticks, CR3 "
        "loads, TLB refills and data misses.");
    add_command<HintCommand>(entries, app, "hint",
                             "Runs HINT by its own driver's procedure and prints its table and net QUIPS.");
    add_command<ValidateCommand>(entries, app, "validate",
                                 "Holds the model against published figures, a row for each.");
    add_command<InspectCommand>(entries, app, "inspect",
                                "Reads a recording of a real kernel and prints what is in it.");
    add_command<RenderCommand>(entries, app, "render",
                               "Draws the window into a PNG or SVG file; it needs no display.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& stop) {
        const int status = app.exit(stop, std::cout, std::cerr); // help and version count as done
        return status == 0 ? exit_done : exit_usage;
    }
    try {
        if (catalogue.asked()) return catalogue.run();
        for (const Entry& entry : entries) {
            if (!entry.app->parsed()) continue;
            window.refuse_options(entry.app->get_name());
            return entry.command->run();
        }
        return window.run();
    } catch (const UsageError& error) {
        return complain(error.what() + std::string("\nRun with --help for more information."), exit_usage);
    }
}

} // namespace

int run_command_line(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const Error& error) {
        const std::string hint = error.hint().empty() ? "" : "\n  " + error.hint();
        return complain(error.where() + ": " + error.problem() + hint, exit_failed);
    } catch (const std::bad_alloc&) {
        return complain("out of memory", exit_failed);
    } catch (const std::exception& error) {
        return complain(error.what(), exit_failed);
    }
}

} // namespace tlbscope
