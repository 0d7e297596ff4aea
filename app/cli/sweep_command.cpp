#include "app/cli/sweep_command.h"

#include "app/cli/figures.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/scenario_figures.h"
#include "app/cli/value_list.h"
#include "app/resource_folder.h"
#include "engine/core/error.h"
#include "engine/experiment/sweep_results.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace tlbscope {

namespace {

const char* const kFooter =
    "Prints a line for each value and a column for each number of threads: the median of the seeds in "
    "records a "
    "simulated second, with the 5 and 95 % quantile.\n"
    "\n"
    "JSON keys: version, axis, scenario.* (as for simulate), seeds, warmup_seconds, measured_seconds, "
    "complete, and "
    "points, an array with one object for each value and number of threads. CSV has one line for each of "
    "these. "
    "Their keys:\n"
    "  value, threads           where on the axis, and with how many threads\n"
    "  seeds                    seeds that went into the point\n"
    "  records_per_second       median; records_per_second_low and _high: 5 and 95 % quantile\n"
    "  shootdowns_per_second    and ipis_per_second, full_share (0 to 1 of the flush decisions): first seed\n"
    "  cycles.OWNER             cycles of all CPUs by owner in the measured part, first seed\n"
    "Ctrl-C prints what is there, with complete false, and ends with status 1.";

// Runs all curves at once on one pool and waits for them.
class SweepWait {
public:
    explicit SweepWait(std::vector<SweepSpec> specs) {
        for (SweepSpec& spec : specs) {
            const std::size_t count = spec.values.size();
            curves_.push_back({std::move(spec), std::vector<std::optional<SweepPoint>>(count)});
        }
        progress_.resize(curves_.size());
    }

    // True when all ended, false when interrupted.
    bool run(const std::string& resources, int jobs) {
        const InterruptGuard guard;
        Progress line("sweeping");
        SweepRunner runner(
            resources,
            [this](std::uint64_t id, const SweepPoint& point, double progress) {
                const std::lock_guard lock(mutex_);
                SweepCurve& curve = curves_[id - first_id_];
                const auto& values = curve.spec.values;
                const auto place = std::find(values.begin(), values.end(), point.value) - values.begin();
                curve.points[static_cast<std::size_t>(place)] = point;
                progress_[id - first_id_] = progress;
                changed_.notify_one();
            },
            jobs);
        std::unique_lock lock(mutex_);
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            lock.unlock(); // a delivery must not wait for start()
            const std::uint64_t id = runner.start(curves_[i].spec, static_cast<int>(i));
            lock.lock();
            if (id != first_id_ + i) throw Error("sweep", "was numbered unexpectedly");
        }
        while (share() < 1 && !InterruptGuard::requested()) {
            changed_.wait_for(lock, std::chrono::milliseconds(50));
            line.show(share());
        }
        const bool all = share() >= 1;
        lock.unlock();
        return all; // the runner's destructor cancels what is left
    }

    const std::vector<SweepCurve>& curves() const { return curves_; }

private:
    double share() const {
        double sum = 0;
        for (const double one : progress_)
            sum += one;
        // Every curve ends with exactly 1.
        return sum / static_cast<double>(progress_.size());
    }

    static constexpr std::uint64_t first_id_ = 1; // a fresh runner counts from 1
    std::vector<SweepCurve> curves_;
    std::vector<double> progress_;
    std::mutex mutex_;
    std::condition_variable changed_;
};

Figures point_figures(const SweepCurve& curve, const SweepPoint& point) {
    Figures row;
    row.add("value", std::int64_t{point.value});
    row.add("threads", std::int64_t{with_value(curve.spec.base, curve.spec.axis, point.value).threads});
    row.add("seeds", std::int64_t{point.seeds});
    row.add("records_per_second", point.median);
    row.add("records_per_second_low", point.low);
    row.add("records_per_second_high", point.high);
    row.add("shootdowns_per_second", point.flushes_per_second);
    row.add("ipis_per_second", point.ipis_per_second);
    row.add("full_share", point.full_share);
    add_buckets(row, point.buckets);
    return row;
}

std::vector<Figures> all_points(const std::vector<SweepCurve>& curves) {
    std::vector<Figures> rows;
    for (const SweepCurve& curve : curves)
        for (const auto& point : curve.points)
            if (point) rows.push_back(point_figures(curve, *point));
    return rows;
}

void print_json(const std::vector<SweepCurve>& curves, bool complete) {
    const SweepSpec& spec = curves.front().spec;
    Figures head;
    head.add("version", std::int64_t{1});
    head.add("axis", std::string(to_string(spec.axis)));
    add_scenario(head, spec.base);
    head.add("seeds", std::int64_t{spec.seeds});
    head.add("warmup_seconds", spec.warmup_seconds);
    head.add("measured_seconds", spec.measure_seconds);
    head.add("complete", complete);
    std::fputs(to_json(head, {{"points", all_points(curves)}}).c_str(), stdout);
}

