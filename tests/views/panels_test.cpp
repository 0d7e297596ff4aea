#include "tests/views/synthetic.h"
#include "views/panels/counters_panel.h"
#include "views/panels/cycles_panel.h"
#include "views/panels/decision_panel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tlbscope;

TEST(Panels, HiddenTheyPaintNothingShownTheyPaintAll) {
    DecisionPanel decision;
    CyclesPanel cycles;
    CountersPanel counters;
    const auto snapshot = synthetic::snapshot({});
    const auto each = [&](auto&& f) { f(decision), f(cycles), f(counters); };
    each([&](auto& panel) {
        panel.setSnapshot(nullptr);
        panel.setSnapshot(snapshot);
        EXPECT_EQ(panel.frames(), 0);
        panel.resize(320, 240);
        panel.show();
        const QImage full = panel.grab().toImage();
        EXPECT_GT(panel.frames(), 0);
        panel.setSnapshot(nullptr);
        EXPECT_NE(panel.grab().toImage(), full);
        panel.setSnapshot(std::make_shared<Snapshot>()); // neither machine nor decision
        panel.grab();
        panel.resize(30, 20);
        panel.grab();
    });
}

TEST(CyclesPanel, PartsAreTheBucketsAndSumToAll) {
    BucketCycles buckets{};
    EXPECT_TRUE(bucketParts(buckets, Theme::current()).empty());
    synthetic::Random random{4};
    double total = 0;
    for (auto& b : buckets)
        total += double(b = 1 + random.below(1000));
    const auto parts = bucketParts(buckets, Theme::current());
    ASSERT_EQ(parts.size(), kBuckets);
    double sum = 0;
    for (const BarPart& part : parts)
        sum += part.amount;
    EXPECT_DOUBLE_EQ(sum, total);
}

TEST(CountersPanel, UsesTheKernelsNamesAndAlarmsOnStaleUses) {
    auto snapshot = synthetic::snapshot({});
    const auto value = [&](const char* name) {
        for (const auto& row : CountersPanel::rows(*snapshot))
            if (row.name == QLatin1String(name)) return row;
        ADD_FAILURE() << name;
        return CountersPanel::Row{};
    };
    snapshot->counters.nr_tlb_remote_flush = 7;
    EXPECT_EQ(value("nr_tlb_remote_flush").value, QStringLiteral("7"));
    EXPECT_FALSE(value("stale uses").alarm);
    snapshot->counters.stale_uses = 1;
    EXPECT_TRUE(value("stale uses").alarm);
    snapshot->counters.tlb_accesses = 0; // no data is not 0 %
    EXPECT_EQ(value("L1 TLB miss rate").value, QStringLiteral("–"));
}
