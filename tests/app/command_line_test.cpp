// The program as a shell sees it: exit status, stdout, stderr, Ctrl-C.
#include "tests/app/run_program.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace tlbscope;

namespace {

const std::vector<std::string> kQuick{"--seconds", "0.001", "--warmup", "0.0005"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

// "key,value" lines, or the header of a table.
std::set<std::string> csv_keys(const std::string& csv) {
    std::set<std::string> keys;
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line))
        keys.insert(line.substr(0, line.find(',')));
    return keys;
}

void flatten(const boost::json::object& object, const std::string& prefix, std::set<std::string>& keys) {
    for (const auto& member : object) {
        const std::string key = prefix + std::string(member.key());
        if (member.value().is_object())
            flatten(member.value().as_object(), key + ".", keys);
        else
            keys.insert(key);
    }
}

} // namespace

TEST(CommandLine, HelpAndVersionAreDone) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                      {"-h"},
                                                      {"simulate", "--help"},
                                                      {"sweep", "--help"},
                                                      {"inspect", "--help"},
                                                      {"render", "--help"},
                                                      {"--version"},
                                                      {"--policies"},
                                                      {"--workloads"},
                                                      {"--processors"}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << arguments[0];
        EXPECT_FALSE(outcome.out.empty()) << arguments[0];
        EXPECT_EQ(outcome.err, "") << arguments[0];
    }
    EXPECT_NE(run({"--processors"}).out.find("ivybridge-i7-3770"), std::string::npos);
}

TEST(CommandLine, HelpIsInSentencesThatFitTheScreen) {
    for (const char* command : {"simulate", "sweep", "inspect", "render"}) {
        std::istringstream lines(run({command, "--help"}).out);
        std::string line;
        while (std::getline(lines, line))
            EXPECT_LE(line.size(), 110u) << line;
    }
}

TEST(CommandLine, WrongUsageEndsWith2AndSaysWhy) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
        {{"--nonsense"}, "--nonsense"},
        {{"simulate", "--threads", "0"}, "--threads"},
        {{"simulate", "--threads", "many"}, "--threads"},
        {{"simulate", "--shift", "13"}, "--shift"},
        {{"simulate", "--shift", "x"}, "--shift"},
        {{"simulate", "--processor", "pentium"}, "ivybridge-i7-3770"},
        {{"simulate", "--policy", "2.6"}, "3.6-3.13"},
        {{"simulate", "--workload", "doom"}, "--workload"},
        {{"simulate", "--hz", "99"}, "--hz"},
        {{"simulate", "--sockets", "8", "--cores", "1024"}, "topology"},
        {{"simulate", "--json", "--csv"}, "--csv"},
        {{"simulate", "extra"}, "extra"},
        {{"simulate", "--seconds", "0"}, "--seconds"},
        {{"sweep", "--axis", "colour"}, "--axis"},
        {{"sweep", "--values", "1..x"}, "1..x"},
        {{"sweep", "--values", "13"}, "shift"},
        {{"sweep", "--threads", "1,0"}, "threads"},
        {{"sweep", "--axis", "threads", "--threads", "1,2"}, "--threads"},
        {{"inspect"}, "FILE"},
        {{"render"}, "OUT"},
        {{"render", "picture.gif"}, ".png"},
        {{"render", "/tmp/x.png", "--size", "big"}, "--size"},
        {{"render", "/tmp/x.png", "--size", "1x1"}, "--size"},
        {{"--threads", "4", "simulate"}, "simulate"},
    };
    for (const auto& [arguments, expected] : rows) {
        const Outcome outcome = run(arguments);
        std::string shown;
        for (const auto& argument : arguments)
            shown += argument + " ";
        EXPECT_EQ(outcome.status, 2) << shown;
        EXPECT_EQ(outcome.out, "") << shown;
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << shown << ": " << outcome.err;
    }
}

