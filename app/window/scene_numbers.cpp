#include "app/window/scene_numbers.h"

#include "app/window/curve_figures.h"
#include "engine/experiment/attribution.h"
#include "engine/experiment/published.h"
#include "engine/experiment/statistics.h"
#include "engine/session/duel.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tlbscope {
namespace {

using Text = std::optional<std::string>;
constexpr const char* kPending = "…";

// "loss@500k:0:2" in pieces.
struct Name {
    std::string what;
    std::optional<double> at;
    std::vector<std::string> arguments;
};

std::optional<double> bytes_of(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value <= 0) return {};
    const std::string unit(end, text.data() + text.size());
    if (unit == "k") return value * kKilo;
    if (unit == "M") return value * kKilo * kKilo;
    return {};
}

std::optional<Name> parse(const std::string& text) {
    Name name;
    std::vector<std::string> pieces(1);
    for (const char c : text)
        if (c == ':')
            pieces.emplace_back();
        else
            pieces.back() += c;
    name.what = pieces.front();
    name.arguments.assign(pieces.begin() + 1, pieces.end());
    if (const auto at = name.what.find('@'); at != std::string::npos) {
        name.at = bytes_of(name.what.substr(at + 1));
        if (!name.at) return {};
        name.what.resize(at);
    }
    return name;
}

