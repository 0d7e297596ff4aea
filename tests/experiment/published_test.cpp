// Files of published figures, and the table that holds the model against them.
#include "engine/core/error.h"
#include "engine/experiment/published.h"
#include "engine/experiment/validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tlbscope;

namespace {

const std::atomic<bool> kNever{false};

const char* const kFile = R"({"version": 1, "experiment": "an experiment", "source": "someone",
 "machine": {"processor": "teaching", "workload": "mummap", "hz": 100},
 "figures": [
  {"id": "one", "what": "rate", "value": 10, "unit": "M/s", "tolerance": 1, "calibration": true,
   "measure": "rate", "scenario": {"hz": 250}},
  {"id": "two", "what": "change", "value": -2, "unit": "%", "tolerance_percent": 50, "calibration": false,
   "measure": "change", "scenario": {"hz": 1000}, "baseline": {}, "source": "someone else"}],
 "marks": [
  {"kind": "window", "first_kib": 300, "last_kib": 700, "value": 0, "label": "here"}]})";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    if (at == std::string::npos) throw std::runtime_error("not there: " + what);
    return text.replace(at, what.size(), with);
}

} // namespace

TEST(Published, ReadsFiguresAndMarks) {
    const PublishedFile file = parse_published(kFile, "f.json");
    ASSERT_EQ(file.figures.size(), 2u);
    const PublishedFigure& one = file.figures[0];
    EXPECT_EQ(one.id, "one");
    EXPECT_EQ(one.experiment, "an experiment");
    EXPECT_EQ(one.source, "someone");
    EXPECT_EQ(one.value, 10);
    EXPECT_TRUE(one.calibration);
    EXPECT_FALSE(one.tolerance_percent);
    EXPECT_EQ(one.scenario.processor, "teaching");
    EXPECT_EQ(one.scenario.hz, 250);
    EXPECT_EQ(one.scenario.threads, 1);
    const PublishedFigure& two = file.figures[1];
    EXPECT_EQ(two.source, "someone else");
    EXPECT_EQ(two.measure, PublishedMeasure::change);
    EXPECT_TRUE(two.tolerance_percent);
    EXPECT_EQ(two.scenario.hz, 1000);
    EXPECT_EQ(two.baseline.hz, 100);
    ASSERT_EQ(file.marks.size(), 1u);
    EXPECT_EQ(file.marks[0].kind, CurveMark::Kind::window);
    EXPECT_EQ(file.marks[0].first, 300 * 1024.0);
    EXPECT_EQ(file.marks[0].last, 700 * 1024.0);
    EXPECT_EQ(file.marks[0].source, "someone");
}

