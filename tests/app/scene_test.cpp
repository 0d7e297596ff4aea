// Scenes as files, and the numbers in their texts.
#include "app/window/curve_figures.h"
#include "app/window/scene.h"
#include "app/window/scene_numbers.h"
#include "engine/core/error.h"
#include "engine/experiment/attribution.h"
#include "engine/experiment/published.h"
#include "engine/session/duel.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tlbscope {
namespace {

std::string error_of(const std::string& json) {
    try {
        parse_scene(json, "scene.json");
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

std::string with_step(const std::string& step) {
    return R"({"id": "x", "title": "X", "steps": [{"headline": "h", )" + step + "}]}";
}

TEST(Scene, EveryShippedSceneLoads) {
    const auto scenes = list_scenes(TLBSCOPE_RESOURCES);
    ASSERT_FALSE(scenes.empty());
    for (const auto& [id, title] : scenes) {
        const Scene scene = load_scene(TLBSCOPE_RESOURCES, id);
        EXPECT_EQ(scene.title, title);
        EXPECT_GE(scene.steps.size(), 8u);
        EXPECT_LE(scene.steps.size(), 12u);
        for (const SceneStep& step : scene.steps) {
            EXPECT_FALSE(step.headline.empty());
            EXPECT_FALSE(step.source.empty()) << step.headline;
            const auto lines = 1 + std::count(step.body.begin(), step.body.end(), '\n');
            EXPECT_TRUE(lines >= 2 && lines <= 4) << step.headline;
        }
    }
}

TEST(Scene, ComplaintsNameFileAndField) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"{", "scene.json"},
        {R"({"id": "x", "title": "X", "steps": []})", "steps"},
        {R"({"id": "x", "steps": []})", "title"},
        {with_step(R"("page": "attic")"), "page"},
        {with_step(R"("highlight": "moon")"), "highlight"},
        {with_step(R"("cursor_k": -5)"), "cursor_k"},
        {with_step(R"("cursor_k": "500")"), "cursor_k"},
        {with_step(R"("figure": {"preset": "2003"})"), "preset"},
        {with_step(R"("figure": {"workload": "ebizzy"})"), "workload"},
        {with_step(R"("figure": {"placement": "sorted"})"), "figure"},
        {with_step(R"("figure": {"l2_kib": 500})"), "figure"},
        {with_step(R"("figure": {"sedes": 4})"), "sedes"},
        {with_step(R"("duel": {"pair": "5:0"})"), "pair"},
        {with_step(R"("duel": {"placement": "sorted"})"), "duel"},
        {with_step(R"("lockstep": "luck")"), "lockstep"},
        {with_step(R"("speed": 0)"), "speed"},
        {with_step(R"("play": "yes")"), "play"},
        {with_step(R"("machines": false, "strip": false)"), "strip"},
        {with_step(R"("hedline": "h")"), "hedline"},
    };
    for (const auto& [json, field] : cases) {
        const std::string error = error_of(json);
        EXPECT_NE(error.find("scene.json"), std::string::npos) << json << ": " << error;
        if (field != "scene.json") {
            EXPECT_NE(error.find(field), std::string::npos) << json << ": " << error;
        }
    }
    EXPECT_EQ(error_of(with_step(R"("page": "duel", "ticks": 2)")), "");
}

TEST(Scene, AnUnknownIdNamesThoseThatAreThere) {
    for (const char* id : {"", "no-such-scene", "../published/celeron-4g4g"}) {
        try {
            load_scene(TLBSCOPE_RESOURCES, id);
            FAIL() << id;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("where-did-the-17-percent-go"), std::string::npos);
        }
    }
}

// A figure with made-up points: line 0 at 100 up to 1 MB, line 1 lower by 10 % from 400k on.
FigureData made_up() {
    FigureData data;
    data.figure = make_figure(data.choice);
    data.figure.reference = 0;
    data.figure.compared = 1;
    data.points.resize(data.figure.spec.variants.size());
    for (int n = 1000; n <= 13000; n += 500)
        for (std::size_t v = 0; v < 2; ++v) {
            CurvePoint p;
            p.variant = v;
            p.subintervals = n;
            p.working_set = 84.0 * n;
            p.seeds = 4;
            p.median = v == 1 && p.working_set > 400 * kKilo ? 90 : 100;
            p.low = p.median * 0.96;
            p.high = p.median * 1.02;
            data.points[v][n] = p;
        }
    data.done = data.total = 1;
    return data;
}

