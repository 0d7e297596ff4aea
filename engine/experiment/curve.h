// Throughput of one program over its working set, for several kernels and many page placements:
// the figure of April 2004, and its modern kin.
#pragma once

#include "engine/core/bucket.h"
#include "engine/simulation/scenario.h"
#include "engine/workload/work_mark.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

struct ProcessorSpec;

// One line of the figure. `scenario` gives everything but the working set and the seed.
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

// One run: equal work for every variant of a figure, so that cycles can be compared one to one.
struct CurveRun {
    std::uint64_t work = 0; // HINT iterations, accesses
    Cycles cycles = 0;      // elapsed meanwhile
    CurveShares shares{};
    MmuCounters mmu;
    std::uint64_t ticks = 0, cr3_loads = 0;
    double throughput = 0;     // CurveSpec::unit
    double standard_error = 0; // of `throughput`, relative, over batches of laps; 0: not known

    bool operator==(const CurveRun&) const = default;
};

// A value of a variant with all seeds so far.
struct CurvePoint {
    std::size_t variant = 0;
    int subintervals = 0;
    double working_set = 0;               // bytes on the program's own axis (HINT: 84 n)
    double touched = 0;                   // bytes really touched (HINT: 96 n)
    int seeds = 0;                        // finished
    double median = 0, low = 0, high = 0; // throughput; low and high: 5 and 95 % quantile over seeds
    double error = 0;                     // largest standard_error of its runs

    bool operator==(const CurvePoint&) const = default;
};

struct CurveSpec {
    std::vector<CurveVariant> variants;
    std::vector<int> subintervals; // ascending; curve_points() makes them
    int seeds = 1;                 // 1 … 1000: placement seeds scenario.seed, + 1, …
    std::uint64_t work = 120000;   // measured work a run, rounded up to whole laps, at least two
};

// n <- max(int(n * advance), n + 1) from `first` bytes to `last` bytes of the axis, as HINT does;
// advance 1.01 … 4. Throws Error.
std::vector<int> hint_points(double first_bytes, double last_bytes, double advance);
// `count` points evenly on a logarithmic axis.
std::vector<int> log_points(double first_bytes, double last_bytes, int count);

struct CurveProgress {
    std::size_t done = 0, total = 0; // runs
};

// Runs on the calling thread and a pool of `threads` (0: all CPUs). Every variant's coarse points with
// the first seed come first, then finer ones, then further seeds. `point` is called after every run,
// one call at a time. Stops early when `cancel` is set. Throws Error for a bad spec.
void run_curve(const CurveSpec& spec, const std::string& resources, const std::atomic<bool>& cancel,
               const std::function<void(const CurvePoint&, const CurveProgress&)>& point, int threads = 0);

// One run. Nothing when cancelled.
struct CurveRunLimits {
    std::uint64_t work = 120000;
};
bool run_curve_point(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor,
                     const CurveRunLimits& limits, const std::atomic<bool>& cancel, CurveRun& out);

// In the background, for the window: start() cancels what ran before; results of a cancelled figure are
// never delivered after start() or cancel() has returned. `callback` runs on a pool thread, one call at
// a time. All members may be called from any thread.
class CurveRunner {
public:
    using Callback = std::function<void(std::uint64_t id, const CurvePoint&, const CurveProgress&)>;
    CurveRunner(std::string resources, Callback callback, int threads = 0);
    ~CurveRunner(); // cancels and joins
    std::uint64_t start(const CurveSpec& spec);
    void cancel();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace tlbscope