TEST(Published, ErrorsNameFileAndField) {
    const auto refused = [](const std::string& what, const std::string& with, const std::string& field) {
        try {
            parse_published(replaced(kFile, what, with), "f.json");
            FAIL() << with;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("f.json"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
        }
    };
    refused("\"version\": 1", "\"version\": 2", "version");
    refused("\"id\": \"one\", ", "", "figures[0].id");
    refused("\"value\": 10", "\"value\": \"ten\"", "figures[0].value");
    refused("\"unit\": \"M/s\"", "\"unit\": \"\"", "figures[0].unit");
    refused("\"measure\": \"rate\"", "\"measure\": \"size\"", "figures[0].measure");
    refused("\"tolerance\": 1", "\"tolerance\": -1", "figures[0].tolerance");
    refused("{\"hz\": 250}", "{\"hz\": 1}", "figures[0].scenario");
    refused("{\"hz\": 250}", "{\"zh\": 250}", "figures[0].scenario.zh");
    refused("\"baseline\": {}, ", "", "figures[1].baseline");
    refused("\"kind\": \"window\"", "\"kind\": \"door\"", "marks[0].kind");
    refused("\"last_kib\": 700", "\"last_kib\": 7", "marks[0].last_kib");
    refused("\"label\": \"here\"", "\"label\": \"here\", \"colour\": 1", "marks[0].colour");
    refused("\"machine\": {", "\"machine\": {\"workload\": \"doom\"}, \"more\": {", "machine");
    refused("\"figures\": [", "\"figures\": [1, ", "figures[0]");
    refused("\"version\"", "version", "line 1");
    EXPECT_THROW(load_published("/nonexistent"), Error);
}

TEST(Published, TheFilesThatComeWithTheProgramAreWhole) {
    const auto marks = load_curve_marks(TLBSCOPE_RESOURCES);
    std::set<CurveMark::Kind> kinds;
    for (const CurveMark& mark : marks) {
        kinds.insert(mark.kind);
        EXPECT_LE(mark.first, mark.last);
        EXPECT_FALSE(mark.source.empty());
    }
    EXPECT_EQ(kinds.size(), 4u);
    const auto figures = load_published(TLBSCOPE_RESOURCES);
    std::set<std::string> ids;
    for (const PublishedFigure& figure : figures) {
        ids.insert(figure.id);
        EXPECT_FALSE(figure.source.empty());
        EXPECT_GT(figure.tolerance, 0);
    }
    EXPECT_EQ(ids.size(), figures.size());
    EXPECT_GE(figures.size(), 14u);
}

TEST(Validation, RowsAreWithinToleranceOrNot) {
    ValidationRow row;
    row.figure.value = -2;
    row.figure.tolerance = 0.5;
    EXPECT_FALSE(row.within()); // not run
    row.done = true;
    for (const auto& [model, within] :
         {std::pair{-2.0, true}, {-2.5, true}, {-1.5, true}, {-2.51, false}, {-1.49, false}}) {
        row.model = model;
        EXPECT_EQ(row.within(), within) << model;
    }
    row.figure.tolerance_percent = true;
    row.figure.tolerance = 10;
    EXPECT_NEAR(row.allowed(), 0.2, 1e-12);
    row.model = -2.1;
    EXPECT_TRUE(row.within());
    row.model = -2.3;
    EXPECT_FALSE(row.within());
    row.model = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(row.within());
    row.model = -2;
    row.error = "no such workload";
    EXPECT_FALSE(row.within());
}

TEST(Validation, RunsEveryFigureOnceAndKeepsErrors) {
    std::vector<PublishedFigure> figures(20);
    for (std::size_t i = 0; i < figures.size(); ++i)
        figures[i].value = static_cast<double>(i);
    const PublishedModel model = [](const PublishedFigure& figure, const std::atomic<bool>&, double& value) {
        if (figure.value == 7) throw Error("workload", "is missing");
        value = figure.value * 2;
        return true;
    };
    for (const int threads : {1, 4}) {
        std::set<std::size_t> told;
        const auto rows = validate_model(
            figures, model, kNever, [&](std::size_t i, const ValidationRow&) { told.insert(i); }, threads);
        ASSERT_EQ(rows.size(), 20u);
        EXPECT_EQ(told.size(), 20u);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_TRUE(rows[i].done);
            EXPECT_EQ(rows[i].error.empty(), i != 7);
            if (i != 7) {
                EXPECT_EQ(rows[i].model, 2.0 * static_cast<double>(i));
            }
        }
    }
    const std::atomic<bool> cancelled{true};
    for (const ValidationRow& row : validate_model(figures, model, cancelled))
        EXPECT_FALSE(row.done);
}

// Rows that the model has to meet, whether it was fitted to them or not.
TEST(Validation, TheModelMeetsTheCeleronsTableAndTheSystemCalls) {
    std::vector<PublishedFigure> figures = load_published(TLBSCOPE_RESOURCES);
    std::erase_if(figures, [](const PublishedFigure& figure) {
        return figure.id.rfind("celeron-100", 0) != 0 && figure.id.rfind("celeron-null", 0) != 0 &&
               figure.id.rfind("lseek", 0) != 0;
    });
    ASSERT_EQ(figures.size(), 12u);
    for (const ValidationRow& row : validate_model(figures, simulate_published(TLBSCOPE_RESOURCES), kNever))
        EXPECT_TRUE(row.within()) << row.figure.id << ": " << row.model << " " << row.figure.unit << " for "
                                  << row.figure.value << row.error;
}