void print_table(const std::vector<SweepCurve>& curves) {
    const SweepSpec& spec = curves.front().spec;
    std::printf(
        "%s on %s, kernel %s: records a simulated second, median of %d seeds (5 and 95 %% quantile)\n\n",
        spec.base.workload.c_str(), spec.base.processor.c_str(), spec.base.policy.c_str(), spec.seeds);
    std::printf("%18s", to_string(spec.axis));
    for (const SweepCurve& curve : curves) {
        if (spec.axis == SweepAxis::threads)
            std::printf("  %28s", "throughput");
        else
            std::printf("  %20d threads", curve.spec.base.threads);
    }
    std::printf("\n");
    for (std::size_t i = 0; i < spec.values.size(); ++i) {
        std::printf("%18d", spec.values[i]);
        for (const SweepCurve& curve : curves) {
            const auto& point = curve.points[i];
            std::string text = "-";
            if (point)
                text = with_spaces(point->median, 0) + " (" + with_spaces(point->low, 0) + " to " +
                       with_spaces(point->high, 0) + ")";
            std::printf("  %28s", text.c_str());
        }
        std::printf("\n");
    }
}

} // namespace

void SweepCommand::add_to(CLI::App& app) {
    app.add_option("--axis", axis_,
                   "The parameter that varies: shift, working_set_pages, threads, flush_pages or ceiling.")
        ->type_name("NAME")
        ->check(CLI::IsMember({"shift", "working_set_pages", "threads", "flush_pages", "ceiling"}));
    app.add_option("--values", values_,
                   "Its values: numbers and ranges separated by commas, -1..8 or 0..100:10 (in steps) or "
                   "16..4096*2 (doubling). Otherwise a range that suits the axis.")
        ->type_name("LIST")
        ->default_str("");
    app.add_option("--seeds", seeds_, "Seeds a point, 1 to 1000, counted up from --seed.")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--seconds", length_.measure_seconds,
                   "Simulated seconds measured for each value and seed.")
        ->type_name("S")
        ->check(CLI::Range(1e-6, 3600.0));
    app.add_option("--warmup", length_.warmup_seconds, "Simulated seconds before the measured part.")
        ->type_name("S")
        ->check(CLI::Range(0.0, 3600.0));
    app.add_option("--jobs", jobs_,
                   "Threads of this machine to use; 0 takes all. The result does not depend on it.")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    format_.add_to(app);
    scenario_.add_to(app, true);
    app.footer(kFooter);
}

std::vector<SweepSpec> SweepCommand::specifications(const std::string& resources) const {
    SweepSpec spec;
    spec.base = scenario_.scenario(resources);
    spec.axis = parse_sweep_axis(axis_);
    spec.seeds = seeds_;
    spec.measure_seconds = length_.measure_seconds;
    spec.warmup_seconds = length_.warmup_seconds;
    std::string values = values_;
    if (values.empty()) {
        switch (spec.axis) {
        case SweepAxis::shift:
            values = "-1..8";
            break;
        case SweepAxis::working_set_pages:
            values = "16..8192*2";
            break;
        case SweepAxis::threads:
            values = "1..8";
            break;
        case SweepAxis::flush_pages:
            values = "1,2,4,8,16,32,33,34,64,128,129,256,257,512";
            break;
        case SweepAxis::ceiling:
            values = "0,1,2,4,8,16,33,64,128,256,512";
            break;
        }
    }
    spec.values = parse_value_list(values);
    std::vector<SweepSpec> specs;
    std::vector<int> threads = scenario_.threads();
    if (spec.axis == SweepAxis::threads) {
        if (threads.size() > 1) throw UsageError("--threads takes one number when the axis is threads");
        specs.push_back(spec);
    } else {
        for (const int count : threads) {
            specs.push_back(spec);
            specs.back().base.threads = count;
        }
    }
    try {
        for (const SweepSpec& one : specs)
            SweepResults checked(one);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return specs;
}

int SweepCommand::run() {
    const std::string resources = resource_folder();
    SweepWait sweep(specifications(resources));
    const int jobs = jobs_ > 0 ? jobs_ : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const bool complete = sweep.run(resources, jobs);
    if (format_.json)
        print_json(sweep.curves(), complete);
    else if (format_.csv)
        std::fputs(to_csv(all_points(sweep.curves())).c_str(), stdout);
    else
        print_table(sweep.curves());
    if (complete) return exit_done;
    std::fflush(stdout);
    std::fputs("tlbscope: interrupted; what is printed is what was finished\n", stderr);
    return exit_failed;
}

} // namespace tlbscope
