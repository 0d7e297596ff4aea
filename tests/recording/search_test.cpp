#include "engine/recording/search.h"
#include "tests/recording/log_maker.h"
#include "tests/recording/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tlbscope;
using namespace tlbscope::test;
using Kind = EventKind;

namespace {

std::vector<std::uint64_t> all_forward(const EventLog& log, const EventMatcher& matches,
                                       std::uint64_t budget) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t at = log.first_index();;) {
        const SearchStep step = search_forward(log, matches, at, budget);
        if (step.found) found.push_back(*step.found);
        if (step.finished) return found;
        EXPECT_GT(step.next, at);
        if (matches.filter().from == INT64_MIN) {
            EXPECT_LE(step.next - at, budget);
        }
        at = step.next;
    }
}

std::vector<std::uint64_t> all_backward(const EventLog& log, const EventMatcher& matches,
                                        std::uint64_t budget) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t at = log.end_index();;) {
        const SearchStep step = search_backward(log, matches, at, budget);
        if (step.found) found.push_back(*step.found);
        if (step.finished) break;
        EXPECT_LT(step.next, at);
        at = step.next;
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::vector<EventFilter> filters() {
    std::vector<EventFilter> all(10);
    all[1].kinds.set(static_cast<std::size_t>(Kind::tlb_flush));
    all[2].cpus = {1};
    all[2].kinds.set(static_cast<std::size_t>(Kind::sched_switch));
    all[3].tasks = {17709};
    all[4].reasons.set(4);
    all[5].full = true;
    all[6].text = "KWORKER";
    all[7].text = "remote sh";
    all[8].from = 612'189'000'000;
    all[8].to = 612'189'734'000;
    all[9].text = "sys_munmap";
    return all;
}

} // namespace

TEST(Search, BothDirectionsAndEveryBudgetFindTheSame) {
    const ImportedRecording r = open("kernel_shootdowns.txt");
    for (const EventFilter& filter : filters()) {
        const EventMatcher matches(filter, r.log);
        std::vector<std::uint64_t> expected;
        for (std::uint64_t i = 0; i < r.log.end_index(); ++i)
            if (matches(r.log[i])) expected.push_back(i);
        EXPECT_FALSE(expected.empty());
        for (const std::uint64_t budget : {1u, 7u, 1000u, 1u << 20}) {
            EXPECT_EQ(all_forward(r.log, matches, budget), expected);
            EXPECT_EQ(all_backward(r.log, matches, budget), expected);
        }
    }
}

TEST(Search, FiltersMeanWhatTheySay) {
    const ImportedRecording r = open("kernel_shootdowns.txt");
    const auto count = [&](const EventFilter& f) {
        return all_forward(r.log, EventMatcher(f, r.log), 1 << 20).size();
    };
    const auto all = filters();
    EXPECT_TRUE(all[0].empty());
    EXPECT_FALSE(all[6].empty());
    EXPECT_EQ(count(all[0]), 999u);
    EXPECT_EQ(count(all[1]), 56u);
    EXPECT_EQ(count(all[2]), 511u);
    EXPECT_EQ(count(all[4]), 19u);
    EXPECT_EQ(count(all[5]), 6u);
    EXPECT_EQ(count(all[7]), 18u);
    EXPECT_EQ(count(all[9]), 9u);
    EventFilter nothing;
    nothing.text = "no such words";
    EXPECT_EQ(count(nothing), 0u);
    // Text finds what the described line shows: in names, comms and strings.
    const EventMatcher kworker(all[6], r.log);
    for (std::uint64_t i = 0; i < r.log.end_index(); ++i) {
        const bool shown = describe_line(r.log[i], r.log).find("kworker") != std::string::npos;
        EXPECT_EQ(kworker(r.log[i]), shown) << describe_line(r.log[i], r.log);
    }
}

TEST(Search, DroppedBeginningAndEmptyLogs) {
    LogMaker m;
    for (int i = 0; i < 10; ++i)
        m.add(i, 0, Kind::workload_record);
    const EventLog log = m.log(4096);
    const EventMatcher any({}, log);
    EXPECT_EQ(search_forward(log, any, 0).found, 4096u);
    EXPECT_EQ(search_backward(log, any, ~std::uint64_t{0}).found, 4105u);
    EXPECT_TRUE(search_forward(log, any, 4106).finished);
    EXPECT_TRUE(search_backward(log, any, 4096).finished);
    EXPECT_TRUE(search_forward(EventLog{}, any, 0).finished);
    EXPECT_TRUE(search_backward(EventLog{}, any, 0).finished);
}

TEST(Describe, InTheKernelsFormat) {
    // The kernel's own words come back, but for what is not kept (ip, priorities, callsite of csd_queue_cpu).
    const ImportedRecording r = open("kernel_shootdowns.txt");
    const std::string text = data("kernel_shootdowns.txt");
    std::size_t verbatim = 0;
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < r.log.end_index(); ++i) {
        const EventKind kind = r.log[i].kind;
        if (kind != Kind::csd_function_entry && kind != Kind::csd_function_exit && kind != Kind::sys_enter &&
            kind != Kind::sys_exit && kind != Kind::call_function_single_entry)
            continue;
        const std::string words = describe(r.log[i], r.log) + "\n";
        at = text.find(words, at);
        ASSERT_NE(at, std::string::npos) << words;
        ++verbatim;
    }
    EXPECT_GT(verbatim, 100u);
}

TEST(Describe, EveryKindIsOneLineAndSaysItsName) {
    LogMaker m;
    m.string("bad\nname");
    m.names().texts.push_back("two\nlines\t\x01");
    for (int kind = 0; kind < static_cast<int>(Kind::count_); ++kind)
        for (const std::int64_t arg :
             {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 40})
            for (const std::uint32_t id : {0u, 1u, 0xffffffffu})
                m.add(0, kNoCpu, static_cast<Kind>(kind), arg, id, 0xffffffff, 255, 0xffffffff);
    const EventLog log = m.log();
    for (std::uint64_t i = 0; i < log.end_index(); ++i) {
        const std::string line = describe_line(log[i], log);
        for (const char c : line)
            ASSERT_GE(static_cast<unsigned char>(c), 0x20u) << line;
        EXPECT_FALSE(describe(log[i], log).empty());
    }
}

TEST(Describe, TimesAndDurations) {
    const EventLog ns = LogMaker().log();
    EXPECT_EQ(format_time(612'189'734'000, ns), "612.189734");
    EXPECT_EQ(format_time(774'269'699'644, ns), "774.269699644");
    EXPECT_EQ(format_time(-1'500'000, ns), "-0.001500");
    EXPECT_EQ(format_duration(20'000, ns), "20 us");
    EXPECT_EQ(format_duration(1'234, ns), "1.234 us");
    EXPECT_EQ(format_duration(530, ns), "530 ns");
    EXPECT_EQ(format_duration(12'500'000, ns), "12.5 ms");
    EXPECT_EQ(format_duration(-8'000, ns), "-8 us");
    EXPECT_EQ(format_duration(16'741'000'000, ns), "16.741 s");
    EXPECT_EQ(format_duration(840, LogMaker(3.4e9).log()), "840 cycles");
    EXPECT_EQ(format_duration(1, LogMaker(0).log()), "1 tick");
    EXPECT_EQ(format_time(3, LogMaker(0).log()), "3");
}
