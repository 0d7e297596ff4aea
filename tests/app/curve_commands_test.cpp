// curve, attribute, hint and validate as a shell sees them.
#include "app/cli/command.h"
#include "app/cli/curve_options.h"
#include "app/cli/size_text.h"
#include "tests/app/run_program.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

using namespace tlbscope;

namespace {

const std::vector<std::string> kCurve{"curve",  "--from", "200k",    "--to", "700k",     "--points", "5",
                                      "--work", "5000",   "--seeds", "2",    "--splits", "3:1,4:4"};
const std::vector<std::string> kAttribute{"attribute", "--at", "500k",   "--placements", "contiguous,random",
                                          "--seeds",   "2",    "--work", "5000"};
const std::vector<std::string> kHint{"hint", "--runtm", "0.0002", "--advance", "1.6", "--nsamp", "15"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

boost::json::object json(const std::vector<std::string>& arguments) {
    const Outcome outcome = run(with(arguments, {"--json"}));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return boost::json::parse(outcome.out).as_object();
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        out.push_back(line);
    return out;
}

} // namespace

TEST(SizeText, ReadsWhatItWrites) {
    EXPECT_EQ(parse_size("500k", "--at"), 500 * 1024.0);
    EXPECT_EQ(parse_size("1.5M", "--at"), 1.5 * 1024 * 1024);
    EXPECT_EQ(parse_size("800000", "--at"), 800000.0);
    for (const double bytes : {300.0 * 1024, 5.25 * 1024, 1.75 * 1024 * 1024})
        EXPECT_NEAR(parse_size(size_text(bytes), "--at"), bytes, 0.01 * bytes);
    for (const char* text : {"", "k", "-5k", "0", "5q", "nan", "inf", "5k5", "1e400"})
        EXPECT_THROW(parse_size(text, "--at"), UsageError) << text;
}

TEST(CurveCommands, HelpFitsTheScreen) {
    for (const char* command : {"curve", "attribute", "hint", "validate"}) {
        const Outcome outcome = run({command, "--help"});
        EXPECT_EQ(outcome.status, 0);
        EXPECT_EQ(outcome.err, "");
        for (const std::string& line : lines(outcome.out))
            EXPECT_LE(line.size(), 110u) << line;
    }
}

TEST(CurveCommands, WrongUsageEndsWith2AndSaysWhy) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
        {{"curve", "--from", "big"}, "--from"},
        {{"curve", "--from", "2M", "--to", "1M"}, "ends below"},
        {{"curve", "--points", "0"}, "--points"},
        {{"curve", "--advance", "1.1", "--points", "5"}, "--points"},
        {{"curve", "--splits", "5:5"}, "4:4"},
        {{"curve", "--splits", "3:1,,4:4"}, "empty part"},
        {{"curve", "--splits", "3:1,3:1"}, "twice"},
        {{"curve", "--splits", "kpti"}, "64-bit"},
        {{"curve", "--hz", "5"}, "hz"},
        {{"curve", "--placements", "heap"}, "contiguous"},
        {{"curve", "--workload", "ebizzy"}, "--workload"},
        {{"curve", "--l2", "500"}, "power of two"},
        {{"curve", "--processor", "pentium"}, "xeon-2.5-512k"},
        {{"curve", "--json", "--csv"}, "--csv"},
        {{"attribute", "--splits", "3:1"}, "two kernels"},
        {{"attribute", "--at", "1"}, "--at"},
        {{"hint", "--preset", "mine"}, "--preset"},
        {{"hint", "--workload", "random-walk"}, "hint-double"},
        {{"hint", "--split", "3:1,4:4"}, "one kernel"},
        {{"hint", "--stoprt", "3"}, "--stoprt"},
        {{"validate", "--only", "nothing"}, "nothing"},
    };
    for (const auto& [arguments, expected] : rows) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments[0] << " " << arguments[1];
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out, "") << arguments[0];
    }
}

