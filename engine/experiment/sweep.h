// Throughput over one parameter, coarse points first, several seeds a point, cancellable.
#pragma once

#include "engine/core/bucket.h"
#include "engine/experiment/measurement.h"
#include "engine/simulation/scenario.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

enum class SweepAxis : std::uint8_t { shift, working_set_pages, threads, flush_pages, ceiling };
const char* to_string(SweepAxis);               // "shift", "working_set_pages", …; parse accepts the same
SweepAxis parse_sweep_axis(const std::string&); // throws Error

struct SweepSpec {
    Scenario base;
    SweepAxis axis = SweepAxis::shift;
    std::vector<int> values; // in the order they are to appear, not the order they are run
    int seeds = 3;           // 1 … 1000: base.seed, base.seed + 1, …
    double warmup_seconds = 0.005, measure_seconds = 0.02; // simulated
};

// One finished value with all seeds so far.
struct SweepPoint {
    int value = 0;
    int seeds = 0; // that ended with a result; 0 only when every job of this value failed so far
    double median = 0, low = 0, high = 0; // records a simulated second; low/high: 5 and 95 % quantile
    BucketCycles buckets{};               // all CPUs, first seed, measured part only
    double flushes_per_second = 0, ipis_per_second = 0, full_share = 0; // first seed

    bool operator==(const SweepPoint&) const = default;
};

// Order in which a sweep runs `values`: ends and middle first, then halves (indices into values).
std::vector<std::size_t> coarse_to_fine(std::size_t count);

// Runs on the calling thread; `point` after every (value, seed), all values with the first seed
// before any with the second; stops early when `cancel` is set. Throws Error for a bad `spec`.
void run_sweep(const SweepSpec& spec, const std::string& resources, const std::atomic<bool>& cancel,
               const std::function<void(const SweepPoint&, double progress)>& point);
// The same with another way of measuring.
void run_sweep(const SweepSpec& spec, const Measure& measure, const std::atomic<bool>& cancel,
               const std::function<void(const SweepPoint&, double progress)>& point);

// Runs sweeps on a pool of its own threads (Boost.Asio thread_pool). start() cancels what ran
// before under the same slot; results of a cancelled sweep are never delivered after start()
// or cancel() has returned for that slot. The id says which sweep a result belongs to. Sweeps in
// different slots share the pool evenly. All members may be called from any thread.
class SweepRunner {
public:
    using Callback = std::function<void(std::uint64_t id, const SweepPoint&, double progress)>;
    using MeasureFactory = std::function<Measure(const SweepSpec&)>;
    // `threads` 0: one less than the machine has, at least one. `callback` runs on a pool thread, one
    // call at a time; it may call start() and cancel(), but must not wait for a thread that does.
    SweepRunner(std::string resources, Callback callback, int threads = 0);
    SweepRunner(MeasureFactory measure, Callback callback, int threads = 0);
    ~SweepRunner(); // cancels and joins
    // Returns the new id. Throws Error for a bad `spec`, and what ran before goes on.
    std::uint64_t start(const SweepSpec& spec, int slot);
    void cancel(int slot);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace tlbscope
