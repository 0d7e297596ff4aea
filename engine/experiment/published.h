// Figures from mailing lists, papers and documentation, as data: what the model is held against.
#pragma once

#include <string>
#include <vector>

namespace tlbscope {

// One row of resources/published/*.json.
struct PublishedFigure {
    std::string id;         // "celeron-4:4-1000hz-pae"
    std::string experiment; // groups rows: "4:4 on a 525 MHz Celeron"
    std::string what;       // "user cycles, 1000 Hz, PAE, 4:4"
    double value = 0;
    std::string unit;     // "%", "µs", "M/s"
    double tolerance = 0; // in `unit`, or per cent of value where tolerance_percent
    bool tolerance_percent = false;
    bool calibration = false; // the model has a constant fitted to this row; otherwise a prediction
    std::string source;       // who, when, where
};

// Throws Error naming file and field.
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

} // namespace tlbscope
