// What a program does in a whole number of laps, measured between two of its marks.
#pragma once

#include "engine/experiment/curve.h"
#include "engine/kernel/work_mark.h"

#include <memory>
#include <optional>
#include <vector>

namespace tlbscope {

// A program that goes round and round. For one thread.
class LapSource {
public:
    virtual ~LapSource() = default;
    // Runs on until at least one more lap is finished. False when cancelled.
    virtual bool next_lap(const std::atomic<bool>& cancel) = 0;
    // As the latest lap ended; as the program began before the first.
    virtual WorkMark mark() const = 0;
    // Of the timer: the time of the next tick and the cycles from one to the next.
    virtual Cycles next_tick() const = 0;
    virtual Cycles tick_period() const = 0;
};

// The laps of one simulation. A tick is due shortly after the program begins.
class SimulationLaps : public LapSource {
public:
    // Throws Error for a scenario that cannot be built.
    SimulationLaps(const Scenario& scenario, std::shared_ptr<const ProcessorSpec> processor);
    ~SimulationLaps() override;
    bool next_lap(const std::atomic<bool>& cancel) override;
    WorkMark mark() const override;
    Cycles next_tick() const override;
    Cycles tick_period() const override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// What lies between two marks, and the marks themselves at the ends of batches of laps.
struct LapMeasurement {
    WorkMark begin, end;
    std::vector<double> batches; // cycles a lap of each batch, equal to within one lap in size

    // Of the mean of `batches`, relative; 0 for fewer than two.
    double standard_error() const;
};

// Warms up until two laps, as much work as makes caches and TLB steady, and a tick have gone by, and until
// the next tick is due within the first half of what is measured, so that a tick's cost appears even where
// few are seen. Then measures the smallest number of laps, two at least, that do limits.work. Throws Error
// when a lap does no work.
std::optional<LapMeasurement> measure_laps(LapSource& source, const CurveRunLimits& limits,
                                           const std::atomic<bool>& cancel);

// end - begin, member by member.
WorkMark difference(const WorkMark& end, const WorkMark& begin);

// The run's figures; `scenario` says how work counts, hz is the processor's.
CurveRun curve_run(const LapMeasurement& measured, const Scenario& scenario, double hz);

} // namespace tlbscope
