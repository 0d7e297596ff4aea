#include "app/window/scene.h"

#include "app/window/scene_numbers.h"
#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/experiment/published.h"
#include "engine/hardware/processor.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace tlbscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array kHighlights{
    std::pair{"chart", Highlight::chart},       std::pair{"attribution", Highlight::attribution},
    std::pair{"left", Highlight::left},         std::pair{"right", Highlight::right},
    std::pair{"machines", Highlight::machines}, std::pair{"strip", Highlight::strip}};
constexpr std::array kViews{"throughput", "difference", "both"};

std::string optional_string(JsonObject& object, const char* field, const std::string& otherwise) {
    return object.has(field) ? object.string(field) : otherwise;
}

template <typename Known>
std::size_t one_of(JsonObject& object, const char* field, const Known& known, std::size_t otherwise) {
    if (!object.has(field)) return otherwise;
    const std::string text = object.string(field);
    std::string names;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (text == known[i]) return i;
        names += (names.empty() ? "" : ", ") + std::string(known[i]);
    }
    object.fail(field, "\"" + text + "\" is not known", "known: " + names);
}

// What make_figure(), make_duel() and the simulation would refuse when it is the step's turn.
template <typename Make>
void check(JsonObject& object, const char* field, Make make) {
    try {
        make();
    } catch (const Error& e) {
        object.fail(field, e.what());
    }
}

FigureChoice read_figure(JsonObject& step, FigureChoice choice) {
    if (!step.has("figure")) return choice;
    JsonObject figure = step.object("figure");
    choice.preset = optional_string(figure, "preset", choice.preset);
    check(figure, "preset", [&] { find_figure_preset(choice.preset); });
    choice.processor = optional_string(figure, "processor", choice.processor);
    choice.workload = optional_string(figure, "workload", choice.workload);
    check(figure, "workload", [&] { curve_axis(choice.workload); });
    choice.placement = optional_string(figure, "placement", choice.placement);
    if (figure.has("l2_kib")) choice.l2_kib = static_cast<int>(figure.integer("l2_kib", 0, 65536));
    if (figure.has("seeds")) choice.seeds = static_cast<int>(figure.integer("seeds", 1, 64));
    if (figure.has("points")) choice.points = static_cast<int>(figure.integer("points", 4, 200));
    if (figure.has("seed")) choice.seed = static_cast<std::uint64_t>(figure.integer("seed", 0, 1 << 30));
    figure.finish();
    check(step, "figure", [&] {
        for (const CurveVariant& line : make_figure(choice).spec.variants)
            validate(line.scenario);
    });
    return choice;
}

DuelChoice read_duel(JsonObject& step, DuelChoice choice) {
    if (!step.has("duel")) return choice;
    JsonObject duel = step.object("duel");
    choice.pair = optional_string(duel, "pair", choice.pair);
    check(duel, "pair", [&] { find_duel_pair(choice.pair); });
    choice.processor = optional_string(duel, "processor", choice.processor);
    choice.workload = optional_string(duel, "workload", choice.workload);
    choice.placement = optional_string(duel, "placement", choice.placement);
    if (duel.has("working_set_k")) choice.working_set = duel.number("working_set_k", 1, 1e5) * kKilo;
    if (duel.has("hz")) choice.hz = static_cast<int>(duel.integer("hz", 10, 10000));
    if (duel.has("l2_kib")) choice.l2_kib = static_cast<int>(duel.integer("l2_kib", 0, 65536));
    if (duel.has("seed")) choice.seed = static_cast<std::uint64_t>(duel.integer("seed", 0, 1 << 30));
    duel.finish();
    check(step, "duel", [&] {
        for (const Scenario& scenario : make_duel(choice))
            validate(scenario);
    });
    return choice;
}

