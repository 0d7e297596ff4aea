#include "app/cli/validate_command.h"

#include "app/cli/figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/resource_folder.h"
#include "engine/experiment/validation.h"

#include <algorithm>
#include <cstdio>

namespace tlbscope {

namespace {

const char* const kFooter =
    "A row is a calibration where the model has a constant fitted to it, otherwise a prediction. The exit "
    "status is 1 when a row is out of its tolerance or has no value.\n"
    "\n"
    "JSON keys: version, complete, within (all rows), and the array rows. CSV has the rows: id, experiment, "
    "what, "
    "published, model, difference, allowed, unit, kind (calibration or prediction), within, error, source.\n"
    "Ctrl-C prints what is there, with complete false, and ends with status 1.";

std::vector<Figures> all_rows(const std::vector<ValidationRow>& rows) {
    std::vector<Figures> out;
    for (const ValidationRow& row : rows) {
        if (!row.done) continue;
        Figures f;
        f.add("id", row.figure.id);
        f.add("experiment", row.figure.experiment);
        f.add("what", row.figure.what);
        f.add("published", row.figure.value);
        f.add("model", row.model);
        f.add("difference", row.difference());
        f.add("allowed", row.allowed());
        f.add("unit", row.figure.unit);
        f.add("kind", std::string(row.figure.calibration ? "calibration" : "prediction"));
        f.add("within", row.within());
        f.add("error", row.error);
        f.add("source", row.figure.source);
        out.push_back(f);
    }
    return out;
}

// Columns of what is no ASCII: µ is one column and two bytes.
std::string column(const std::string& text, std::size_t width) {
    const auto columns = static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    return text + std::string(width > columns ? width - columns : 0, ' ');
}

void print_table(const std::vector<ValidationRow>& rows) {
    std::string experiment;
    for (const ValidationRow& row : rows) {
        if (row.figure.experiment != experiment) {
            experiment = row.figure.experiment;
            std::printf("%s%s\n  %-58s %10s %10s %11s %9s %s\n", &row == &rows.front() ? "" : "\n",
                        experiment.c_str(), "", "published", "model", "difference", "allowed", "");
        }
        std::string what = row.figure.what;
        while (what.size() > 58) {
            const std::size_t blank = std::min(what.rfind(' ', 58), what.size() - 1);
            std::printf("  %s\n", what.substr(0, blank).c_str());
            what = "  " + what.substr(blank + 1);
        }
        const char* kind = row.figure.calibration ? "calibration" : "prediction";
        if (row.done && row.error.empty())
            std::printf("  %s %10.2f %10.2f %+11.2f %9.2f %s %-11s %s\n", column(what, 58).c_str(),
                        row.figure.value, row.model, row.difference(), row.allowed(),
                        column(row.figure.unit, 4).c_str(), kind, row.within() ? "within" : "OUT");
        else
            std::printf("  %s %10.2f %10s %11s %9.2f %s %-11s %s\n", column(what, 58).c_str(),
                        row.figure.value, "-", "-", row.allowed(), column(row.figure.unit, 4).c_str(), kind,
                        row.done ? row.error.c_str() : "not run");
    }
}

} // namespace

void ValidateCommand::add_to(CLI::App& app) {
    app.add_option("--only", only_, "Only the rows whose id begins like this.")
        ->type_name("ID")
        ->default_str("");
    app.add_option("--jobs", jobs_,
                   "Threads of this machine to use; 0 takes all. The result does not depend on it.")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    format_.add_to(app);
    app.footer(kFooter);
}

int ValidateCommand::run() {
    const std::string resources = resource_folder();
    std::vector<PublishedFigure> figures = load_published(resources);
    std::erase_if(figures,
                  [&](const PublishedFigure& f) { return f.id.compare(0, only_.size(), only_) != 0; });
    if (figures.empty()) throw UsageError("--only " + only_ + " names no row");
    const InterruptGuard guard;
    Progress progress("running");
    progress.show(0);
    std::size_t done = 0;
    const auto rows = validate_model(
        figures, simulate_published(resources), InterruptGuard::requested(),
        [&](std::size_t, const ValidationRow&) {
            progress.show(static_cast<double>(++done) / static_cast<double>(figures.size()));
        },
        jobs_);
    progress.finish();
    const bool complete = done == rows.size();
    const bool within =
        std::all_of(rows.begin(), rows.end(), [](const ValidationRow& row) { return row.within(); });
    if (format_.json) {
        Figures head;
        head.add("version", std::int64_t{1});
        head.add("complete", complete);
        head.add("within", within);
        std::fputs(to_json(head, {{"rows", all_rows(rows)}}).c_str(), stdout);
    } else if (format_.csv) {
        std::fputs(to_csv(all_rows(rows)).c_str(), stdout);
    } else {
        print_table(rows);
    }
    if (!complete) {
        std::fflush(stdout);
        std::fputs("tlbscope: interrupted; what is printed is what was finished\n", stderr);
    }
    return within ? exit_done : exit_failed;
}

} // namespace tlbscope
