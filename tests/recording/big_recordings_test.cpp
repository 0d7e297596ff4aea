// Recordings that are too large, or not ours, to keep here. TLBSCOPE_RECORDINGS names a folder with them;
// TLBSCOPE_BIG_RECORDING the unpacked text of kernel618_big_2.34M_lines.txt.
#include "engine/core/error.h"
#include "engine/recording/spans.h"
#include "engine/recording/summary.h"
#include "tests/recording/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace tlbscope;
using namespace tlbscope::test;

namespace {

std::string folder() {
    const char* path = std::getenv("TLBSCOPE_RECORDINGS");
    return path && std::filesystem::is_directory(path) ? path : "";
}

} // namespace

TEST(BigRecordings, EachGivesASummaryOrAClearError) {
    if (folder().empty()) GTEST_SKIP() << "TLBSCOPE_RECORDINGS names no folder";
    int summaries = 0, errors = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
        if (!entry.is_regular_file()) continue;
        const std::string path = entry.path().string();
        SCOPED_TRACE(path);
        try {
            const ImportedRecording r = import_file(path);
            const ShootdownIndex index = find_shootdowns(r.log);
            const Summary s = summarize(r, index, path);
            EXPECT_EQ(accounted_lines(r.report), r.report.lines);
            EXPECT_GT(s.events, 0u);
            EXPECT_FALSE(to_text(s).empty());
            EXPECT_FALSE(to_csv(s).empty());
            build_lanes(r.log, r.cpus, r.log.first_index(), r.log.end_index(), &index);
            ++summaries;
        } catch (const Error& e) {
            EXPECT_EQ(e.where(), path);
            EXPECT_GT(e.problem().size(), 5u);
            EXPECT_FALSE(e.hint().empty());
            ++errors;
        }
    }
    RecordProperty("summaries", summaries);
    RecordProperty("errors", errors);
    EXPECT_GT(summaries, 0);
}

TEST(BigRecordings, PerfScriptInFull) {
    const std::string path = folder() + "/local/perfscript_default_full.txt";
    if (folder().empty() || !std::filesystem::exists(path))
        GTEST_SKIP() << "no local/perfscript_default_full.txt";
    const ImportedRecording r = import_file(path);
    const Summary s = summarize(r, find_shootdowns(r.log), path);
    EXPECT_EQ(s.events, 8'984u);
    EXPECT_EQ(s.reasons[1].count, 155u);
    EXPECT_EQ(s.reasons[3].count, 178u);
    EXPECT_EQ(s.reasons[4].count, 163u);
    EXPECT_EQ(s.full_flushes, 54u);
}

TEST(BigRecordings, TwoMillionLines) {
    const char* path = std::getenv("TLBSCOPE_BIG_RECORDING");
    if (!path || !std::filesystem::exists(path))
        GTEST_SKIP()
            << "TLBSCOPE_BIG_RECORDING names no file (xz -dc kernel618_big_2.34M_lines.txt.xz > FILE)";
    const ImportedRecording r = import_file(path);
    const ShootdownIndex index = find_shootdowns(r.log);
    const Summary s = summarize(r, index, path);
    EXPECT_EQ(s.events, 2'340'202u);
    EXPECT_EQ(s.flushes, 84'769u);
    const std::uint64_t reasons[] = {6'486, 17'534, 0, 40'018, 20'572, 159};
    for (std::size_t code = 0; code < 6; ++code)
        EXPECT_EQ(s.reasons[code].count, reasons[code]) << code;
    EXPECT_EQ(s.full_flushes, 9'536u);
    EXPECT_EQ(s.announced_without_receive, 2'879u);
    EXPECT_EQ(r.report.lost_lines, 0u);
    const auto kind = [&](EventKind k) {
        const auto at =
            std::find_if(s.kinds.begin(), s.kinds.end(), [k](const auto& x) { return x.first == k; });
        return at == s.kinds.end() ? std::uint64_t{0} : at->second;
    };
    EXPECT_EQ(kind(EventKind::sched_switch), 1'580'490u);
    EXPECT_EQ(kind(EventKind::page_fault_user), 445'429u);
    EXPECT_EQ(kind(EventKind::csd_function_entry), 38'280u);
    EXPECT_EQ(kind(EventKind::call_function_single_entry), 17'708u);
    EXPECT_EQ(kind(EventKind::ipi_send_cpu), 18'206u);
    EXPECT_EQ(s.syscalls[0].name, "madvise");
    EXPECT_EQ(s.syscalls[0].enters + s.syscalls[0].exits, 40'018u);
    EXPECT_EQ(s.per_cpu[0].events, 662'564u);
    EXPECT_EQ(s.per_cpu[1].events, 1'677'638u);
}
