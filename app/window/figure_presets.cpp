#include "app/window/figure_presets.h"

#include "engine/core/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tlbscope {
namespace {

constexpr double kFirst = 64 * kKilo, kLast = 2048 * kKilo, kLastLarge = 10240 * kKilo,
                 kLastModern = 16384 * kKilo;
constexpr double kSame = 0.03; // of the logarithm
constexpr int kLargeL2 = 1024; // KiB

constexpr std::array kPresets = {
    FigurePreset{"april-2004", "3:1 and 4:4, 100 and 1000 Hz",
                 "The kernels of April 2004 with the same pages: what splits and timer alone do.",
                 "xeon-2.5-512k"},
    FigurePreset{"split", "3:1 and 4:4 at 1000 Hz",
                 "The same pages under both kernels: what the split alone does.", "xeon-2.5-512k"},
    FigurePreset{"control", "The control: flushes in the interrupt path",
                 "3:1 with the TLB flushes of the control experiment before and after the interrupt "
                 "handler, between 3:1 and 4:4.",
                 "xeon-2.5-512k"},
    FigurePreset{"placement", "Page placement alone",
                 "One kernel, 3:1 at 1000 Hz, whose pages lie contiguously, by colour, at random, or as "
                 "zones hand them out.",
                 "xeon-2.5-512k", false, true},
    FigurePreset{"together", "Split and placement together, and apart",
                 "3:1 and 4:4 at 1000 Hz, each with contiguous and with random pages.", "xeon-2.5-512k",
                 false, true},
    FigurePreset{"kpti", "KPTI with and without PCID",
                 "A 64-bit kernel before KPTI, with it, and with it on PCIDs, at 1000 Hz.", "skylake-kpti",
                 true},
};

// Sizes that were spoken of get a point of their own, in place of a nearer one.
std::vector<int> with_told(std::vector<int> sizes, const std::string& workload, double last) {
    const CurveAxis axis = curve_axis(workload);
    for (const double told : {200, 300, 500, 700, 1000}) {
        const double bytes = told * kKilo;
        if (bytes > last) break;
        const int size = static_cast<int>(std::lround(bytes / axis.bytes));
        const auto next = std::lower_bound(sizes.begin(), sizes.end(), size);
        const auto near = [&](auto at) {
            return at != sizes.end() && std::abs(std::log(static_cast<double>(*at) / size)) < kSame;
        };
        if (near(next))
            *next = size;
        else if (next != sizes.begin() && near(std::prev(next)))
            *std::prev(next) = size;
        else
            sizes.insert(next, size);
    }
    return sizes;
}

CurveVariant line(const FigureChoice& choice, const std::string& label, const std::string& split, int hz,
                  const std::string& placement = {}) {
    CurveVariant variant;
    variant.label = label;
    Scenario& s = variant.scenario;
    s.processor = choice.processor;
    s.workload = choice.workload;
    s.threads = 1;
    s.hz = hz;
    s.split = split;
    // The Xeon of the curves had 1 GB, and Ingo Molnar's comparisons were with PAE.
    s.pae = split == "4:4" || split.starts_with("3:1") ? 1 : 0;
    s.placement = placement.empty() ? choice.placement : placement;
    s.l2_kib = choice.l2_kib;
    s.seed = choice.seed;
    return variant;
}

} // namespace

std::span<const FigurePreset> figure_presets() {
    return kPresets;
}

const FigurePreset& find_figure_preset(const std::string& id) {
    std::string known;
    for (const FigurePreset& preset : kPresets) {
        if (id == preset.id) return preset;
        known += (known.empty() ? "" : ", ") + std::string(preset.id);
    }
    throw Error("preset", "\"" + id + "\" is not a known figure", "known: " + known);
}

PresetFigure make_figure(const FigureChoice& choice) {
    const std::string id = find_figure_preset(choice.preset).id;
    PresetFigure figure;
    std::vector<CurveVariant>& lines = figure.spec.variants;
    figure.first = kFirst;
    figure.last = choice.l2_kib > kLargeL2 ? kLastLarge : kLast;
    if (id == "april-2004") {
        lines = {line(choice, "3:1, 100 Hz", "3:1", 100), line(choice, "3:1, 1000 Hz", "3:1", 1000),
                 line(choice, "4:4, 100 Hz", "4:4", 100), line(choice, "4:4, 1000 Hz", "4:4", 1000)};
        figure.compared = 3;
        figure.styles = {{0, 1}, {0, 0}, {1, 1}, {1, 0}};
    } else if (id == "split") {
        lines = {line(choice, "3:1", "3:1", 1000), line(choice, "4:4", "4:4", 1000)};
    } else if (id == "control") {
        lines = {line(choice, "3:1", "3:1", 1000),
                 line(choice, "3:1, flushes in interrupts", "3:1-flush-global", 1000),
                 line(choice, "4:4", "4:4", 1000)};
    } else if (id == "placement") {
        lines = {line(choice, "3:1, contiguous", "3:1", 1000, "contiguous"),
                 line(choice, "3:1, random", "3:1", 1000, "random"),
                 line(choice, "3:1, coloured", "3:1", 1000, "coloured"),
                 line(choice, "3:1, zones", "3:1", 1000, "zones")};
    } else if (id == "together") {
        lines = {line(choice, "3:1, contiguous", "3:1", 1000, "contiguous"),
                 line(choice, "4:4, contiguous", "4:4", 1000, "contiguous"),
                 line(choice, "3:1, random", "3:1", 1000, "random"),
                 line(choice, "4:4, random", "4:4", 1000, "random")};
        figure.compared = 3;
        figure.styles = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    } else {
        lines = {line(choice, "before KPTI", "shared", 1000), line(choice, "KPTI", "kpti", 1000),
                 line(choice, "KPTI with PCID", "kpti-pcid", 1000)};
        figure.last = kLastModern;
    }
    figure.styles.resize(lines.size());
    figure.spec.seeds = choice.seeds;
    figure.spec.subintervals = with_told(
        log_points(figure.first, figure.last, choice.points, choice.workload), choice.workload, figure.last);
    return figure;
}

std::string working_set_text(double bytes) {
    const double k = bytes / kKilo;
    char text[32];
    if (k < 1023.5)
        std::snprintf(text, sizeof text, "%.0fk", k);
    else
        std::snprintf(text, sizeof text, k < 10187 ? "%.1fM" : "%.0fM", k / kKilo);
    return text;
}

} // namespace tlbscope
