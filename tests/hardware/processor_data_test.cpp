// Every processor file loads, and every fault in one is reported with file and field.
#include "engine/core/json.h"
#include "engine/hardware/processor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tlbscope;

namespace {

const std::string kFile = "processors/broken.json";

// The teaching machine's file with one change.
class Broken {
public:
    Broken() : text_(read_text_file(std::string(TLBSCOPE_RESOURCES) + "/processors/teaching.json")) {}

    // Replaces the first `from` after `anchor`; both must occur.
    Broken& replace(const std::string& anchor, const std::string& from, const std::string& to) {
        const std::size_t start = text_.find(anchor);
        EXPECT_NE(start, std::string::npos) << anchor;
        const std::size_t place = text_.find(from, start);
        EXPECT_NE(place, std::string::npos) << from;
        text_.replace(place, from.size(), to);
        return *this;
    }

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

void expect_error_at(const std::string& text, const std::string& field) {
    try {
        parse_processor(text, kFile);
        ADD_FAILURE() << "no error for " << field;
    } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find(kFile), std::string::npos) << what;
        EXPECT_NE(what.find(field), std::string::npos) << what;
    }
}

// Every scalar of the document as a path, "costs.invlpg.cycles".
void collect(const boost::json::value& value, const std::string& path, std::vector<std::string>& out) {
    if (!value.is_object()) {
        out.push_back(path);
        return;
    }
    for (const auto& member : value.as_object())
        collect(member.value(),
                path.empty() ? std::string(member.key()) : path + "." + std::string(member.key()), out);
}

// The object that holds the last part of `path`, and that part.
std::pair<boost::json::object*, std::string> holder(boost::json::value& document, const std::string& path) {
    boost::json::object* object = &document.as_object();
    std::size_t begin = 0;
    for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1)
        object = &object->at(path.substr(begin, dot - begin)).as_object();
    return {object, path.substr(begin)};
}

} // namespace

TEST(ProcessorData, AllNamedProcessorsAreThere) {
    const auto ids = list_processors(TLBSCOPE_RESOURCES);
    for (const char* id :
         {"nehalem", "sandybridge", "ivybridge-i7-3770", "haswell", "skylake", "zen3", "teaching"})
        EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
}

TEST(ProcessorData, EveryFileLoadsAndGivesEveryFigureASource) {
    std::set<std::string> names;
    for (const std::string& id : list_processors(TLBSCOPE_RESOURCES)) {
        SCOPED_TRACE(id);
        const auto spec = load_processor(TLBSCOPE_RESOURCES, id);
        EXPECT_EQ(spec->id, id);
        EXPECT_TRUE(names.insert(spec->name).second);
        std::set<std::string> fields;
        for (const SourceNote& note : spec->sources) {
            EXPECT_TRUE(fields.insert(note.field).second) << note.field;
            EXPECT_GE(note.source.size(), 10u) << note.field << ": " << note.source;
        }
        for (const char* field :
             {"tlb.dtlb", "caches.l1d", "costs.invlpg", "costs.cr3_write", "costs.ipi_delivery", "kernel"})
            EXPECT_TRUE(fields.count(field)) << field;
    }
}

// What the kernel derives from the tables: pages up to which it flushes one by one.
TEST(ProcessorData, ThresholdsAreThoseOfTheKernel) {
    struct Row {
        const char* id;
        std::uint32_t in_3_13, in_3_14;
    };
    for (const Row& row : {Row{"nehalem", 8, 8}, Row{"sandybridge", 16, 8},
                           Row{"ivybridge-i7-3770", 256, 128}, Row{"haswell", 1, 1}, Row{"zen3", 64, 32}}) {
        const auto spec = load_processor(TLBSCOPE_RESOURCES, row.id);
        EXPECT_EQ(spec->tlb_lld_4k >> spec->shift_3_6, row.in_3_13) << row.id;
        EXPECT_EQ(spec->tlb_lld_4k >> spec->shift_3_14, row.in_3_14) << row.id;
    }
}

TEST(ProcessorData, EveryFieldIsNeededAndNamedWhenMissing) {
    const Broken whole;
    std::vector<std::string> paths;
    collect(parse_json(whole.text(), kFile), "", paths);
    ASSERT_GT(paths.size(), 100u);
    for (const std::string& path : paths) {
        if (path.ends_with("holds_huge")) continue; // the one that may be left out
        SCOPED_TRACE(path);
        auto document = parse_json(whole.text(), kFile);
        const auto [object, field] = holder(document, path);
        object->erase(field);
        expect_error_at(boost::json::serialize(document), path);
    }
}