TEST(SceneNumbers, AreTheFiguresOwn) {
    const FigureData data = made_up();
    NumberSources sources;
    EXPECT_EQ(fill_numbers("{loss@500k} and {part:cr3} of 3", sources), "… and … of 3");
    sources.figure = &data;
    EXPECT_EQ(fill_numbers("a {loss@500k} b", sources), "a 10 % b");
    EXPECT_EQ(fill_numbers("{loss@500k:1:0}", sources), "−11 %");
    EXPECT_EQ(fill_numbers("{loss@200k}", sources), "0.00 %");
    EXPECT_EQ(fill_numbers("{most:0:1}", sources), "10 %");
    EXPECT_EQ(fill_numbers("{band@500k:1}", sources), "± 3.0 %");
    EXPECT_EQ(fill_numbers("{loss@90M}", sources), "…") << "beyond the figure";
    EXPECT_EQ(fill_numbers("{part:cr3} {duel.refills}", sources), "… …");
    EXPECT_EQ(fill_numbers("no numbers {", sources), "no numbers {");
}

TEST(SceneNumbers, TakeAttributionsAndMachines) {
    AttributionBand band;
    Attribution seed;
    seed.cycles_a = 900;
    seed.cycles_b = 1000;
    seed.parts[static_cast<std::size_t>(AttributionPart::cr3)] = 20;
    seed.parts[static_cast<std::size_t>(AttributionPart::dtlb_l2)] = 30;
    seed.parts[static_cast<std::size_t>(AttributionPart::data_placement)] = 50;
    seed.ticks_a = seed.ticks_b = 10;
    seed.walks_a = 100;
    seed.walks_b = 280;
    band.seeds = {seed, seed, seed};
    DuelSnapshot duel;
    NumberSources sources;
    sources.attribution = &band;
    sources.duel = &duel;
    EXPECT_EQ(fill_numbers("{part:placement} {part:dtlb} {tlb_parts} {refills} {duel.cr3}", sources),
              "5.0 % 3.0 % 5.0 % 18 …");
    duel.lap.emplace();
    duel.lap->ticks = {10, 10};
    duel.lap->walks = {100, 290};
    duel.lap->cr3_loads = {0, 20};
    EXPECT_EQ(fill_numbers("{duel.refills} {duel.cr3}", sources), "19 2");
    const auto published = load_published(TLBSCOPE_RESOURCES);
    sources.published = &published;
    EXPECT_EQ(fill_numbers("{published:lseek-shared}", sources).substr(0, 3), "5.2");
}

TEST(SceneNumbers, MisspeltOnesAreFound) {
    const auto published = load_published(TLBSCOPE_RESOURCES);
    for (const char* bad : {"{los@500k}", "{loss}", "{loss@500}", "{loss@500k:0}", "{loss@500k:0:9}",
                            "{band:1}", "{part:luck}", "{published:nobody}", "{window@5k}", "{}", "{duel}"})
        EXPECT_TRUE(unknown_number(bad, 4, published)) << bad;
    for (const char* good : {"{loss@500k}", "{loss@1M:0:3}", "{most:0:1}", "{band@400k}", "{knee:0}",
                             "{window}", "{worst_at}", "{part:tick}", "{duel.refills}", "plain"})
        EXPECT_FALSE(unknown_number(good, 4, published)) << good;
}

TEST(FigurePresets, EveryOneMakesAFigureThatCanBeRun) {
    for (const FigurePreset& preset : figure_presets()) {
        FigureChoice choice;
        choice.preset = preset.id;
        choice.processor = preset.processor;
        const PresetFigure figure = make_figure(choice);
        EXPECT_LT(figure.reference, figure.spec.variants.size());
        EXPECT_LT(figure.compared, figure.spec.variants.size());
        EXPECT_NE(figure.reference, figure.compared);
        EXPECT_EQ(figure.styles.size(), figure.spec.variants.size());
        EXPECT_TRUE(std::is_sorted(figure.spec.subintervals.begin(), figure.spec.subintervals.end(),
                                   std::less_equal<>()))
            << "ascending, no size twice";
        for (const CurveVariant& line : figure.spec.variants)
            EXPECT_NO_THROW(validate(line.scenario)) << preset.id;
        // What is spoken of is measured, not read between two points.
        for (const double told : {300, 500, 700}) {
            const int size = static_cast<int>(std::lround(told * kKilo / 84));
            EXPECT_TRUE(
                std::binary_search(figure.spec.subintervals.begin(), figure.spec.subintervals.end(), size))
                << preset.id << " at " << told << "k";
        }
    }
    EXPECT_THROW(find_figure_preset("x"), Error);
    EXPECT_THROW(find_duel_pair("x"), Error);
}

} // namespace
} // namespace tlbscope