std::optional<std::size_t> index_of(const std::string& text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

std::string number(double value, int decimals) {
    char text[48];
    // No minus before a zero.
    if (std::abs(value) < 0.5 * std::pow(10.0, -decimals)) value = 0;
    std::snprintf(text, sizeof text, "%.*f", decimals, std::abs(value));
    return (value < 0 ? "−" : "") + std::string(text);
}

// Two digits that count, one decimal at least below ten.
Text percent(std::optional<double> share) {
    if (!share || !std::isfinite(*share)) return {};
    const double value = *share * 100;
    return number(value, std::abs(value) < 0.095 ? 2 : std::abs(value) < 9.95 ? 1 : 0) + " %";
}

Text part_text(const AttributionBand* band, const std::string& which) {
    if (!band || band->seeds.empty()) return {};
    using P = AttributionPart;
    std::vector<P> parts;
    if (which == "tick") parts = {P::tick};
    if (which == "cr3") parts = {P::cr3};
    if (which == "dtlb") parts = {P::dtlb_l1, P::dtlb_l2, P::dtlb_memory};
    if (which == "itlb") parts = {P::itlb};
    if (which == "pollution") parts = {P::data_pollution};
    if (which == "placement") parts = {P::data_placement};
    if (which == "tlb") parts = {P::cr3, P::dtlb_l1, P::dtlb_l2, P::dtlb_memory, P::itlb};
    std::vector<double> sums;
    for (const Attribution& seed : band->seeds) {
        double sum = 0;
        for (const P part : parts)
            sum += seed.loss(part);
        sums.push_back(sum);
    }
    return percent(quantile(std::move(sums), 0.5));
}

template <typename Value>
std::optional<double> median(const AttributionBand* band, Value value) {
    if (!band || band->seeds.empty()) return {};
    std::vector<double> values;
    for (const Attribution& seed : band->seeds)
        if (seed.ticks_b > 0) values.push_back(value(seed));
    if (values.empty()) return {};
    return quantile(std::move(values), 0.5);
}

double per_tick(const Attribution& seed) {
    const double a = seed.ticks_a > 0 ? static_cast<double>(seed.walks_a) : 0.0;
    return (static_cast<double>(seed.walks_b) - a) / static_cast<double>(seed.ticks_b);
}

Text figure_text(const Name& name, const FigureData& data) {
    const PresetFigure& figure = data.figure;
    const auto line = [&](std::size_t i, std::size_t fallback) {
        return i < name.arguments.size() ? *index_of(name.arguments[i]) : fallback;
    };
    if (name.what == "loss")
        return percent(data.loss(line(0, figure.reference), line(1, figure.compared), *name.at));
    if (name.what == "band") {
        const Text half = percent(data.band(line(0, figure.compared), *name.at));
        return half ? "± " + *half : half;
    }
    if (name.what == "most") {
        const std::size_t a = line(0, figure.reference), b = line(1, figure.compared);
        std::optional<double> most;
        for (const CurvePoint& point : data.line(a))
            if (const auto loss = data.loss(a, b, point.working_set))
                most = std::max(most.value_or(*loss), *loss);
        return percent(most);
    }
    if (name.what == "knee") {
        const auto knee = find_knee(data.line(line(0, figure.reference)));
        return knee ? Text(working_set_text(knee->working_set)) : Text();
    }
    const auto window = find_window(data.line(figure.reference), data.line(figure.compared));
    if (!window) return data.complete() ? Text("nowhere") : Text();
    if (name.what == "worst") return percent(window->loss);
    if (name.what == "worst_at") return working_set_text(window->worst);
    return working_set_text(window->first) + " to " + working_set_text(window->last);
}

Text duel_text(const Name& name, const DuelSnapshot& duel) {
    if (!duel.lap || duel.lap->ticks[1] == 0) return {};
    const DuelLap& lap = *duel.lap;
    if (name.what == "duel.cr3")
        return number(static_cast<double>(lap.cr3_loads[1]) / static_cast<double>(lap.ticks[1]), 0);
    const double extra = static_cast<double>(lap.walks[1]) - static_cast<double>(lap.walks[0]);
    return number(extra / static_cast<double>(lap.ticks[1]), 0);
}

Text value_of(const std::string& text, const NumberSources& sources) {
    const auto name = parse(text);
    if (!name) return {};
    if (name->what == "published") {
        if (!sources.published) return {};
        for (const PublishedFigure& row : *sources.published)
            if (row.id == name->arguments.at(0)) {
                const int decimals = row.value == std::floor(row.value) ? 0
                                     : std::abs(row.value) < 10         ? 2
                                                                        : 1;
                return number(row.value, decimals) + " " + row.unit;
            }
        return {};
    }
    if (name->what == "part") return part_text(sources.attribution, name->arguments.at(0));
    if (name->what == "measured_loss") {
        const auto loss = median(sources.attribution, [](const Attribution& seed) { return seed.loss(); });
        return percent(loss);
    }
    if (name->what == "tlb_parts") return part_text(sources.attribution, "tlb");
    if (name->what == "refills") {
        const auto refills = median(sources.attribution, per_tick);
        return refills ? Text(number(*refills, 0)) : Text();
    }
    if (name->what.starts_with("duel.")) return sources.duel ? duel_text(*name, *sources.duel) : Text();
    return sources.figure ? figure_text(*name, *sources.figure) : Text();
}

bool known(const std::string& text, std::size_t lines, const std::vector<PublishedFigure>& published) {
    const auto name = parse(text);
    if (!name) return false;
    const auto lines_given = [&](std::size_t from, std::size_t to) {
        const auto valid = [&](const std::string& a) {
            const auto i = index_of(a);
            return i && *i < lines;
        };
        return name->arguments.size() >= from && name->arguments.size() <= to &&
               std::all_of(name->arguments.begin(), name->arguments.end(), valid);
    };
    const bool at = name->at.has_value();
    if (name->what == "loss") return at && name->arguments.size() != 1 && lines_given(0, 2);
    if (name->what == "band") return at && lines_given(0, 1);
    if (at) return false;
    if (name->what == "most") return name->arguments.size() != 1 && lines_given(0, 2);
    if (name->what == "knee") return lines_given(0, 1);
    if (name->what == "part") {
        static const std::vector<std::string> parts = {"tick", "cr3",       "dtlb",
                                                       "itlb", "pollution", "placement"};
        return name->arguments.size() == 1 &&
               std::find(parts.begin(), parts.end(), name->arguments[0]) != parts.end();
    }
    if (name->what == "published")
        return name->arguments.size() == 1 &&
               std::any_of(published.begin(), published.end(),
                           [&](const PublishedFigure& row) { return row.id == name->arguments[0]; });
    static const std::vector<std::string> plain = {"window",        "worst",   "worst_at",     "tlb_parts",
                                                   "measured_loss", "refills", "duel.refills", "duel.cr3"};
    return name->arguments.empty() && std::find(plain.begin(), plain.end(), name->what) != plain.end();
}

// Calls `take` with every name in braces and puts its answer there.
template <typename Take>
std::string each(const std::string& text, Take take) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
        if (end == std::string::npos) {
            out += text[i++];
            continue;
        }
        out += take(text.substr(i + 1, end - i - 1));
        i = end + 1;
    }
    return out;
}

} // namespace

std::string fill_numbers(const std::string& text, const NumberSources& sources) {
    return each(text, [&](const std::string& name) { return value_of(name, sources).value_or(kPending); });
}

std::optional<std::string> unknown_number(const std::string& text, std::size_t lines,
                                          const std::vector<PublishedFigure>& published) {
    std::optional<std::string> unknown;
    each(text, [&](const std::string& name) {
        if (!unknown && !known(name, lines, published)) unknown = name;
        return std::string();
    });
    return unknown;
}

} // namespace tlbscope
