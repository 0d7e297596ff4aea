#include "engine/experiment/lap_measurement.h"

#include "engine/core/error.h"
#include "engine/workload/hint_sequence.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

// Laps and work after which caches and TLB count as warm. The first lap is slow.
constexpr std::uint64_t kWarmLaps = 2, kWarmWork = 4000;
constexpr std::uint64_t kBatches = 16;

template <class Struct, std::size_t N>
Struct members_difference(const Struct& a, const Struct& b, std::uint64_t Struct::*const (&members)[N]) {
    static_assert(sizeof(Struct) == N * sizeof(std::uint64_t), "a counter is missing in the list");
    Struct out;
    for (const auto member : members)
        out.*member = a.*member - b.*member;
    return out;
}

template <std::size_t N>
std::array<Cycles, N> minus(std::array<Cycles, N> a, const std::array<Cycles, N>& b) {
    for (std::size_t i = 0; i < N; ++i)
        a[i] -= b[i];
    return a;
}

// Whole laps from the warm-up on.
class Measuring {
public:
    Measuring(LapSource& source, const CurveRunLimits& limits, const std::atomic<bool>& cancel)
        : source_(source), limits_(limits), cancel_(cancel) {}

    std::optional<LapMeasurement> run() {
        if (!warm_up()) return std::nullopt;
        LapMeasurement measured;
        measured.begin = source_.mark();
        const std::uint64_t laps = laps_to_measure(), first = measured.begin.laps;
        const std::uint64_t batches = std::min(laps, kBatches);
        WorkMark before = measured.begin, now = before;
        for (std::uint64_t batch = 1; batch <= batches; ++batch) {
            while (now.laps < first + laps * batch / batches) {
                if (!source_.next_lap(cancel_)) return std::nullopt;
                now = source_.mark();
            }
            if (now.laps > before.laps)
                measured.batches.push_back(static_cast<double>(now.time - before.time) /
                                           static_cast<double>(now.laps - before.laps));
            before = now;
        }
        measured.end = now;
        return measured;
    }

private:
    bool warm_up() {
        const WorkMark start = source_.mark();
        WorkMark before = start, now;
        do {
            if (!source_.next_lap(cancel_)) return false;
            now = source_.mark();
            if (now.work <= before.work || now.laps <= before.laps)
                throw Error("workload", "has laps without work in them");
            lap_work_ = (now.work - before.work) / (now.laps - before.laps);
            const double lap_time =
                static_cast<double>(now.time - before.time) / static_cast<double>(now.laps - before.laps);
            lap_time_ = before.laps == start.laps ? lap_time : std::min(lap_time_, lap_time);
            before = now;
        } while (!is_warm(start, now));
        return true;
    }

    bool is_warm(const WorkMark& start, const WorkMark& now) const {
        if (now.laps - start.laps < kWarmLaps || now.work - start.work < kWarmWork) return false;
        const Cycles period = source_.tick_period();
        // Whoever has no ticks is not waited for.
        if (now.ticks == start.ticks) return now.time - start.time > 2 * period;
        const double measured = lap_time_ * static_cast<double>(laps_to_measure());
        return static_cast<double>(source_.next_tick() - now.time) <= measured / 2;
    }

    std::uint64_t laps_to_measure() const {
        return std::max<std::uint64_t>(2, (limits_.work + lap_work_ - 1) / lap_work_);
    }

    LapSource& source_;
    const CurveRunLimits& limits_;
    const std::atomic<bool>& cancel_;
    std::uint64_t lap_work_ = 1;
    double lap_time_ = 0; // of the shortest: neither cold nor with a tick in it
};

} // namespace

double LapMeasurement::standard_error() const {
    if (batches.size() < 2) return 0;
    const auto n = static_cast<double>(batches.size());
    double mean = 0, squares = 0;
    for (const double cycles : batches)
        mean += cycles / n;
    for (const double cycles : batches)
        squares += (cycles - mean) * (cycles - mean);
    return mean > 0 ? std::sqrt(squares / (n - 1) / n) / mean : 0;
}

std::optional<LapMeasurement> measure_laps(LapSource& source, const CurveRunLimits& limits,
                                           const std::atomic<bool>& cancel) {
    return Measuring(source, limits, cancel).run();
}

WorkMark difference(const WorkMark& end, const WorkMark& begin) {
    static constexpr std::uint64_t MmuCounters::*kMmu[] = {
        &MmuCounters::accesses, &MmuCounters::l1_hits,    &MmuCounters::stlb_hits, &MmuCounters::walks,
        &MmuCounters::faults,   &MmuCounters::stale_uses, &MmuCounters::refills,
    };
    WorkMark out;
    out.laps = end.laps - begin.laps;
    out.work = end.work - begin.work;
    out.time = end.time - begin.time;
    out.buckets = minus(end.buckets, begin.buckets);
    out.stalls.dtlb = minus(end.stalls.dtlb, begin.stalls.dtlb);
    out.stalls.itlb = minus(end.stalls.itlb, begin.stalls.itlb);
    out.stalls.data = minus(end.stalls.data, begin.stalls.data);
    out.mmu = members_difference(end.mmu, begin.mmu, kMmu);
    out.ticks = end.ticks - begin.ticks;
    out.interrupts = end.interrupts - begin.interrupts;
    out.cr3_loads = end.cr3_loads - begin.cr3_loads;
    return out;
}

CurveRun curve_run(const LapMeasurement& measured, const Scenario& scenario, double hz) {
    const WorkMark spent = difference(measured.end, measured.begin);
    CurveRun run;
    run.work = spent.work;
    run.cycles = spent.time;
    run.shares = curve_shares(spent.buckets, spent.stalls);
    run.mmu = spent.mmu;
    run.ticks = spent.ticks;
    run.cr3_loads = spent.cr3_loads;
    run.standard_error = measured.standard_error();
    // What is achieved: HINT's laps have a quality, everything else counts its work.
    double achieved = static_cast<double>(spent.work);
    if (scenario.workload == "hint-double" || scenario.workload == "hint-int") {
        const HintType type = scenario.workload == "hint-int" ? HintType::int32 : HintType::float64;
        const auto n = static_cast<std::uint32_t>(scenario.subintervals);
        achieved = static_cast<double>(spent.laps) * HintSequence::get(type, n)->quality(n);
    }
    if (spent.time > 0) run.throughput = achieved / (static_cast<double>(spent.time) / hz) / 1e6;
    return run;
}

} // namespace tlbscope
