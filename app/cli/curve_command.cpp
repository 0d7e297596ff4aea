#include "app/cli/curve_command.h"

#include "app/cli/curve_figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/size_text.h"
#include "app/resource_folder.h"
#include "engine/core/error.h"
#include "engine/experiment/curve_results.h"

#include <cstdio>

namespace tlbscope {

namespace {

const char* const kFooter =
    "Prints a line for each working set and a column for each kernel: the median of the placement seeds, "
    "with the 5 and 95 % quantile where there are several. Below it the knee of every curve, and against the "
    "first one the window in which another is slower by more than 2 %, and where it falls behind by more "
    "than 0.5 %. Sizes are on the program's own axis: HINT counts 84 bytes a subinterval (INT 44) and "
    "touches "
    "96 (52).\n"
    "\n"
    "JSON keys: version, processor, l2_kib, workload, unit, seed, seeds, work, complete, and the arrays "
    "points, "
    "curves and comparisons. CSV has the points. Their keys:\n"
    "  points       curve, split, hz, placement, subintervals (walks: pages), bytes, touched_bytes, seeds,\n"
    "               throughput (median, in unit), throughput_low and _high, standard_error (relative, of\n"
    "               the worst run, over batches of laps)\n"
    "  curves       curve, and knee_bytes, knee_before, knee_after where there is one\n"
    "  comparisons  curve against the first: window_first, window_last, worst, loss (0 to 1), crossing,\n"
    "               where there are\n"
    "Ctrl-C prints what is there, with complete false, and ends with status 1.";

} // namespace

void CurveCommand::add_to(CLI::App& app) {
    app.add_option("--from", from_, "Smallest working set; k and M are KiB and MiB.")->type_name("SIZE");
    app.add_option("--to", to_, "Largest working set.")->type_name("SIZE");
    auto* points = app.add_option("--points", points_, "Points, evenly on a logarithmic axis, 1 to 1000.")
                       ->type_name("N")
                       ->check(CLI::Range(1, 1000));
    app.add_option("--advance", advance_,
                   "HINT's own points instead, from 2 subintervals by this factor, 1.01 to 4; its runs of "
                   "2004 had 1.1.")
        ->type_name("X")
        ->default_str("")
        ->check(CLI::Range(1.01, 4.0))
        ->excludes(points);
    app.add_option("--seeds", seeds_, "Placement seeds a point, 1 to 1000, counted up from --seed.")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--work", work_,
                   "HINT iterations or accesses that a run measures, rounded up to whole laps, two at least.")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
    app.add_option("--jobs", jobs_,
                   "Threads of this machine to use; 0 takes all. The result does not depend on it.")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    format_.add_to(app);
    scenario_.add_to(app, true);
    app.footer(kFooter);
}

CurveSpec CurveCommand::specification(const std::string& resources) const {
    CurveSpec spec;
    spec.variants = scenario_.variants(resources);
    spec.seeds = seeds_;
    spec.work = work_;
    const double from = parse_size(from_, "--from"), to = parse_size(to_, "--to");
    const std::string& workload = spec.variants.front().scenario.workload;
    try {
        spec.subintervals = advance_ > 0 ? hint_points(from, to, advance_, workload)
                                         : log_points(from, to, points_, workload);
        const CurveResults checked(spec);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return spec;
}

int CurveCommand::run() {
    const std::string resources = resource_folder();
    CurveFigure figure(specification(resources));
    const InterruptGuard guard;
    Progress progress("running");
    run_curve(
        figure.spec(), resources, InterruptGuard::requested(),
        [&](const CurvePoint& point, const CurveProgress& so_far) {
            figure.add(point, so_far);
            progress.show(static_cast<double>(so_far.done) / static_cast<double>(so_far.total));
        },
        jobs_);
    progress.finish();
    std::fputs((format_.json ? figure.json() : format_.csv ? figure.csv() : figure.text()).c_str(), stdout);
    if (figure.complete()) return exit_done;
    std::fflush(stdout);
    std::fputs("tlbscope: interrupted; what is printed is what was finished\n", stderr);
    return exit_failed;
}

} // namespace tlbscope
