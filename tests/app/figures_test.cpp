#include "app/cli/figures.h"

#include "app/cli/command.h"
#include "app/cli/help_formatter.h"
#include "app/cli/scenario_figures.h"
#include "app/cli/value_list.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

using namespace tlbscope;

namespace {

Figures every_type() {
    Figures figures;
    figures.add("version", std::int64_t{-3});
    figures.add("big", ~std::uint64_t{0});
    figures.add("group.share", 0.1);
    figures.add("group.text", std::string("say \"129 > 64\",\nthen\\flush"));
    figures.add("other.done", true);
    figures.add("last", std::string("µs"));
    return figures;
}

} // namespace

TEST(Figures, JsonReadsBackAsWritten) {
    const auto value =
        boost::json::parse(to_json(every_type(), {{"rows", {every_type(), every_type()}}, {"none", {}}}));
    const auto check = [](const boost::json::object& object) {
        EXPECT_EQ(object.at("version").as_int64(), -3);
        EXPECT_EQ(object.at("big").as_uint64(), ~std::uint64_t{0});
        EXPECT_EQ(object.at("group").at("share").as_double(), 0.1);
        EXPECT_EQ(object.at("group").at("text").as_string(), "say \"129 > 64\",\nthen\\flush");
        EXPECT_TRUE(object.at("other").at("done").as_bool());
        EXPECT_EQ(object.at("last").as_string(), "µs");
    };
    check(value.as_object());
    ASSERT_EQ(value.at("rows").as_array().size(), 2u);
    for (const auto& row : value.at("rows").as_array())
        check(row.as_object());
    EXPECT_TRUE(value.at("none").as_array().empty());
    EXPECT_TRUE(boost::json::parse(to_json({})).as_object().empty());
}

TEST(Figures, JsonHasNoNumberForWhatIsNone) {
    Figures figures;
    figures.add("ratio", 0.0 / 0.0);
    EXPECT_TRUE(boost::json::parse(to_json(figures)).at("ratio").is_null());
}

TEST(Figures, CsvHasTheKeysOfJson) {
    const std::string csv = to_csv(every_type());
    EXPECT_TRUE(csv.starts_with("key,value\nversion,-3\nbig,18446744073709551615\ngroup.share,0.1\n")) << csv;
    EXPECT_NE(csv.find("group.text,\"say \"\"129 > 64\"\",\nthen\\flush\"\n"), std::string::npos) << csv;

    Figures row;
    row.add("value", std::int64_t{1});
    row.add("cycles.user", std::int64_t{20});
    EXPECT_EQ(to_csv(std::vector<Figures>{row, row}), "value,cycles.user\n1,20\n1,20\n");
    EXPECT_EQ(to_csv(std::vector<Figures>{}), "");
}

TEST(Figures, BucketKeysAreDistinctAndComplete) {
    std::set<std::string> keys;
    for (std::size_t i = 0; i < kBuckets; ++i) {
        const std::string name = key(static_cast<Bucket>(i));
        EXPECT_FALSE(name.empty());
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos);
        EXPECT_TRUE(keys.insert(name).second) << name;
    }
}

TEST(Figures, ThousandsAreApart) {
    EXPECT_EQ(with_spaces(std::int64_t{0}), "0");
    EXPECT_EQ(with_spaces(std::int64_t{999}), "999");
    EXPECT_EQ(with_spaces(std::int64_t{84769}), "84 769");
    EXPECT_EQ(with_spaces(std::int64_t{-1234567}), "-1 234 567");
    EXPECT_EQ(with_spaces(1234.56, 1), "1 234.6");
    EXPECT_EQ(with_spaces(-0.5, 2), "-0.50");
    EXPECT_EQ(with_spaces(99999.9, 0), "100 000");
}

TEST(ValueList, ReadsWhatPeopleType) {
    EXPECT_EQ(parse_value_list("3"), (std::vector<int>{3}));
    EXPECT_EQ(parse_value_list("-1..2"), (std::vector<int>{-1, 0, 1, 2}));
    EXPECT_EQ(parse_value_list("-3..-1"), (std::vector<int>{-3, -2, -1}));
    EXPECT_EQ(parse_value_list("8,1,8,4"), (std::vector<int>{8, 1, 4}));
    EXPECT_EQ(parse_value_list("0..25:10"), (std::vector<int>{0, 10, 20}));
    EXPECT_EQ(parse_value_list("16..128*2,100"), (std::vector<int>{16, 32, 64, 128, 100}));
    EXPECT_EQ(parse_value_list("1..2147483647*2").size(), 31u);
    EXPECT_EQ(parse_value_list("2147483646..2147483647").size(), 2u);
    EXPECT_EQ(parse_value_list("1..10000").size(), 10000u);
}

TEST(ValueList, RefusesTheRest) {
    for (const char* text :
         {"", ",", "1,", "a", "1..", "..3", "3..1", "1..5:0", "1..5:-1", "0..5*2", "1..5*1", "1...5", "1.5",
          "99999999999", "1..10001", "1..2147483647", " 1", "1..5:", "1..5*2*2"})
        EXPECT_THROW(parse_value_list(text), UsageError) << text;
}

TEST(HelpFormatter, WrapsAtTheWidthAndKeepsLines) {
    const std::string text =
        "Pages of 4 KiB that one munmap gives back, 1 to 8192.\n  kept    as it is written here\nend";
    for (std::size_t width = 20; width < 80; ++width) {
        std::istringstream lines(wrap(text, width));
        std::string line, words;
        bool kept = false;
        while (std::getline(lines, line)) {
            if (line.starts_with("  ")) {
                EXPECT_EQ(line, "  kept    as it is written here");
                kept = true;
                continue;
            }
            EXPECT_LE(line.size(), width);
            words += line + " ";
        }
        EXPECT_TRUE(kept);
        EXPECT_EQ(words, "Pages of 4 KiB that one munmap gives back, 1 to 8192. end ");
    }
}
