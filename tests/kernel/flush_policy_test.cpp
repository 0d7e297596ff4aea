#include "engine/kernel/flush_policy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace tlbscope;

namespace {

struct Row {
    std::string era, processor, decision, note;
    FlushInput input;
    std::int64_t threshold = 0;
    bool has_threshold = false;
    int counted = 0, line = 0;
};

std::vector<Row> rows() {
    std::ifstream file(TLBSCOPE_TEST_DATA "/kernel/flush_decisions.tsv");
    std::vector<Row> rows;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> cell;
        std::istringstream cells(line);
        for (std::string c; std::getline(cells, c, '\t');)
            cell.push_back(c);
        cell.resize(13);
        const auto integer = [&](std::size_t i, std::int64_t missing) {
            return cell[i].empty() ? missing : std::stoll(cell[i]);
        };
        Row row;
        row.line = number;
        row.era = cell[0];
        row.processor = cell[1];
        row.input.tlb_lld_4k = static_cast<std::uint32_t>(integer(2, 0));
        row.input.tlb_lli_4k = row.input.tlb_lld_4k;
        row.input.shift = static_cast<int>(integer(3, -1));
        row.input.total_vm = static_cast<std::uint64_t>(integer(4, 0));
        row.input.large_page_in_range = integer(6, 0) != 0;
        row.input.hugetlb = integer(7, 0) != 0;
        row.input.pages = integer(8, 0);
        row.decision = cell[9];
        row.has_threshold = !cell[10].empty();
        row.threshold = integer(10, -1);
        row.counted = static_cast<int>(integer(11, 0));
        rows.push_back(row);
    }
    return rows;
}

} // namespace

TEST(FlushPolicy, DecidesEveryVectorOfItsEraAsTheKernelDid) {
    int checked = 0;
    for (const Row& row : rows()) {
        const FlushPolicy* policy = nullptr;
        for (const FlushPolicy& p : flush_policies())
            if (row.era == p.id) policy = &p;
        if (!policy) continue; // rules of other designs
        const FlushDecision d = policy->decide(row.input);
        const std::string where = "line " + std::to_string(row.line) + ", " + row.era + ", " + row.processor;
        EXPECT_EQ(d.full, row.decision == "full") << where;
        EXPECT_EQ(d.counted_full ? 1 : 0, row.counted) << where;
        if (row.has_threshold) {
            EXPECT_EQ(d.threshold, row.threshold) << where;
        }
        EXPECT_GE(policy->explain(row.input, d).size(), 2u) << where;
        ++checked;
    }
    EXPECT_GE(checked, 60);
}

TEST(FlushPolicy, ARangeFlushNeverExceedsItsThreshold) {
    for (const FlushPolicy& policy : flush_policies())
        for (int shift = -1; shift <= 12; ++shift)
            for (std::int64_t pages : {1, 2, 32, 33, 34, 128, 129, 256, 257, 4096}) {
                FlushInput in;
                in.pages = pages;
                in.total_vm = 100000;
                in.tlb_lld_4k = in.tlb_lli_4k = 512;
                in.shift = shift;
                const FlushDecision d = policy.decide(in);
                if (!d.full) {
                    EXPECT_LE(pages, d.threshold) << policy.id << " shift " << shift;
                }
                in.pages = kTlbFlushAll;
                EXPECT_TRUE(policy.decide(in).full) << policy.id;
            }
}

TEST(FlushPolicy, ExecutableRangesUseTheCodeTlbInTheShiftEras) {
    FlushInput in;
    in.pages = 20;
    in.total_vm = 100000;
    in.tlb_lld_4k = 512;
    in.tlb_lli_4k = 64;
    in.shift = 2;
    in.vm_exec = true;
    EXPECT_TRUE(find_flush_policy("3.6-3.13").decide(in).full);
    in.vm_exec = false;
    EXPECT_FALSE(find_flush_policy("3.6-3.13").decide(in).full);
}
