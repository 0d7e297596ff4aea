#include "app/cli/hint_command.h"

#include "app/cli/figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/resource_folder.h"
#include "engine/core/error.h"

#include <algorithm>
#include <cstdio>

namespace tlbscope {

namespace {

// The benchmark's trials take simulated seconds, the simulation takes longer than that: without --runtm a
// trial is that share of the preset's.
constexpr double kRuntmShare = 0.02;

const char* const kFooter =
    "The columns are the benchmark's own: seconds of one lap, QUIPS, quality, subintervals, bytes as it "
    "reports them and MB/s of its own count of references. A star marks a point that took longer than the "
    "next larger one in all its reruns and got that one's time. All times are simulated. The presets run "
    "their trials for a second or half of one; here RUNTM is 1/50 of that unless --runtm is given.\n"
    "\n"
    "JSON keys: version, processor, workload, split, hz, placement, seed, preset, parameters.*, "
    "runtm_scaled, complete, "
    "stop, simulated_seconds, nscout, tscout, peak_quips, net_quips, and the array samples. CSV has the "
    "samples: seconds, quips, quality, subintervals, bytes, mb_per_second, laps_per_trial, reruns, forced.\n"
    "Ctrl-C prints the points so far, without net QUIPS, and ends with status 1.";

std::vector<Figures> sample_rows(const HintOutcome& outcome) {
    std::vector<Figures> rows;
    for (const HintSample& sample : outcome.samples) {
        Figures row;
        row.add("seconds", sample.seconds);
        row.add("quips", sample.quips);
        row.add("quality", sample.quality);
        row.add("subintervals", std::int64_t{sample.subintervals});
        row.add("bytes", sample.bytes);
        row.add("mb_per_second", sample.mb_per_second);
        row.add("laps_per_trial", sample.laps_trial);
        row.add("reruns", std::int64_t{sample.reruns});
        row.add("forced", sample.forced);
        rows.push_back(row);
    }
    return rows;
}

void print_text(const Scenario& s, const HintParameters& p, bool scaled, const HintOutcome& outcome) {
    std::printf("%s on %s, %s, %d Hz, placement %s\n", s.workload.c_str(), s.processor.c_str(),
                s.split.c_str(), s.hz, s.placement.c_str());
    std::printf("ADVANCE %g, NSAMP %d, NTRIAL %d, PATIENCE %d, RUNTM %g s%s, STOPRT %g, STOPTM %g s\n\n",
                p.advance, p.nsamp, p.ntrial, p.patience, p.runtm, scaled ? " (scaled down)" : "", p.stoprt,
                p.stoptm);
    std::printf("%14s %16s %16s %13s %13s %10s\n", "seconds", "QUIPS", "quality", "subintervals", "bytes",
                "MB/s");
    for (const HintSample& sample : outcome.samples)
        std::printf("%14.10f %16s %16s %13s %13s %10s%s\n", sample.seconds,
                    with_spaces(sample.quips, 0).c_str(), with_spaces(sample.quality, 1).c_str(),
                    with_spaces(std::int64_t{sample.subintervals}).c_str(),
                    with_spaces(sample.bytes, 0).c_str(), with_spaces(sample.mb_per_second, 1).c_str(),
                    sample.forced ? " *" : "");
    std::printf("\nstopped: %s; %.2f simulated seconds\n", to_string(outcome.stop), outcome.seconds);
    if (outcome.complete())
        std::printf("%s net QUIPS, peak %s QUIPS\n", with_spaces(outcome.net_quips, 0).c_str(),
                    with_spaces(outcome.peak_quips, 0).c_str());
}

std::string json(const Scenario& s, const std::string& preset, const HintParameters& p, bool scaled,
                 const HintOutcome& outcome) {
    Figures head;
    head.add("version", std::int64_t{1});
    head.add("processor", s.processor);
    head.add("workload", s.workload);
    head.add("split", s.split);
    head.add("hz", std::int64_t{s.hz});
    head.add("placement", s.placement);
    head.add("seed", s.seed);
    head.add("preset", preset);
    head.add("parameters.advance", p.advance);
    head.add("parameters.nsamp", std::int64_t{p.nsamp});
    head.add("parameters.ntrial", std::int64_t{p.ntrial});
    head.add("parameters.patience", std::int64_t{p.patience});
    head.add("parameters.runtm", p.runtm);
    head.add("parameters.stoprt", p.stoprt);
    head.add("parameters.stoptm", p.stoptm);
    head.add("runtm_scaled", scaled);
    head.add("complete", outcome.complete());
    head.add("stop", std::string(to_string(outcome.stop)));
    head.add("simulated_seconds", outcome.seconds);
    head.add("nscout", std::int64_t{outcome.nscout});
    head.add("tscout", outcome.tscout);
    head.add("peak_quips", outcome.peak_quips);
    if (outcome.complete()) head.add("net_quips", outcome.net_quips);
    return to_json(head, {{"samples", sample_rows(outcome)}});
}

} // namespace

void HintCommand::add_to(CLI::App& app) {
    std::vector<std::string> ids;
    for (const HintPreset& preset : hint_presets())
        ids.emplace_back(preset.id);
    app.add_option("--preset", preset_, "Whose parameters: 2004, ansibench or hi64.")
        ->type_name("ID")
        ->check(CLI::IsMember(ids));
    const auto parameter = [&app](const char* name, auto& value, const char* text, const char* type,
                                  const auto& range) {
        return app.add_option(name, value, text)
            ->type_name(type)
            ->default_str("")
            ->check(range)
            ->group("Parameters; otherwise the preset's");
    };
    advance_ = parameter("--advance", given_.advance, "ADVANCE: factor from one point to the next.", "X",
                         CLI::Range(1.01, 4.0));
    nsamp_ = parameter("--nsamp", given_.nsamp, "NSAMP: points at most.", "N", CLI::Range(1, 10000));
    ntrial_ = parameter("--ntrial", given_.ntrial, "NTRIAL: trials a point, the fastest counts.", "N",
                        CLI::Range(1, 1000));
    patience_ = parameter("--patience", given_.patience,
                          "PATIENCE: reruns of a point that took longer than the next larger one.", "N",
                          CLI::Range(0, 1000));
    runtm_ = parameter("--runtm", given_.runtm, "RUNTM: simulated seconds of a trial.", "S",
                       CLI::Range(1e-5, 1000.0));
    stoprt_ = parameter("--stoprt", given_.stoprt, "STOPRT: stops below this share of the peak.", "X",
                        CLI::Range(0.0, 1.0));
    stoptm_ = parameter("--stoptm", given_.stoptm, "STOPTM: stops once a lap takes so many seconds.", "S",
                        CLI::Range(1e-9, 1e9));
    app.add_option("--jobs", jobs_,
                   "Threads of this machine to use; 0 takes all. The result does not depend on it.")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    format_.add_to(app);
    scenario_.add_to(app, false);
    app.footer(kFooter);
}

HintParameters HintCommand::parameters() const {
    HintParameters p = find_hint_preset(preset_).parameters;
    p.runtm *= kRuntmShare;
    if (advance_->count()) p.advance = given_.advance;
    if (nsamp_->count()) p.nsamp = given_.nsamp;
    if (ntrial_->count()) p.ntrial = given_.ntrial;
    if (patience_->count()) p.patience = given_.patience;
    if (runtm_->count()) p.runtm = given_.runtm;
    if (stoprt_->count()) p.stoprt = given_.stoprt;
    if (stoptm_->count()) p.stoptm = given_.stoptm;
    return p;
}

int HintCommand::run() {
    const std::string resources = resource_folder();
    const auto variants = scenario_.variants(resources);
    if (variants.size() != 1) throw UsageError("hint runs one kernel: one split, HZ and placement");
    const Scenario& scenario = variants.front().scenario;
    if (scenario.workload != "hint-double" && scenario.workload != "hint-int")
        throw UsageError("hint runs --workload hint-double or hint-int");
    const HintParameters p = parameters();
    const InterruptGuard guard;
    Progress progress("running");
    progress.show(0);
    const HintOutcome outcome = run_hint_benchmark(
        scenario, p, simulate_hint(scenario, resources), InterruptGuard::requested(),
        // Up to the end of the axis that is drawn in 2004, about; where it stops is not known before.
        [&](const HintSample& sample) { progress.show(std::min(0.99, sample.subintervals / 25000.0)); },
        jobs_);
    progress.finish();
    const bool scaled = runtm_->count() == 0;
    if (format_.json)
        std::fputs(json(scenario, preset_, p, scaled, outcome).c_str(), stdout);
    else if (format_.csv)
        std::fputs(to_csv(sample_rows(outcome)).c_str(), stdout);
    else
        print_text(scenario, p, scaled, outcome);
    if (outcome.complete()) return exit_done;
    std::fflush(stdout);
    std::fputs("tlbscope: interrupted; what is printed is what was finished\n", stderr);
    return exit_failed;
}

} // namespace tlbscope
