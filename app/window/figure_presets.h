// The figures of the curve page: which kernels and page placements are drawn against each other.
#pragma once

#include "engine/experiment/curve.h"

#include <span>
#include <string>

namespace tlbscope {

struct FigurePreset {
    const char* id;   // "april-2004"
    const char* name; // "April 2004: 3:1 and 4:4, 100 and 1000 Hz"
    const char* about;
    const char* processor;   // a processor it is at home on
    bool long_mode = false;  // its kernels are 64-bit ones
    bool placements = false; // its lines differ in placement; otherwise one is chosen for all
};
std::span<const FigurePreset> figure_presets();
// Throws Error listing the known ids.
const FigurePreset& find_figure_preset(const std::string& id);

// What the controls of the curve page say. Same choice, same figure.
struct FigureChoice {
    std::string preset = "april-2004";
    std::string processor = "xeon-2.5-512k";
    std::string workload = "hint-double";
    std::string placement = "random"; // where the preset does not choose it
    int l2_kib = 0;                   // 0: the processor's own
    int seeds = 4;
    int points = 32;
    std::uint64_t seed = 7;

    bool operator==(const FigureChoice&) const = default;
};

struct PresetFigure {
    // Lines of one kernel share a colour, lines of one timer or placement a dash; -1: as they come.
    struct Style {
        int color = -1, dash = -1;
    };
    CurveSpec spec;
    std::vector<Style> styles;               // one a line
    std::size_t reference = 0, compared = 1; // whose difference is spoken of
    double first = 0, last = 0;              // bytes of the axis
};
// Throws Error naming what does not fit.
PresetFigure make_figure(const FigureChoice& choice);

// HINT's axis counts in k of 1024 bytes.
inline constexpr double kKilo = 1024;
// 84k, 1.5M: as the benchmark's users write working sets.
std::string working_set_text(double bytes);

} // namespace tlbscope