TEST(ProcessorData, UnknownFieldsAreNamedEverywhere) {
    const Broken whole;
    std::vector<std::string> paths;
    collect(parse_json(whole.text(), kFile), "", paths);
    std::set<std::string> done;
    for (const std::string& path : paths) {
        const std::string parent =
            path.find('.') == std::string::npos ? "" : path.substr(0, path.rfind('.') + 1);
        if (!done.insert(parent).second) continue;
        SCOPED_TRACE(parent);
        auto document = parse_json(whole.text(), kFile);
        holder(document, path).first->emplace("invlpgg", 1);
        expect_error_at(boost::json::serialize(document), parent + "invlpgg");
    }
    EXPECT_GT(done.size(), 30u);
}

TEST(ProcessorData, ValuesOfTheWrongTypeAreNamed) {
    const Broken whole;
    std::vector<std::string> paths;
    collect(parse_json(whole.text(), kFile), "", paths);
    for (const std::string& path : paths) {
        SCOPED_TRACE(path);
        for (const boost::json::value& wrong :
             {boost::json::value(boost::json::array{}), boost::json::value(-5), boost::json::value(1.5)}) {
            auto document = parse_json(whole.text(), kFile);
            const auto [object, field] = holder(document, path);
            (*object)[field] = wrong;
            expect_error_at(boost::json::serialize(document), path);
        }
    }
}

TEST(ProcessorData, ContradictionsAreNamed) {
    expect_error_at(Broken().replace("\"dtlb\"", "\"ways\": 4", "\"ways\": 5").text(), "tlb.dtlb.ways");
    expect_error_at(Broken().replace("\"dtlb\"", "\"entries\": 16", "\"entries\": 12").text(),
                    "tlb.dtlb.entries");
    expect_error_at(Broken().replace("\"dtlb\"", "\"lru\"", "\"newest\"").text(), "tlb.dtlb.replacement");
    expect_error_at(Broken().replace("\"dtlb\"", "\"shared\"", "\"communal\"").text(), "tlb.dtlb.sharing");
    expect_error_at(
        Broken().replace("\"topology\"", "\"threads_per_core\": 2", "\"threads_per_core\": 3").text(),
        "topology");
    expect_error_at(
        Broken().replace("\"topology\"", "\"cores_per_socket\": 2", "\"cores_per_socket\": 1024").text(),
        "topology");
    expect_error_at(Broken().replace("\"l2\"", "\"latency\": 10", "\"latency\": 2").text(), "caches.l2");
    expect_error_at(Broken().replace("\"memory\"", "\"cycles\": 100", "\"cycles\": 10").text(), "costs");
    expect_error_at(Broken().replace("\"smt_speed\"", "\"percent\": 50", "\"percent\": 49").text(),
                    "costs.smt_speed.percent");
    expect_error_at(
        Broken()
            .replace("\"kernel\"", "\"tlb_flushall_shift_3_6\": 1", "\"tlb_flushall_shift_3_6\": 13")
            .text(),
        "kernel.tlb_flushall_shift_3_6");
    expect_error_at(Broken().replace("\"invlpg\"", "\"mark\": \"estimate\"", "\"mark\": \"sure\"").text(),
                    "costs.invlpg.mark");
    // A split TLB of a core without siblings.
    expect_error_at(
        Broken().replace("\"topology\"", "\"threads_per_core\": 2", "\"threads_per_core\": 1").text(),
        "itlb");
}

TEST(ProcessorData, BrokenJsonIsReportedWithFileAndLine) {
    std::string text = Broken().text();
    text.resize(text.size() / 2);
    expect_error_at(text, "broken.json");
    expect_error_at("", "broken.json");
    expect_error_at("[1, 2]", "broken.json");
}

TEST(ProcessorData, AnUnknownProcessorListsTheKnownOnes) {
    try {
        load_processor(TLBSCOPE_RESOURCES, "ivybridge");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(error.hint().find("ivybridge-i7-3770"), std::string::npos) << error.what();
    }
    EXPECT_THROW(load_processor(TLBSCOPE_RESOURCES, "../processors/teaching"), Error);
}
