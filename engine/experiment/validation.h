// The model held against what was published, one row a figure.
#pragma once

#include "engine/experiment/published.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tlbscope {

struct ValidationRow {
    PublishedFigure figure;
    bool done = false; // false: not run yet, or cancelled
    double model = 0;  // in figure.unit
    std::string error; // why there is no value, although done

    double difference() const { return model - figure.value; }
    // Largest difference that is within tolerance, in figure.unit.
    double allowed() const {
        return figure.tolerance_percent
                   ? figure.tolerance / 100 * (figure.value < 0 ? -figure.value : figure.value)
                   : figure.tolerance;
    }
    bool within() const {
        return done && error.empty() && difference() <= allowed() && difference() >= -allowed();
    }
};

// The model's value of one figure. May run on several threads at once. False when cancelled; throws Error.
using PublishedModel =
    std::function<bool(const PublishedFigure&, const std::atomic<bool>& cancel, double& value)>;
PublishedModel simulate_published(const std::string& resources);

// Every figure in its order, on up to `threads` threads (0: all CPUs). `row` (may be empty) after each,
// one call at a time: its index and itself. A figure that throws Error has that as its error. The outcome
// does not depend on the number of threads.
std::vector<ValidationRow>
validate_model(const std::vector<PublishedFigure>& figures, const PublishedModel& model,
               const std::atomic<bool>& cancel,
               const std::function<void(std::size_t, const ValidationRow&)>& row = {}, int threads = 0);

} // namespace tlbscope
