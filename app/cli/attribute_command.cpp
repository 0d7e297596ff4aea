#include "app/cli/attribute_command.h"

#include "app/cli/figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/size_text.h"
#include "app/resource_folder.h"
#include "engine/core/error.h"
#include "engine/experiment/attribution.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tlbscope {

namespace {

const char* const kFooter =
    "Compares the first of --splits, --hz and --placements with the last of each, at equal work. The parts "
    "sum "
    "to the difference, exactly and for every seed; a third run, of the second kernel on the first one's "
    "placement, tells the data misses of cache pollution from those of page placement. The columns are the "
    "median and the 5 and 95 % quantile over the placement seeds, in per cent of throughput lost; medians "
    "of parts need not sum to the median of the loss.\n"
    "\n"
    "JSON keys: version, processor, workload, subintervals (walks: pages), bytes, from.*, to.* (split, hz, "
    "placement), seeds, complete, loss.*, and the arrays parts (part, median, low, high; 0 to 1) and runs, "
    "one for each "
    "seed: seed, work, cycles_from, cycles_to, ticks_from, ticks_to, walks_from, walks_to, and the cycles of "
    "each part by name. CSV has the runs.\n"
    "Ctrl-C prints what is there, with complete false, and ends with status 1.";

const char* key(AttributionPart part) {
    switch (part) {
    case AttributionPart::tick:
        return "tick";
    case AttributionPart::cr3:
        return "cr3";
    case AttributionPart::dtlb_l1:
        return "dtlb_l1";
    case AttributionPart::dtlb_l2:
        return "dtlb_l2";
    case AttributionPart::dtlb_memory:
        return "dtlb_memory";
    case AttributionPart::itlb:
        return "itlb";
    case AttributionPart::data_pollution:
        return "data_pollution";
    case AttributionPart::data_placement:
        return "data_placement";
    case AttributionPart::other:
        return "other";
    case AttributionPart::count_:
        break;
    }
    return "";
}

struct Compared {
    CurveVariant a, b;
    AttributionBand band;
    bool complete = false;
};

std::vector<Figures> run_rows(const Compared& c) {
    std::vector<Figures> rows;
    for (const Attribution& one : c.band.seeds) {
        Figures row;
        row.add("work", one.work);
        row.add("cycles_from", std::int64_t{one.cycles_a});
        row.add("cycles_to", std::int64_t{one.cycles_b});
        row.add("ticks_from", one.ticks_a);
        row.add("ticks_to", one.ticks_b);
        row.add("walks_from", one.walks_a);
        row.add("walks_to", one.walks_b);
        for (std::size_t part = 0; part < kAttributionParts; ++part)
            row.add(key(static_cast<AttributionPart>(part)), std::int64_t{one.parts[part]});
        rows.push_back(row);
    }
    return rows;
}

void add_kernel(Figures& figures, const std::string& name, const Scenario& s) {
    figures.add(name + ".split", s.split);
    figures.add(name + ".hz", std::int64_t{s.hz});
    figures.add(name + ".placement", s.placement);
}

std::string to_json_text(const Compared& c) {
    Figures head;
    head.add("version", std::int64_t{1});
    head.add("processor", c.a.scenario.processor);
    head.add("workload", c.a.scenario.workload);
    head.add("subintervals", std::int64_t{c.band.subintervals});
    head.add("bytes", c.band.working_set);
    add_kernel(head, "from", c.a.scenario);
    add_kernel(head, "to", c.b.scenario);
    head.add("seeds", static_cast<std::uint64_t>(c.band.seeds.size()));
    head.add("complete", c.complete);
    head.add("loss.median", c.band.loss.median);
    head.add("loss.low", c.band.loss.low);
    head.add("loss.high", c.band.loss.high);
    std::vector<Figures> parts;
    for (std::size_t part = 0; part < kAttributionParts; ++part) {
        Figures row;
        row.add("part", std::string(key(static_cast<AttributionPart>(part))));
        row.add("median", c.band.parts[part].median);
        row.add("low", c.band.parts[part].low);
        row.add("high", c.band.parts[part].high);
        parts.push_back(row);
    }
    return to_json(head, {{"parts", parts}, {"runs", run_rows(c)}});
}

void print_band(const char* name, const AttributionBand::Band& band) {
    std::printf("  %-32s %9.3f %%   %9.3f to %8.3f\n", name, 100 * band.median, 100 * band.low,
                100 * band.high);
}

void print_table(const Compared& c) {
    const auto kernel = [](const Scenario& s) {
        return s.split + ", " + std::to_string(s.hz) + " Hz, " + s.placement;
    };
    std::printf("%s on %s at %s: %s\n  against %s, %zu placement seeds\n\n", c.a.scenario.workload.c_str(),
                c.a.scenario.processor.c_str(), size_text(c.band.working_set).c_str(),
                kernel(c.b.scenario).c_str(), kernel(c.a.scenario).c_str(), c.band.seeds.size());
    std::printf("  %-32s %11s   %21s\n", "throughput lost to", "median", "5 to 95 %");
    for (std::size_t part = 0; part < kAttributionParts; ++part)
        print_band(to_string(static_cast<AttributionPart>(part)), c.band.parts[part]);
    print_band("all of it", c.band.loss);
}

} // namespace

void AttributeCommand::add_to(CLI::App& app) {
    app.add_option("--at", at_, "The working set, on the program's own axis; k and M are KiB and MiB.")
        ->type_name("SIZE");
    app.add_option("--seeds", seeds_, "Placement seeds, 1 to 1000, counted up from --seed.")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--work", work_,
                   "HINT iterations or accesses that a run measures, rounded up to whole laps.")
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

int AttributeCommand::run() {
    const std::string resources = resource_folder();
    const auto variants = scenario_.variants(resources);
    if (variants.size() < 2)
        throw UsageError("attribute needs two kernels: two of --splits, --hz or --placements");
    Compared compared{variants.front(), variants.back(), {}, false};
    const CurveAxis axis = curve_axis(compared.a.scenario.workload);
    const double size = std::round(parse_size(at_, "--at") / axis.bytes);
    if (!(size >= axis.low && size <= axis.high))
        throw UsageError("--at " + at_ + " is outside " + size_text(axis.low * axis.bytes) + " … " +
                         size_text(axis.high * axis.bytes));
    const InterruptGuard guard;
    Progress progress("running");
    progress.show(0);
    compared.band = attribute(
        compared.a.scenario, compared.b.scenario, static_cast<int>(size), seeds_, resources,
        InterruptGuard::requested(),
        [&](const AttributionBand& band) { progress.show(static_cast<double>(band.seeds.size()) / seeds_); },
        jobs_, {work_});
    progress.finish();
    compared.complete = compared.band.seeds.size() == static_cast<std::size_t>(seeds_);
    if (format_.json)
        std::fputs(to_json_text(compared).c_str(), stdout);
    else if (format_.csv)
        std::fputs(to_csv(run_rows(compared)).c_str(), stdout);
    else
        print_table(compared);
    if (compared.complete) return exit_done;
    std::fflush(stdout);
    std::fputs("tlbscope: interrupted; what is printed is what was finished\n", stderr);
    return exit_failed;
}

} // namespace tlbscope
