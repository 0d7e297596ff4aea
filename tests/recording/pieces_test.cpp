// The result does not depend on how a file is cut into pieces or on the number of threads, and bad input
// costs no more than itself.
#include "engine/core/error.h"
#include "engine/recording/in_order.h"
#include "engine/recording/line_reader.h"
#include "engine/recording/spans.h"
#include "engine/recording/summary.h"
#include "tests/recording/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace tlbscope;
using namespace tlbscope::test;

namespace {

ImportOptions cut(std::size_t piece, int threads) {
    ImportOptions options;
    options.piece_bytes = piece;
    options.threads = threads;
    return options;
}

void expect_same(const ImportedRecording& a, const ImportedRecording& b) {
    EXPECT_EQ(events(a.log), events(b.log)); // numbers of names included
    EXPECT_EQ(a.log.names().strings, b.log.names().strings);
    EXPECT_EQ(a.log.names().texts, b.log.names().texts);
    EXPECT_EQ(a.log.names().masks, b.log.names().masks);
    EXPECT_EQ(a.log.names().tasks, b.log.names().tasks);
    EXPECT_EQ(a.cpus, b.cpus);
    EXPECT_EQ(a.report.lines, b.report.lines);
    EXPECT_EQ(a.report.parsed, b.report.parsed);
    EXPECT_EQ(a.report.unparsed, b.report.unparsed);
    EXPECT_EQ(a.report.continuation, b.report.continuation);
    EXPECT_EQ(a.report.stack, b.report.stack);
    EXPECT_EQ(a.report.lost_events, b.report.lost_events);
    EXPECT_EQ(a.report.backward_steps, b.report.backward_steps);
    EXPECT_EQ(a.report.unknown, b.report.unknown);
    ASSERT_EQ(a.report.examples.size(), b.report.examples.size());
    for (std::size_t i = 0; i < a.report.examples.size(); ++i) {
        EXPECT_EQ(a.report.examples[i].line, b.report.examples[i].line);
        EXPECT_EQ(a.report.examples[i].text, b.report.examples[i].text);
    }
}

// Everything that needs care at a cut: losses, markers of many lines, stacks, lines not understood, masks.
std::string mixture() {
    std::string text = data("kernel_marker.txt");
    for (int i = 0; i < 40; ++i) {
        const std::string t = std::to_string(800 + i);
        text += "CPU:1 [LOST " + std::to_string(i + 1) + " EVENTS]\n";
        text += "   bash-1 [001] ..... " + t + ".000001: tracing_mark_write: line " + t + "\nsecond " + t +
                "\n\nthird\n";
        text += "   bash-1 [000] ..... " + t + ".000000: ipi_send_cpumask: cpumask=" + std::to_string(i % 7) +
                " callsite=f+0x1 callback=g" + std::to_string(i) + "+0x0\n";
        text +=
            "   bash-1 [000] ..... " + t + ".000002: <stack trace>\n => f\n => g\nnot understood " + t + "\n";
        text += "   bash-1 [000] ..... " + t + ".000003: new_event_" + std::to_string(i % 3) + ": x\n";
    }
    return text + "CPU:0 [LOST 7 EVENTS]\n";
}

} // namespace

TEST(Pieces, CutsDoNotShow) {
    const std::string text = mixture();
    const ImportedRecording whole = import_text(text, "mixture", cut(1 << 24, 1));
    EXPECT_GT(whole.report.unparsed, 10u);
    EXPECT_GT(whole.report.continuation, 10u);
    EXPECT_EQ(accounted_lines(whole.report), whole.report.lines);
    for (const std::size_t piece : {37u, 64u, 100u, 333u, 1000u, 4096u}) {
        SCOPED_TRACE(piece);
        expect_same(import_text(text, "mixture", cut(piece, 1)), whole);
        expect_same(import_text(text, "mixture", cut(piece, 4)), whole);
    }
}

TEST(Pieces, ThreadsDoNotShow) {
    for (const char* name :
         {"kernel_shootdowns.txt", "kernel_pipe_lost.txt", "perf_systemwide.txt", "tracecmd_dropped.txt"}) {
        SCOPED_TRACE(name);
        const ImportedRecording one = open(name, cut(1 << 20, 1));
        for (const int threads : {2, 3, 8})
            expect_same(open(name, cut(5000, threads)), one);
    }
}

TEST(Pieces, AreJoinedInOrder) {
    std::vector<std::uint64_t> order(7);
    for (std::uint64_t i = 0; i < order.size(); ++i)
        order[i] = i;
    do {
        InOrder<std::uint64_t> in_order;
        std::vector<std::uint64_t> taken;
        for (const std::uint64_t number : order)
            in_order.deliver(number, std::make_unique<std::uint64_t>(number * 10),
                             [&](std::uint64_t n, auto thing) {
                                 EXPECT_EQ(*thing, n * 10);
                                 taken.push_back(n);
                             });
        ASSERT_EQ(taken, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Pieces, ATooLongEventIsNoEvent) {
    for (const std::size_t length : {kLongestLine - 100, kLongestLine + 1, 2 * kLongestLine}) {
        const std::string text =
            "   bash-1 [000] ..... 1.000000: tracing_mark_write: " + std::string(length, 'x') +
            "\n   bash-1 [000] ..... 2.000000: tracing_mark_write: y\n";
        const ImportedRecording r = import_text(text, "long");
        EXPECT_EQ(r.report.parsed, length < kLongestLine ? 2u : 1u);
        EXPECT_LE(r.log.names().texts[1].size(), 4096u);
    }
}

TEST(Pieces, LongLinesAreCutAndTheRestIsRead) {
    const std::string event = "   bash-1 [000] ..... 1.000000: tlb_flush: pages:1 reason:x (3)\n";
    for (const std::size_t length :
         {kLongestLine - 1, kLongestLine, kLongestLine + 1, std::size_t{1} << 20}) {
        const std::string text = event + std::string(length, 'x') + "\n" + event + std::string(length, 'y');
        for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 22}) {
            const ImportedRecording r = import_text(text, "long", cut(piece, 2));
            EXPECT_EQ(r.report.parsed, 2u);
            EXPECT_EQ(r.report.unparsed, 2u);
            EXPECT_EQ(r.report.lines, 4u);
            EXPECT_TRUE(r.report.unterminated);
            EXPECT_LE(r.report.examples[0].text.size(), kCutLine);
        }
    }
}

