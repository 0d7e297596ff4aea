// A scripted scene: what a presenter says step by step, and what the window shows meanwhile.
#pragma once

#include "app/window/duel_pairs.h"
#include "app/window/figure_presets.h"
#include "app/window/page.h"
#include "engine/session/duel.h"

#include <optional>
#include <string>
#include <vector>

namespace tlbscope {

// Names of what a step can put into the light.
enum class Highlight : std::uint8_t { none, chart, attribution, left, right, machines, strip };

struct SceneStep {
    // May hold numbers to be filled in: see scene_numbers.h.
    std::string headline, body, source;
    Page page = Page::curve;
    Highlight highlight = Highlight::none;

    FigureChoice figure;          // page curve
    std::optional<double> cursor; // bytes of the axis
    int view = 0;                 // CurveView
    bool attribution = true;      // whether the panel beside the chart is shown

    DuelChoice duel; // page duel
    // Whether the machines, and the difference below them, are shown; one of them is.
    bool machines = true, strip = true;
    Lockstep lockstep = Lockstep::work;
    double speed = 5e-4;      // simulated seconds per host second
    double begin_seconds = 0; // where the left machine stands first
    int ticks = 0;            // then so many commands "to the next tick"
    bool play = false;        // then it runs
};

struct Scene {
    std::string id, title;
    std::vector<SceneStep> steps; // at least one
};

// `file` names the text in complaints. Throws Error naming file and field, also for a number that is not
// known, a figure that cannot be made and a pair that does not exist.
Scene parse_scene(const std::string& json, const std::string& file);
// resources/scenes/ID.json. Throws Error, for an unknown id with those that are there.
Scene load_scene(const std::string& resources, const std::string& id);
// Ids and titles, sorted by id. Files that cannot be read are left out: load_scene() says why.
std::vector<std::pair<std::string, std::string>> list_scenes(const std::string& resources);

} // namespace tlbscope