SceneStep read_step(JsonObject& object) {
    SceneStep step;
    step.headline = object.string("headline");
    if (object.has("body")) step.body = object.string("body");
    if (object.has("source")) step.source = object.string("source");
    std::array<const char*, kPages.size()> pages{};
    std::transform(kPages.begin(), kPages.end(), pages.begin(), pageName);
    step.page = kPages[one_of(object, "page", pages, static_cast<std::size_t>(Page::curve))];
    std::array<const char*, kHighlights.size()> names{};
    std::transform(kHighlights.begin(), kHighlights.end(), names.begin(),
                   [](const auto& h) { return h.first; });
    if (object.has("highlight")) step.highlight = kHighlights[one_of(object, "highlight", names, 0)].second;
    step.figure = read_figure(object, step.figure);
    if (object.has("cursor_k")) step.cursor = object.number("cursor_k", 1, 1e6) * kKilo;
    step.view = static_cast<int>(one_of(object, "view", kViews, 0));
    if (object.has("attribution")) step.attribution = object.boolean("attribution");
    if (object.has("machines")) step.machines = object.boolean("machines");
    if (object.has("strip")) step.strip = object.boolean("strip");
    if (!step.machines && !step.strip) object.fail("strip", "is false, and so is machines");
    step.duel = read_duel(object, step.duel);
    constexpr std::array kLocksteps{"time", "work"};
    step.lockstep = one_of(object, "lockstep", kLocksteps, 1) == 0 ? Lockstep::time : Lockstep::work;
    if (object.has("speed")) step.speed = object.number("speed", 1e-9, 1);
    if (object.has("begin_seconds")) step.begin_seconds = object.number("begin_seconds", 0, 10);
    if (object.has("ticks")) step.ticks = static_cast<int>(object.integer("ticks", 0, 1000));
    if (object.has("play")) step.play = object.boolean("play");
    return step;
}

} // namespace

Scene parse_scene(const std::string& json, const std::string& file) {
    const boost::json::value value = parse_json(json, file);
    JsonObject root(value, file, "");
    Scene scene;
    scene.id = root.string("id");
    scene.title = root.string("title");
    for (JsonObject& object : root.objects("steps")) {
        scene.steps.push_back(read_step(object));
        object.finish();
    }
    if (scene.steps.empty()) root.fail("steps", "there are none");
    root.finish();
    return scene;
}

Scene load_scene(const std::string& resources, const std::string& id) {
    const fs::path folder = fs::path(resources) / "scenes";
    const fs::path path = folder / (id + ".json");
    if (id.empty() || id.find('/') != std::string::npos || !fs::exists(path)) {
        std::string known;
        for (const auto& [name, title] : list_scenes(resources))
            known += (known.empty() ? "" : ", ") + name;
        throw Error("scene", "there is no scene \"" + id + "\"", "known: " + known);
    }
    const std::string file = path.string();
    Scene scene = parse_scene(read_text_file(file), file);
    if (scene.id != id)
        throw Error(file + ": id", "it is \"" + scene.id + "\"", "the file's name without .json");
    const std::vector<PublishedFigure> published = load_published(resources);
    for (std::size_t i = 0; i < scene.steps.size(); ++i) {
        const SceneStep& step = scene.steps[i];
        const std::size_t lines = make_figure(step.figure).spec.variants.size();
        for (const auto& [field, text] : {std::pair{"headline", &step.headline}, {"body", &step.body}})
            if (const auto name = unknown_number(*text, lines, published))
                throw Error(file + ": steps[" + std::to_string(i) + "]." + field,
                            "{" + *name + "} is not a number that is known");
    }
    return scene;
}

std::vector<std::pair<std::string, std::string>> list_scenes(const std::string& resources) {
    std::vector<std::pair<std::string, std::string>> scenes;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(fs::path(resources) / "scenes", none)) {
        if (entry.path().extension() != ".json") continue;
        try {
            const std::string file = entry.path().string();
            const boost::json::value value = parse_json(read_text_file(file), file);
            scenes.emplace_back(entry.path().stem().string(), JsonObject(value, file, "").string("title"));
        } catch (const Error&) {
            // Told by load_scene().
        }
    }
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

} // namespace tlbscope