TEST(CommandLine, WhatFailsEndsWith1AndSaysWhy) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
        {{"inspect", "/nonexistent/trace.txt"}, "/nonexistent/trace.txt"},
        {{"inspect", TLBSCOPE_PROGRAM}, "ELF"},
        {{"inspect", TLBSCOPE_SOURCE}, TLBSCOPE_SOURCE},
        {{}, "display"},
        {{"render", "/nonexistent/x.png", "--no-sweeps"}, "/nonexistent/x.png"},
        {{"render", "/tmp/x.png", "--recording", "/nonexistent/trace.txt"}, "/nonexistent/trace.txt"},
    };
    for (const auto& [arguments, expected] : rows) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 1) << expected;
        EXPECT_EQ(outcome.out, "") << expected;
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << expected << ": " << outcome.err;
    }
}

TEST(CommandLine, SimulatePrintsTheSameFiguresInEveryForm) {
    const Outcome json = run(with({"simulate", "--json"}, kQuick));
    ASSERT_EQ(json.status, 0) << json.err;
    EXPECT_EQ(json.err, "");
    const auto value = boost::json::parse(json.out).as_object();
    EXPECT_TRUE(value.at("complete").as_bool());
    std::int64_t cycles = 0;
    for (const auto& member : value.at("cycles").as_object())
        cycles += member.value().as_int64();
    EXPECT_EQ(cycles, value.at("cpus").as_int64() * value.at("elapsed_cycles").as_int64());

    std::set<std::string> keys;
    flatten(value, "", keys);
    const Outcome csv = run(with({"simulate", "--csv"}, kQuick));
    EXPECT_EQ(csv.status, 0);
    EXPECT_EQ(csv_keys(csv.out), keys);

    const Outcome text = run(with({"simulate"}, kQuick));
    EXPECT_EQ(text.status, 0);
    const std::string hash(value.at("event_hash").as_string());
    EXPECT_NE(text.out.find(hash), std::string::npos);
    EXPECT_NE(csv.out.find("event_hash," + hash + "\n"), std::string::npos);
    EXPECT_NE(run(with({"simulate", "--seed", "8"}, kQuick)).out.find("hash"), std::string::npos);
    EXPECT_EQ(run(with({"simulate", "--seed", "8"}, kQuick)).out.find(hash), std::string::npos);
}

// The keys are a promise: whoever removes or renames one has to change `version` as well.
TEST(CommandLine, SimulateKeepsItsKeys) {
    const auto value = boost::json::parse(run(with({"simulate", "--json"}, kQuick)).out).as_object();
    EXPECT_EQ(value.at("version").as_int64(), 1);
    std::set<std::string> keys;
    flatten(value, "", keys);
    for (const char* key : {"scenario.processor",
                            "scenario.policy",
                            "scenario.workload",
                            "scenario.shift",
                            "scenario.threads",
                            "scenario.flush_pages",
                            "scenario.seed",
                            "shift",
                            "ceiling",
                            "processor",
                            "cpus",
                            "clock_hz",
                            "complete",
                            "warmup_cycles",
                            "elapsed_cycles",
                            "elapsed_seconds",
                            "records",
                            "records_per_second",
                            "counters.nr_tlb_remote_flush",
                            "counters.nr_tlb_remote_flush_received",
                            "counters.nr_tlb_local_flush_all",
                            "counters.nr_tlb_local_flush_one",
                            "counters.page_faults",
                            "counters.context_switches",
                            "counters.ipis_sent",
                            "tlb.accesses",
                            "tlb.l1_hits",
                            "tlb.stlb_hits",
                            "tlb.walks",
                            "tlb.faults",
                            "tlb.stale_uses",
                            "decisions.full",
                            "decisions.range",
                            "cycles.user",
                            "cycles.wait_acks",
                            "cycles.idle",
                            "events",
                            "event_hash"})
        EXPECT_TRUE(keys.count(key)) << key;
}

