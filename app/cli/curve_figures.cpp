#include "app/cli/curve_figures.h"

#include "app/cli/size_text.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tlbscope {

namespace {

std::string percent(double share) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.2f %%", 100 * share);
    return buffer;
}

std::string number(double value) {
    return with_spaces(value, value < 100 ? 3 : 1);
}

// As wide on the screen as `width`, whatever the bytes.
std::string right(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

} // namespace

CurveFigure::CurveFigure(CurveSpec spec)
    : spec_(std::move(spec)), points_(spec_.variants.size() * spec_.subintervals.size()) {}

void CurveFigure::add(const CurvePoint& point, const CurveProgress& progress) {
    const auto& sizes = spec_.subintervals;
    const auto place = std::lower_bound(sizes.begin(), sizes.end(), point.subintervals) - sizes.begin();
    points_[point.variant * sizes.size() + static_cast<std::size_t>(place)] = point;
    progress_ = progress;
}

std::vector<CurvePoint> CurveFigure::curve(std::size_t variant) const {
    std::vector<CurvePoint> out;
    for (std::size_t size = 0; size < spec_.subintervals.size(); ++size)
        if (point(variant, size).seeds > 0) out.push_back(point(variant, size));
    return out;
}

std::vector<Figures> CurveFigure::point_rows() const {
    std::vector<Figures> rows;
    for (const CurvePoint& point : points_) {
        if (point.seeds == 0) continue;
        const CurveVariant& variant = spec_.variants[point.variant];
        Figures row;
        row.add("curve", variant.label);
        row.add("split", variant.scenario.split);
        row.add("hz", std::int64_t{variant.scenario.hz});
        row.add("placement", variant.scenario.placement);
        row.add("subintervals", std::int64_t{point.subintervals});
        row.add("bytes", point.working_set);
        row.add("touched_bytes", point.touched);
        row.add("seeds", std::int64_t{point.seeds});
        row.add("throughput", point.median);
        row.add("throughput_low", point.low);
        row.add("throughput_high", point.high);
        row.add("standard_error", point.error);
        rows.push_back(row);
    }
    return rows;
}

std::vector<Figures> CurveFigure::knee_rows() const {
    std::vector<Figures> rows;
    for (std::size_t v = 0; v < spec_.variants.size(); ++v) {
        Figures row;
        row.add("curve", spec_.variants[v].label);
        if (const auto knee = find_knee(curve(v))) {
            row.add("knee_bytes", knee->working_set);
            row.add("knee_before", knee->before);
            row.add("knee_after", knee->after);
        }
        rows.push_back(row);
    }
    return rows;
}

std::vector<Figures> CurveFigure::comparison_rows() const {
    std::vector<Figures> rows;
    for (std::size_t v = 1; v < spec_.variants.size(); ++v) {
        Figures row;
        row.add("curve", spec_.variants[v].label);
        row.add("against", spec_.variants[0].label);
        if (const auto window = find_window(curve(0), curve(v))) {
            row.add("window_first", window->first);
            row.add("window_last", window->last);
            row.add("worst", window->worst);
            row.add("loss", window->loss);
        }
        if (const auto crossing = find_crossing(curve(0), curve(v))) row.add("crossing", *crossing);
        rows.push_back(row);
    }
    return rows;
}

std::string CurveFigure::json() const {
    const Scenario& s = spec_.variants[0].scenario;
    Figures head;
    head.add("version", std::int64_t{1});
    head.add("processor", s.processor);
    head.add("l2_kib", std::int64_t{s.l2_kib});
    head.add("workload", s.workload);
    head.add("unit", std::string(throughput_unit(s.workload)));
    head.add("seed", s.seed);
    head.add("seeds", std::int64_t{spec_.seeds});
    head.add("work", spec_.work);
    head.add("complete", complete());
    return to_json(head,
                   {{"points", point_rows()}, {"curves", knee_rows()}, {"comparisons", comparison_rows()}});
}

std::string CurveFigure::csv() const {
    return to_csv(point_rows());
}

std::string CurveFigure::features_text() const {
    std::string out;
    for (std::size_t v = 0; v < spec_.variants.size(); ++v) {
        const auto knee = find_knee(curve(v));
        out += spec_.variants[v].label + ": ";
        out += knee ? "knee at " + size_text(knee->working_set) + ", from " + number(knee->before) + " to " +
                          number(knee->after)
                    : std::string("no knee");
        out += "\n";
    }
    for (std::size_t v = 1; v < spec_.variants.size(); ++v) {
        const auto window = find_window(curve(0), curve(v));
        const auto crossing = find_crossing(curve(0), curve(v));
        out += spec_.variants[v].label + " against " + spec_.variants[0].label + ": ";
        out += window ? "slower by more than 2 % from " + size_text(window->first) + " to " +
                            size_text(window->last) + ", worst at " + size_text(window->worst) + " with " +
                            percent(window->loss)
                      : std::string("nowhere slower by more than 2 %");
        if (crossing) out += "; falls behind at " + size_text(*crossing);
        out += "\n";
    }
    return out;
}

std::string CurveFigure::text() const {
    const Scenario& s = spec_.variants[0].scenario;
    const bool bands = spec_.seeds > 1;
    std::string out = s.workload + " on " + s.processor +
                      (s.l2_kib ? " with " + std::to_string(s.l2_kib) + " KiB of L2" : "") + ": " +
                      throughput_unit(s.workload);
    out += bands ? ", median of " + std::to_string(spec_.seeds) + " placement seeds (5 and 95 % quantile)\n\n"
                 : ", one placement seed\n\n";
    const std::size_t width = bands ? 26 : 14;
    out += right("working set", 12);
    for (const CurveVariant& variant : spec_.variants)
        out += "  " + right(variant.label, width);
    out += "\n";
    for (std::size_t size = 0; size < spec_.subintervals.size(); ++size) {
        const double bytes = spec_.subintervals[size] * curve_axis(s.workload).bytes;
        out += right(size_text(bytes), 12);
        for (std::size_t v = 0; v < spec_.variants.size(); ++v) {
            const CurvePoint& p = point(v, size);
            std::string text = "-";
            if (p.seeds > 0) {
                text = number(p.median);
                if (bands) text += " (" + number(p.low) + " to " + number(p.high) + ")";
            }
            out += "  " + right(text, std::max(width, spec_.variants[v].label.size()));
        }
        out += "\n";
    }
    return out + "\n" + features_text();
}

} // namespace tlbscope
