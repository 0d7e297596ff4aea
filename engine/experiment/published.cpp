#include "engine/experiment/published.h"

#include "engine/core/json.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tlbscope {

namespace {

constexpr std::pair<const char*, PublishedMeasure> kMeasures[] = {
    {"rate", PublishedMeasure::rate},
    {"time", PublishedMeasure::time},
    {"time_added", PublishedMeasure::time_added},
    {"change", PublishedMeasure::change},
    {"extra_change", PublishedMeasure::extra_change},
    {"net_quips", PublishedMeasure::net_quips},
};
constexpr std::pair<const char*, CurveMark::Kind> kKinds[] = {
    {"crossing", CurveMark::Kind::crossing},
    {"loss", CurveMark::Kind::loss},
    {"window", CurveMark::Kind::window},
    {"error_band", CurveMark::Kind::error_band},
};
constexpr double kKib = 1024;

template <class Value, std::size_t N>
Value one_of(JsonObject& object, const char* field, const std::pair<const char*, Value> (&choices)[N]) {
    const std::string name = object.string(field);
    std::string known;
    for (const auto& [choice, value] : choices) {
        if (name == choice) return value;
        known += (known.empty() ? "" : ", ") + std::string(choice);
    }
    object.fail(field, "is \"" + name + "\"", "known: " + known);
}

std::string text(JsonObject& object, const char* field) {
    const std::string value = object.string(field);
    if (value.empty()) object.fail(field, "is empty");
    return value;
}

// The fields that differ from `base`.
Scenario read_scenario(JsonObject& parent, const char* field, const Scenario& base) {
    JsonObject object = parent.object(field);
    Scenario s = base;
    for (const auto& [name, member] : std::initializer_list<std::pair<const char*, std::string Scenario::*>>{
             {"processor", &Scenario::processor},
             {"workload", &Scenario::workload},
             {"split", &Scenario::split},
             {"placement", &Scenario::placement}})
        if (object.has(name)) s.*member = text(object, name);
    for (const auto& [name, member] : std::initializer_list<std::pair<const char*, int Scenario::*>>{
             {"hz", &Scenario::hz},
             {"pae", &Scenario::pae},
             {"invpcid", &Scenario::invpcid},
             {"global_text", &Scenario::global_text},
             {"interrupts", &Scenario::interrupts},
             {"working_set_pages", &Scenario::working_set_pages},
             {"subintervals", &Scenario::subintervals}})
        if (object.has(name)) s.*member = static_cast<int>(object.integer(name, 0, 1 << 30));
    object.finish();
    try {
        validate(s);
    } catch (const Error& error) {
        parent.fail(field, "is no scenario: " + std::string(error.what()));
    }
    return s;
}

PublishedFigure read_figure(JsonObject& object, const PublishedFigure& common, const Scenario& machine) {
    PublishedFigure figure = common;
    figure.id = text(object, "id");
    figure.what = text(object, "what");
    figure.value = object.number("value", -1e12, 1e12);
    figure.unit = text(object, "unit");
    figure.tolerance_percent = object.has("tolerance_percent");
    figure.tolerance = object.number(figure.tolerance_percent ? "tolerance_percent" : "tolerance", 0, 1e12);
    figure.calibration = object.boolean("calibration");
    if (object.has("source")) figure.source = text(object, "source");
    figure.measure = one_of(object, "measure", kMeasures);
    figure.scenario = read_scenario(object, "scenario", machine);
    const bool compares =
        figure.measure != PublishedMeasure::rate && figure.measure != PublishedMeasure::time;
    if (compares) figure.baseline = read_scenario(object, "baseline", machine);
    if (figure.measure == PublishedMeasure::extra_change) figure.plain = text(object, "plain");
    object.finish();
    return figure;
}

CurveMark read_mark(JsonObject& object, const std::string& source) {
    CurveMark mark;
    mark.kind = one_of(object, "kind", kKinds);
    mark.first = object.number("first_kib", 0, 1e9) * kKib;
    mark.last = object.number("last_kib", 0, 1e9) * kKib;
    if (mark.last < mark.first) object.fail("last_kib", "is below first_kib");
    mark.value = object.number("value", 0, 1);
    mark.label = text(object, "label");
    mark.source = object.has("source") ? text(object, "source") : source;
    object.finish();
    return mark;
}

PublishedFile load_all(const std::string& resources) {
    const std::string folder = resources + "/published";
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
    if (error) throw Error(folder, "cannot be read: " + error.message());
    std::sort(paths.begin(), paths.end());
    PublishedFile all;
    for (const std::string& path : paths) {
        PublishedFile one = parse_published(read_text_file(path), path);
        for (PublishedFigure& figure : one.figures) {
            for (const PublishedFigure& other : all.figures)
                if (other.id == figure.id) throw Error(path, "figures: id " + figure.id + " is there twice");
            all.figures.push_back(std::move(figure));
        }
        all.marks.insert(all.marks.end(), one.marks.begin(), one.marks.end());
    }
    return all;
}

} // namespace

PublishedFile parse_published(const std::string& json, const std::string& file) {
    const boost::json::value document = parse_json(json, file);
    JsonObject root(document, file, "");
    root.integer("version", 1, 1);
    PublishedFile out;
    PublishedFigure common;
    common.experiment = text(root, "experiment");
    common.source = text(root, "source");
    if (root.has("figures")) {
        Scenario machine;
        machine.threads = 1;
        machine = read_scenario(root, "machine", machine);
        for (JsonObject& object : root.objects("figures"))
            out.figures.push_back(read_figure(object, common, machine));
    }
    if (root.has("marks"))
        for (JsonObject& object : root.objects("marks"))
            out.marks.push_back(read_mark(object, common.source));
    root.finish();
    return out;
}

std::vector<PublishedFigure> load_published(const std::string& resources) {
    return load_all(resources).figures;
}

std::vector<CurveMark> load_curve_marks(const std::string& resources) {
    return load_all(resources).marks;
}

} // namespace tlbscope