TEST(CommandLine, SweepGivesEveryPointInEveryForm) {
    const std::vector<std::string> common{"--values", "2,1", "--threads", "1,2", "--seeds", "2"};
    const Outcome json = run(with(with({"sweep", "--json"}, common), kQuick));
    ASSERT_EQ(json.status, 0) << json.err;
    const auto value = boost::json::parse(json.out).as_object();
    EXPECT_EQ(value.at("axis").as_string(), "shift");
    EXPECT_TRUE(value.at("complete").as_bool());
    const auto& points = value.at("points").as_array();
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(points[0].at("value").as_int64(), 2);
    EXPECT_EQ(points[0].at("threads").as_int64(), 1);
    EXPECT_EQ(points[3].at("threads").as_int64(), 2);
    EXPECT_EQ(points[0].at("seeds").as_int64(), 2);

    const Outcome csv = run(with(with({"sweep", "--csv"}, common), kQuick));
    EXPECT_EQ(csv.status, 0);
    std::set<std::string> keys, columns;
    flatten(points[0].as_object(), "", keys);
    std::istringstream header(csv.out.substr(0, csv.out.find('\n')));
    for (std::string column; std::getline(header, column, ',');)
        columns.insert(column);
    EXPECT_EQ(columns, keys);
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 5);
    // How many threads of this machine take part does not show.
    EXPECT_EQ(run(with(with({"sweep", "--csv", "--jobs", "1"}, common), kQuick)).out, csv.out);
    EXPECT_EQ(run(with(with({"sweep", "--csv", "--jobs", "3"}, common), kQuick)).out, csv.out);
}

TEST(CommandLine, CtrlCPrintsWhatIsThereAndEndsWith1) {
    int ends[2];
    if (openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) != 0)
        GTEST_SKIP() << "this system gives no pseudo-terminal: " << std::strerror(errno);
    for (const int end : ends)
        close(end);
    const Outcome simulate = run({"simulate", "--json", "--seconds", "3600"}, true);
    EXPECT_EQ(simulate.status, 1) << simulate.err;
    const auto value = boost::json::parse(simulate.out).as_object();
    EXPECT_FALSE(value.at("complete").as_bool());
    EXPECT_LT(value.at("elapsed_seconds").to_number<double>(), 3600);

    const Outcome sweep = run({"sweep", "--json", "--seconds", "3600"}, true);
    EXPECT_EQ(sweep.status, 1) << sweep.err;
    EXPECT_FALSE(boost::json::parse(sweep.out).at("complete").as_bool());
}

TEST(CommandLine, RenderDrawsTheSamePictureEveryTimeAtTheSizeAsked) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("tlbscope-render-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const auto draw = [&](const std::string& name, const std::vector<std::string>& more) {
        const std::string file = (folder / name).string();
        const Outcome outcome = run(with({"render", file, "--no-sweeps", "--size", "800x500"}, more));
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    // Width and height stand in the first chunk of a PNG, most significant byte first.
    const auto number_at = [](const std::string& png, std::size_t place) {
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < 4; ++i)
            number = number << 8 | static_cast<unsigned char>(png[place + i]);
        return number;
    };
    const std::string one = draw("one.png", {"--scale", "2"});
    ASSERT_GT(one.size(), 1000u);
    EXPECT_EQ(one.substr(1, 3), "PNG");
    EXPECT_EQ(number_at(one, 16), 1600u);
    EXPECT_EQ(number_at(one, 20), 1000u);
    EXPECT_EQ(draw("two.png", {"--scale", "2"}), one);
    EXPECT_NE(draw("light.png", {"--scale", "2", "--theme", "light"}), one);
    EXPECT_NE(draw("later.png", {"--scale", "2", "--at", "900"}), one);
    const std::string svg = draw("one.svg", {});
    EXPECT_NE(svg.find("<svg"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(CommandLine, ResourcesComeFromTheEnvironmentFirst) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("tlbscope-test-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "processors");
    setenv("TLBSCOPE_RESOURCES", folder.c_str(), 1);
    const Outcome empty = run({"simulate"});
    EXPECT_EQ(empty.status, 2);
    EXPECT_NE(empty.err.find(folder.string()), std::string::npos) << empty.err;
    std::ofstream(folder / "processors" / "ivybridge-i7-3770.json") << "{ \"version\": 1 }";
    const Outcome broken = run({"simulate"});
    EXPECT_EQ(broken.status, 1);
    EXPECT_NE(broken.err.find("ivybridge-i7-3770.json"), std::string::npos) << broken.err;
    setenv("TLBSCOPE_RESOURCES", "/nonexistent", 1);
    EXPECT_EQ(run({"simulate"}).status, 1);
    unsetenv("TLBSCOPE_RESOURCES");
    std::filesystem::remove_all(folder);
}