TEST(CurveCommands, CurvePrintsTheSameInEveryFormatOnAnyNumberOfThreads) {
    const auto object = json(kCurve);
    EXPECT_TRUE(object.at("complete").as_bool());
    EXPECT_EQ(object.at("unit").as_string(), "MQUIPS");
    const auto& points = object.at("points").as_array();
    ASSERT_EQ(points.size(), 10u);
    for (const auto& point : points) {
        EXPECT_EQ(point.at("seeds").to_number<int>(), 2);
        EXPECT_GT(point.at("throughput").to_number<double>(), 0);
        EXPECT_EQ(point.at("bytes").to_number<double>(), 84 * point.at("subintervals").to_number<double>());
    }
    EXPECT_EQ(object.at("curves").as_array().size(), 2u);
    EXPECT_EQ(object.at("comparisons").as_array().size(), 1u);
    const Outcome one = run(with(kCurve, {"--csv", "--jobs", "1"})),
                  two = run(with(kCurve, {"--csv", "--jobs", "3"}));
    EXPECT_EQ(one.status, 0);
    EXPECT_EQ(one.out, two.out);
    EXPECT_EQ(lines(one.out).size(), 11u);
    const Outcome text = run(kCurve);
    EXPECT_EQ(text.status, 0);
    EXPECT_EQ(text.err, "");
    for (const char* part : {"4:4", "200k", "700k", "knee", "4:4 against 3:1"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

TEST(CurveCommands, AttributePartsSumForEverySeed) {
    const auto object = json(kAttribute);
    const auto& runs = object.at("runs").as_array();
    ASSERT_EQ(runs.size(), 2u);
    const auto& parts = object.at("parts").as_array();
    ASSERT_EQ(parts.size(), 9u);
    for (const auto& one : runs) {
        std::int64_t sum = 0;
        for (const auto& part : parts)
            sum += one.at(part.at("part").as_string()).to_number<std::int64_t>();
        EXPECT_EQ(sum, one.at("cycles_to").to_number<std::int64_t>() -
                           one.at("cycles_from").to_number<std::int64_t>());
    }
    EXPECT_EQ(object.at("from").at("placement").as_string(), "contiguous");
    EXPECT_EQ(object.at("to").at("split").as_string(), "4:4");
    EXPECT_NE(run(kAttribute).out.find("placement misses"), std::string::npos);
}

TEST(CurveCommands, HintPrintsTheBenchmarksTable) {
    const auto object = json(kHint);
    const auto& samples = object.at("samples").as_array();
    EXPECT_EQ(samples.size(), 15u);
    EXPECT_EQ(object.at("stop").as_string(), "NSAMP points");
    EXPECT_FALSE(object.at("runtm_scaled").as_bool());
    EXPECT_GT(object.at("net_quips").to_number<double>(), 0);
    EXPECT_EQ(object.at("parameters").at("ntrial").to_number<int>(), 5);
    const Outcome text = run({"hint", "--advance", "2", "--nsamp", "4"});
    EXPECT_EQ(text.status, 0);
    EXPECT_NE(text.out.find("scaled down"), std::string::npos);
    EXPECT_NE(text.out.find("net QUIPS"), std::string::npos);
}

TEST(CurveCommands, ValidateEndsWith1WhereARowIsOut) {
    for (const std::string only : {"celeron-1000hz", "lseek", "celeron-syscall"}) {
        const Outcome outcome = run({"validate", "--only", only, "--json"});
        const auto object = boost::json::parse(outcome.out).as_object();
        EXPECT_TRUE(object.at("complete").as_bool());
        bool within = true;
        for (const auto& row : object.at("rows").as_array()) {
            within = within && row.at("within").as_bool();
            EXPECT_EQ(row.at("within").as_bool(), std::abs(row.at("difference").to_number<double>()) <=
                                                      row.at("allowed").to_number<double>());
            EXPECT_EQ(row.at("error").as_string(), "");
        }
        EXPECT_EQ(object.at("within").as_bool(), within);
        EXPECT_EQ(outcome.status, within ? 0 : 1);
    }
    // What the model has to meet.
    EXPECT_EQ(run({"validate", "--only", "celeron-100"}).status, 0);
    EXPECT_EQ(run({"validate", "--only", "celeron-null"}).status, 0);
    EXPECT_EQ(run({"validate", "--only", "lseek"}).status, 0);
}

TEST(CurveCommands, InterruptPrintsWhatIsThereAndEndsWith1) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"curve", "--seeds", "1000"},
                                                      {"attribute", "--seeds", "1000"},
                                                      {"hint", "--runtm", "10"},
                                                      {"validate"}}) {
        const Outcome outcome = run(with(arguments, {"--json"}), true);
        EXPECT_EQ(outcome.status, 1) << arguments[0];
        EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << arguments[0];
        EXPECT_FALSE(boost::json::parse(outcome.out).at("complete").as_bool()) << arguments[0];
    }
}
