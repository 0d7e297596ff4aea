// Figures from mailing lists, papers and documentation, as data: what the model is held against.
#pragma once

#include "engine/simulation/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tlbscope {

// How the model's value of a row is made of runs.
enum class PublishedMeasure : std::uint8_t {
    rate,         // throughput of `scenario`, in millions a second
    time,         // µs an operation
    time_added,   // µs an operation more than with `baseline`
    change,       // throughput against `baseline`, per cent; negative: slower
    extra_change, // that change, less the change of `plain`'s workload between the same kernels
    net_quips,    // HINT's net QUIPS against `baseline`, per cent
};

// One row of resources/published/*.json.
struct PublishedFigure {
    std::string id;         // "celeron-1000hz-pae-4g"
    std::string experiment; // groups rows: "4:4 on a 525 MHz Celeron"
    std::string what;       // "user cycles, 1000 Hz, PAE, 4:4"
    double value = 0;
    std::string unit;     // "%", "µs", "M/s"
    double tolerance = 0; // in `unit`, or per cent of value where tolerance_percent
    bool tolerance_percent = false;
    bool calibration = false; // the model has a constant fitted to this row; otherwise a prediction
    std::string source;       // who, when, where
    PublishedMeasure measure = PublishedMeasure::rate;
    Scenario scenario, baseline;
    std::string plain; // a workload, of extra_change
};

// Ordered by file and place in it. Throws Error naming file and field.
std::vector<PublishedFigure> load_published(const std::string& resources);

// A mark in the 4:4 figure: one of the facts that were told about the curve.
struct CurveMark {
    enum class Kind : std::uint8_t { crossing, loss, window, error_band };
    Kind kind = Kind::loss;
    double first = 0, last = 0; // bytes of the axis; equal for a single place
    double value = 0;           // loss 0 … 1 (loss), ± share 0 … 1 (error_band)
    std::string label, source;
};
std::vector<CurveMark> load_curve_marks(const std::string& resources);

// What one file holds. Throws Error naming `file` and the field.
struct PublishedFile {
    std::vector<PublishedFigure> figures;
    std::vector<CurveMark> marks;
};
PublishedFile parse_published(const std::string& json, const std::string& file);

} // namespace tlbscope
