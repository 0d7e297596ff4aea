#include "views/panels/delta_strip.h"

#include "tests/views/curve_points.h"

#include <QApplication>

#include <gtest/gtest.h>

using namespace tlbscope;

TEST(DeltaRows, BarsGrowToTheSideThatHasMore) {
    for (const Lockstep lockstep : {Lockstep::work, Lockstep::time})
        for (int frame = 1; frame < 200; frame += 13) {
            const auto snapshot = synthetic::duel(lockstep, frame, 0.1);
            const auto sides = deltaSides(*snapshot);
            const auto rows = deltaRows(*snapshot);
            ASSERT_EQ(rows.size(), 5 + kCurveShares);
            double largest = 0;
            for (const DeltaRow& row : rows) {
                EXPECT_LE(std::abs(row.bar), 1);
                EXPECT_EQ(row.bar == 0, row.difference == QStringLiteral("=")) << row.name.toStdString();
                if (row.kind != DeltaRow::Kind::owner) continue;
                const auto i = static_cast<std::size_t>(row.owner);
                const Cycles difference = sides.shares[1][i] - sides.shares[0][i];
                EXPECT_EQ(row.bar > 0, difference > 0) << row.name.toStdString();
                EXPECT_EQ(row.bar < 0, difference < 0) << row.name.toStdString();
                largest = std::max(largest, std::abs(row.bar));
            }
            EXPECT_DOUBLE_EQ(largest, 1); // one scale for all owners
        }
}

TEST(DeltaRows, ByWorkTheLapThatBothHaveFinishedCounts) {
    auto snapshot = synthetic::duel(Lockstep::work, 140);
    ASSERT_TRUE(snapshot->lap);
    snapshot->lap->work = 12345;
    EXPECT_EQ(deltaSides(*snapshot).work[0], 12345u);
    EXPECT_EQ(deltaSides(*snapshot).work[1], 12345u);
    snapshot->lockstep = Lockstep::time;
    EXPECT_EQ(deltaSides(*snapshot).work[0], snapshot->sides[0].work);
}

TEST(DeltaRows, SaysWhoIsAhead) {
    auto snapshot = std::make_shared<DuelSnapshot>(*synthetic::duel(Lockstep::work, 100));
    snapshot->lap.reset();
    auto& sides = snapshot->sides;
    sides[0].time = 12'500'000; // 5 ms
    sides[1].time = 12'553'750; // 21.5 µs more
    sides[0].work = sides[1].work = 50'000;
    const auto say = [&] {
        return deltaSentence(*snapshot, QStringLiteral("left"), QStringLiteral("right"),
                             QStringLiteral("iterations"))
            .replace(QChar(QChar::Nbsp), u' ');
    };
    EXPECT_EQ(say(), QStringLiteral("right is 0.43 % behind: 21.5 µs in 5.00 ms"));
    EXPECT_LT(deltaLead(*snapshot), 0);
    std::swap(sides[0].time, sides[1].time);
    EXPECT_TRUE(say().startsWith(QStringLiteral("right is 0.43 % ahead: ")));
    sides[1].time = sides[0].time;
    EXPECT_EQ(say(), QStringLiteral("left and right are level"));
    snapshot->lockstep = Lockstep::time;
    sides[1].work = 49'000;
    EXPECT_EQ(say().remove(QChar(0x202f)), QStringLiteral("right is 2.0 % behind: 1000 of 50000 iterations"));
    sides[0].work = 0;
    EXPECT_EQ(say(), QStringLiteral("Nothing to compare yet."));
}

TEST(DeltaHistory, IsBoundedAscendingAndForgetsAFutureThatComesAgain) {
    DeltaHistory history;
    for (int i = 0; i < 10000; ++i)
        history.add(i * 1e-4, -0.01);
    EXPECT_LE(history.samples().size(), DeltaHistory::kMax);
    EXPECT_GE(history.samples().size(), DeltaHistory::kMax / 4);
    for (std::size_t i = 1; i < history.samples().size(); ++i)
        EXPECT_GT(history.samples()[i].x(), history.samples()[i - 1].x());
    history.add(0.5, 0.25);
    EXPECT_EQ(history.samples().back(), QPointF(0.5, 0.25));
    history.add(std::nan(""), 1);
    history.add(0.6, std::nan(""));
    EXPECT_EQ(history.samples().back().x(), 0.5);
    const auto [low, high] = history.range();
    EXPECT_LE(low, -0.01);
    EXPECT_GE(high, 0);
    EXPECT_LT(high, 0.25); // one outlier does not set the scale
}

TEST(DeltaStrip, KeepsOneLineARunAndPaintsOnlyWhenSeen) {
    DeltaStrip strip;
    strip.resize(460, 430);
    for (int i = 1; i <= 20; ++i)
        strip.setSnapshot(synthetic::duel(Lockstep::work, i, 0.004, false));
    EXPECT_EQ(strip.history().samples().size(), 20u);
    QApplication::processEvents();
    EXPECT_EQ(strip.frames(), 0);
    EXPECT_TRUE(strip.accessibleDescription().isEmpty());
    strip.show();
    strip.grab();
    EXPECT_TRUE(strip.accessibleDescription().contains(QStringLiteral("CR3 loads")));
    strip.setSnapshot(synthetic::duel(Lockstep::work, 5, 0.004, false)); // stepped back
    EXPECT_EQ(strip.history().samples().size(), 5u);
    auto other = synthetic::duel(Lockstep::work, 9, 0.004, false);
    other->run = 2;
    strip.setSnapshot(other);
    EXPECT_EQ(strip.history().samples().size(), 1u);
    strip.setSnapshot(synthetic::duel(Lockstep::time, 10));
    EXPECT_EQ(strip.history().samples().size(), 1u);
    strip.setSnapshot(nullptr);
    strip.grab();
    for (const QSize size : {QSize(1, 1), QSize(90, 400), QSize(2000, 80)}) {
        strip.setSnapshot(synthetic::duel(Lockstep::work, 30));
        strip.resize(size);
        strip.grab();
    }
}
