// Every processor file loads, and every fault in one is reported with file and field.
#include "engine/core/json.h"
#include "engine/hardware/processor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tlbscope;

namespace {

const std::string kFile = "processors/broken.json";

// A processor's file, the teaching machine's if none is named, with one change.
class Broken {
public:
    explicit Broken(const std::string& id = "teaching")
        : text_(read_text_file(std::string(TLBSCOPE_RESOURCES) + "/processors/" + id + ".json")) {}

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

// Together they use every field there is.
const char* const kWhole[] = {"teaching", "xeon-2.5-512k", "skylake-kpti"};

// Those that may be left out; then a documented default holds.
bool is_optional(const std::string& path) {
    for (const char* field : {"holds_huge", "long_mode", ".sector_lines", ".alias_64k"})
        if (path.ends_with(field)) return true;
    return path.starts_with("caches.") && path.ends_with(".replacement");
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
    for (const char* id : {"nehalem", "sandybridge", "ivybridge-i7-3770", "haswell", "skylake",
                           "skylake-kpti", "zen3", "teaching", "xeon-2.5-512k", "xeon-2.5-1m", "celeron-525"})
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
    for (const char* id : kWhole) {
        const Broken whole(id);
        std::vector<std::string> paths;
        collect(parse_json(whole.text(), kFile), "", paths);
        ASSERT_GT(paths.size(), 100u);
        for (const std::string& path : paths) {
            if (is_optional(path)) continue;
            SCOPED_TRACE(id + (": " + path));
            auto document = parse_json(whole.text(), kFile);
            const auto [object, field] = holder(document, path);
            object->erase(field);
            expect_error_at(boost::json::serialize(document), path);
        }
    }
}

TEST(ProcessorData, UnknownFieldsAreNamedEverywhere) {
    std::set<std::string> done;
    for (const char* id : kWhole) {
        const Broken whole(id);
        std::vector<std::string> paths;
        collect(parse_json(whole.text(), kFile), "", paths);
        for (const std::string& path : paths) {
            const std::string parent =
                path.find('.') == std::string::npos ? "" : path.substr(0, path.rfind('.') + 1);
            if (!done.insert(parent).second) continue;
            SCOPED_TRACE(id + (": " + parent));
            auto document = parse_json(whole.text(), kFile);
            holder(document, path).first->emplace("invlpgg", 1);
            expect_error_at(boost::json::serialize(document), parent + "invlpgg");
        }
    }
    EXPECT_GT(done.size(), 40u);
}

TEST(ProcessorData, ValuesOfTheWrongTypeAreNamed) {
    for (const char* id : kWhole) {
        const Broken whole(id);
        std::vector<std::string> paths;
        collect(parse_json(whole.text(), kFile), "", paths);
        for (const std::string& path : paths) {
            SCOPED_TRACE(id + (": " + path));
            for (const boost::json::value& wrong : {boost::json::value(boost::json::array{}),
                                                    boost::json::value(-5), boost::json::value(1.5)}) {
                auto document = parse_json(whole.text(), kFile);
                const auto [object, field] = holder(document, path);
                (*object)[field] = wrong;
                expect_error_at(boost::json::serialize(document), path);
            }
        }
    }
}

// What a file does not mention is as it was before there were such fields.
TEST(ProcessorData, WhatMayBeLeftOutHasItsDefault) {
    const ProcessorSpec plain = parse_processor(Broken().text(), kFile);
    EXPECT_TRUE(plain.long_mode);
    EXPECT_EQ(plain.prefetch_streams, 0u);
    EXPECT_EQ(plain.footprint.timer + plain.footprint.interrupt + plain.footprint.syscall, 0u);
    EXPECT_EQ(plain.footprint.text_pages, 1u);
    EXPECT_EQ(plain.footprint.data_pages, 0u);
    for (const CacheSpec* cache : {&plain.l1d, &plain.l2}) {
        EXPECT_EQ(cache->replacement, Replacement::lru);
        EXPECT_EQ(cache->sector_lines, 1u);
        EXPECT_FALSE(cache->alias_64k);
    }
    EXPECT_FALSE(plain.dtlb.holds_huge);
    for (const Cycles cost : {plain.costs.cr3_write_pae, plain.costs.cr3_write_noflush, plain.costs.invpcid,
                              plain.costs.global_flush})
        EXPECT_EQ(cost, 0);
}

TEST(ProcessorData, ThePentium4HasItsOwnRules) {
    const auto small = load_processor(TLBSCOPE_RESOURCES, "xeon-2.5-512k");
    const auto large = load_processor(TLBSCOPE_RESOURCES, "xeon-2.5-1m");
    EXPECT_FALSE(small->long_mode);
    EXPECT_TRUE(small->dtlb.holds_huge);
    EXPECT_EQ(small->dtlb_huge.entries, 0u);
    EXPECT_TRUE(small->l1d.alias_64k);
    EXPECT_EQ(small->l2.replacement, Replacement::plru);
    EXPECT_EQ(small->l2.sector_lines, 2u);
    EXPECT_EQ(small->prefetch_streams, 8u);
    EXPECT_EQ(small->footprint.timer, 6144u);
    EXPECT_EQ(small->costs.cr3_write_pae, 1100);
    // Nothing but the size of the L2 lies between the two.
    EXPECT_EQ(large->l2.bytes, 2 * small->l2.bytes);
    EXPECT_EQ(large->l2.latency, small->l2.latency);
    EXPECT_EQ(large->costs.memory_stream, small->costs.memory_stream);
    const auto skylake = load_processor(TLBSCOPE_RESOURCES, "skylake-kpti");
    EXPECT_TRUE(skylake->long_mode);
    EXPECT_EQ(skylake->costs.cr3_write_noflush, 200);
    EXPECT_EQ(skylake->costs.invpcid, 150);
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

TEST(ProcessorData, ContradictionsBetweenKernelsAndCachesAreNamed) {
    const auto xeon = [](const char* anchor, const char* from, const char* to) {
        return Broken("xeon-2.5-512k").replace(anchor, from, to).text();
    };
    const auto kpti = [](const char* anchor, const char* from, const char* to) {
        return Broken("skylake-kpti").replace(anchor, from, to).text();
    };
    const std::string cost = R"(": { "cycles": 9, "mark": "estimate", "source": "made up" }, ")";
    // 32-bit and 64-bit kernels.
    expect_error_at(xeon("long_mode", "false", "true"), "costs.cr3_write_pae");
    expect_error_at(xeon("\"cr3_write_pae\"", "cr3_write_pae", "cr3_write_noflush"), "costs.cr3_write_pae");
    for (const char* level : {"\"pml4\": ", "\"pdpt\": ", "\"pd\": "})
        expect_error_at(
            xeon("structure_caches", (level + std::string("0")).c_str(), (level + std::string("4")).c_str()),
            "paging_structure_caches");
    expect_error_at(xeon("\"costs\"", "\"invlpg", ("\"cr3_write_noflush" + cost + "invlpg").c_str()),
                    "costs.cr3_write_noflush");
    expect_error_at(xeon("\"costs\"", "\"invlpg", ("\"invpcid" + cost + "invlpg").c_str()), "costs.invpcid");
    expect_error_at(kpti("\"costs\"", "\"invlpg", ("\"cr3_write_pae" + cost + "invlpg").c_str()),
                    "costs.cr3_write_pae");
    expect_error_at(kpti("\"cr3_write_noflush\"", "cr3_write_noflush", "global_flush"), "costs.invpcid");
    // 2 MiB entries.
    expect_error_at(kpti("\"dtlb\"", "\"shared\"", "\"shared\", \"holds_huge\": true"),
                    "tlb.dtlb.holds_huge");
    expect_error_at(kpti("\"itlb\"", "\"shared\"", "\"shared\", \"holds_huge\": true"),
                    "tlb.itlb.holds_huge");
    expect_error_at(kpti("\"dtlb_huge\"", "\"shared\"", "\"shared\", \"holds_huge\": true"),
                    "tlb.dtlb_huge.holds_huge");
    // Caches.
    expect_error_at(kpti("\"l1d\"", "\"stream\": 0", "\"stream\": 0, \"replacement\": \"fifo\""),
                    "caches.l1d.replacement");
    expect_error_at(xeon("\"l2\"", "\"bytes\": 524288, \"ways\": 8", "\"bytes\": 393216, \"ways\": 12"),
                    "caches.l2.replacement");
    expect_error_at(xeon("\"l1d\"", "\"alias_64k\": true", "\"sector_lines\": 2"), "caches.l1d.sector_lines");
    expect_error_at(xeon("\"l2\"", "\"sector_lines\": 2", "\"sector_lines\": 4"), "caches.l2.sector_lines");
    expect_error_at(xeon("\"l2\"", "\"sector_lines\": 2", "\"alias_64k\": true"), "caches.l2.alias_64k");
    expect_error_at(xeon("\"l1d\"", "\"bytes\": 8192", "\"bytes\": 32768"), "caches.l1d.alias_64k");
    expect_error_at(xeon("\"l2\"", "\"bytes\": 524288, \"ways\": 8", "\"bytes\": 1024, \"ways\": 16"),
                    "caches.l2.sector_lines");
    expect_error_at(xeon("\"memory_stream\"", "100", "301"), "costs.memory_stream");
    // Footprint and prefetcher.
    expect_error_at(xeon("\"large_pages\"", "\"text\": 1", "\"text\": 0"), "footprint.large_pages.text");
    expect_error_at(xeon("\"timer\"", "6144", "1048577"), "footprint.timer.bytes");
    expect_error_at(xeon("\"prefetcher\"", "8", "65"), "prefetcher.streams");
    expect_error_at(xeon("\"prefetcher\"", "unverified", "calibrated"), "prefetcher.mark");
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