TEST(Pieces, ACancelledImportKeepsWhatItHas) {
    std::atomic<bool> cancel{false};
    std::uint64_t last = 0, calls = 0;
    ImportOptions options = cut(5000, 1);
    options.cancel = &cancel;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_GT(done, last);
        EXPECT_LE(done, total);
        last = done;
        if (++calls == 3) cancel = true;
    };
    const ImportedRecording r = open("kernel_shootdowns.txt", options);
    EXPECT_TRUE(r.report.cancelled);
    EXPECT_EQ(calls, 3u);
    EXPECT_GT(r.log.end_index(), 0u);
    EXPECT_LT(r.log.end_index(), 200u);
}

TEST(Robust, ALineCutWithinItsNumbersIsNoEvent) {
    const std::string line = "   a-1 [000] ..... 1.000000: tlb_flush: pages:12 reason:remote shootdown (1)";
    const ImportedRecording cut_short = import_text(line + "\n" + line.substr(0, line.size() - 6), "cut");
    EXPECT_EQ(cut_short.report.parsed, 1u);
    EXPECT_EQ(cut_short.report.unparsed, 1u);
    EXPECT_TRUE(cut_short.report.unterminated);
    EXPECT_TRUE(cut_short.report.undecoded.empty());
    const ImportedRecording complete = import_text(line + "\n" + line, "complete");
    EXPECT_EQ(complete.report.parsed, 2u);
    EXPECT_TRUE(complete.report.unterminated);
}

// Cut anywhere, a file keeps the events of all its complete lines.
TEST(Robust, TruncationKeepsCompleteLines) {
    for (const char* name :
         {"kernel_default.txt", "tracecmd_default.txt", "perf_default.txt", "kernel_stack.txt"}) {
        const std::string text = data(name);
        const ImportedRecording whole = import_text(text, name);
        const Sniffed format = sniff(text, name);
        std::uint64_t complete = 0; // events of the lines that end before n
        std::size_t line_begin = 0;
        for (std::size_t n = 0; n <= text.size(); ++n) {
            if (n > 0 && text[n - 1] == '\n') {
                LineHead head;
                const auto line = std::string_view(text).substr(line_begin, n - 1 - line_begin);
                complete += format.read_head(line, head) && head.shape != LineShape::stack;
                line_begin = n;
            }
            if (n % 7 != 0) continue;
            ImportedRecording r;
            try {
                r = import_text(std::string_view(text).substr(0, n), name, cut(1500, 1));
            } catch (const Error&) {
                EXPECT_EQ(complete, 0u); // headers alone
                continue;
            }
            ASSERT_GE(r.log.end_index(), complete) << name << " cut at " << n;
            ASSERT_LE(r.log.end_index(), complete + 1); // the line that was cut may be enough of an event
            for (std::uint64_t i = 0; i < complete; ++i)
                ASSERT_EQ(describe(r.log[i], r.log), describe(whole.log[i], whole.log))
                    << name << " cut at " << n;
        }
        EXPECT_EQ(complete, whole.log.end_index());
    }
}

TEST(Robust, MutatedBytesNeverCrash) {
    // another seed with --gtest_random_seed
    std::mt19937 random(static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed()));
    for (const char* name :
         {"kernel_shootdowns.txt", "tracecmd_dropped.txt", "perf_systemwide.txt", "kernel_marker.txt",
          "kernel_fields.txt", "kernel_latency.txt", "perf_callchain.txt"}) {
        const std::string good = data(name).substr(0, 20'000);
        for (int round = 0; round < 40; ++round) {
            std::string text = good;
            const int changes = 1 << (round % 10);
            for (int i = 0; i < changes; ++i) {
                const std::size_t at = random() % text.size();
                static constexpr char kinds[] = "\n\0 -:[]()=0123456789abcdef,.>#\t\xff\x80";
                text[at] = random() % 2 ? static_cast<char>(random()) : kinds[random() % (sizeof kinds - 1)];
            }
            try {
                const ImportedRecording r = import_text(text, name, cut(3000, 2));
                EXPECT_EQ(accounted_lines(r.report), r.report.lines);
                for (const Event& e : events(r.log)) {
                    EXPECT_LT(e.kind, EventKind::count_);
                    describe_line(e, r.log);
                }
                const ShootdownIndex index = find_shootdowns(r.log);
                build_lanes(r.log, r.cpus, 0, r.log.end_index(), &index);
                EXPECT_FALSE(to_csv(summarize(r, index, name)).empty());
            } catch (const Error&) {
            }
        }
    }
}
