// Throughput of one program over its working set, for several kernels and many page placements:
// the figure of April 2004, and its modern kin.
#pragma once

#include "engine/core/bucket.h"
#include "engine/kernel/work_mark.h"
#include "engine/simulation/scenario.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

struct ProcessorSpec;

// What a program's working set is counted in, and what that is on the figure's axis.
struct CurveAxis {
    int Scenario::*size; // &Scenario::subintervals, or &Scenario::working_set_pages
    double bytes = 0;    // of one of these on the program's own axis (HINT DOUBLE: 84)
    double touched = 0;  // bytes of it really touched (HINT DOUBLE: 96)
    int low = 0, high = 0;
};
// Throws Error for a workload that has no laps ("ebizzy", "mummap").
CurveAxis curve_axis(const std::string& workload);
// Unit of CurveRun::throughput: "MQUIPS", "M accesses/s", "M calls/s", "M iterations/s".
const char* throughput_unit(const std::string& workload);

// One line of the figure. `scenario` gives everything but the working set and the seed; its threads do not
// count, there is one.
struct CurveVariant {
    std::string label; // "4:4, 1000 Hz"
    Scenario scenario; // workload "hint-double", "hint-int" or a walk

    bool operator==(const CurveVariant&) const = default;
};

// Cycles of one run's measured part by owner; they sum to `cycles` exactly. Index with CurveShare.
enum class CurveShare : std::uint8_t {
    compute, // user instructions with their L1D hits
    tick,    // timer ticks and other interrupts: entry, handler with its cache misses, exit
    cr3,     // CR3 loads, or the flushes of the control
    dtlb_l1, // dTLB refills whose page-table loads hit L1D …
    dtlb_l2, // … L2 (or L3)
    dtlb_memory,
    itlb,    // iTLB refills
    data_l2, // data that missed L1D and hit L2 (or L3)
    data_memory,
    other, // system calls, faults, context switches, idle
    count_
};
inline constexpr std::size_t kCurveShares = static_cast<std::size_t>(CurveShare::count_);
using CurveShares = std::array<Cycles, kCurveShares>;
const char* to_string(CurveShare); // "timer tick", "CR3 loads", …
// The control's flushes count as cr3.
CurveShares curve_shares(const BucketCycles& buckets, const StallCycles& stalls);

// One run: equal work for every variant of a figure, so that cycles can be compared one to one.
struct CurveRun {
    std::uint64_t work = 0; // HINT iterations, accesses
    Cycles cycles = 0;      // elapsed meanwhile
    CurveShares shares{};
    MmuCounters mmu;
    std::uint64_t ticks = 0, cr3_loads = 0;
    double throughput = 0;     // throughput_unit(), by simulated seconds
    double standard_error = 0; // of `throughput`, relative, over batches of laps; 0: not known

    bool operator==(const CurveRun&) const = default;
};

// HINT iterations or accesses that a run measures unless told otherwise: about ten simulated milliseconds
// of HINT on a 2.5 GHz Pentium 4.
inline constexpr std::uint64_t kCurveWork = 120000;
struct CurveRunLimits {
    std::uint64_t work = kCurveWork; // rounded up to whole laps, at least two
};

// A value of a variant with all seeds so far.
struct CurvePoint {
    std::size_t variant = 0;
    int subintervals = 0;
    double working_set = 0;               // bytes on the program's own axis (HINT: 84 n)
    double touched = 0;                   // bytes really touched (HINT: 96 n)
    int seeds = 0;                        // finished
    double median = 0, low = 0, high = 0; // throughput; low and high: 5 and 95 % quantile over seeds
    double error = 0;                     // largest standard_error of its runs, relative
    std::vector<double> by_seed;          // throughput of seed 0, 1, …; 0 for one that has not finished

    bool operator==(const CurvePoint&) const = default;
};

struct CurveSpec {
    std::vector<CurveVariant> variants; // 1 … 64, all on the same axis
    std::vector<int> subintervals;      // ascending; hint_points() and log_points() make them. Walks: pages
    int seeds = 1;                      // 1 … 1000: placement seeds scenario.seed, + 1, …
    std::uint64_t work = kCurveWork;    // measured work a run, rounded up to whole laps, at least two
};

// n <- max(int(n * advance), n + 1) from n = 2 on, as HINT does, those of them that lie from `first` to
// `last` bytes of the axis; advance 1.01 … 4. Throws Error when there is none.
std::vector<int> hint_points(double first_bytes, double last_bytes, double advance,
                             const std::string& workload = "hint-double");
// `count` points, 1 … 1000, evenly on a logarithmic axis; fewer where two would be the same. Throws Error.
std::vector<int> log_points(double first_bytes, double last_bytes, int count,
                            const std::string& workload = "hint-double");

struct CurveProgress {
    std::size_t done = 0, total = 0; // runs
};

// One run, of one thread, and its measured part. False when cancelled. Throws Error.
bool run_curve_point(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor,
                     const CurveRunLimits& limits, const std::atomic<bool>& cancel, CurveRun& out);

// How a run is made: of the scenario with its size and seed. False when cancelled; throws Error. Is called
// on several threads at once.
using CurveMeasure = std::function<bool(const Scenario&, const CurveRunLimits&,
                                        const std::atomic<bool>& cancel, CurveRun& out)>;
// By run_curve_point(). Reads the processors of `scenarios` at once; throws Error when one cannot be read
// or its scenario cannot be built.
CurveMeasure simulate_curve(const std::vector<Scenario>& scenarios, const std::string& resources);

// Runs on the calling thread and as many more as make `threads` (0: all CPUs). Every variant's coarse
// points with the first seed come first, then finer ones, then further seeds. `point` is called after
// every run, one call at a time, on any of these threads. Stops early when `cancel` is set. The last call
// for a point does not depend on the number of threads. Throws Error for a bad spec; what a run or `point`
// throws ends the figure.
void run_curve(const CurveSpec& spec, const std::string& resources, const std::atomic<bool>& cancel,
               const std::function<void(const CurvePoint&, const CurveProgress&)>& point, int threads = 0);
void run_curve(const CurveSpec& spec, const CurveMeasure& measure, const std::atomic<bool>& cancel,
               const std::function<void(const CurvePoint&, const CurveProgress&)>& point, int threads = 0);

// In the background, for the window, at a lower priority than its threads: start() cancels what ran
// before; results of a cancelled figure are never delivered after start() or cancel() has returned.
// `callback` runs on a pool thread, one call at a time; it may call start() and cancel(), but must not
// wait for a thread that does. A run that fails leaves its point without that seed. All members may be
// called from any thread.
class CurveRunner {
public:
    using Callback = std::function<void(std::uint64_t id, const CurvePoint&, const CurveProgress&)>;
    using MeasureFactory = std::function<CurveMeasure(const CurveSpec&)>;
    // `threads` 0: all CPUs.
    CurveRunner(std::string resources, Callback callback, int threads = 0);
    CurveRunner(MeasureFactory measure, Callback callback, int threads = 0);
    ~CurveRunner(); // cancels and joins
    // Returns the new id, never 0. Throws Error for a bad `spec`, and what ran before goes on.
    std::uint64_t start(const CurveSpec& spec);
    void cancel();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace tlbscope
