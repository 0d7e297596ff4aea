#include "views/panels/attribution_panel.h"

#include "tests/views/curve_points.h"
#include "views/theme/owner_colors.h"

#include <QApplication>

#include <gtest/gtest.h>

using namespace tlbscope;

TEST(AttributionPanel, TheWaterfallEndsWhereTheLossDoes) {
    for (const int seeds : {1, 2, 16}) {
        const AttributionBand band = synthetic::attribution(seeds);
        const auto rows = AttributionPanel::rows(band, 2.5e9);
        ASSERT_EQ(rows.size(), kAttributionParts + 1);
        EXPECT_EQ(rows[0].part, AttributionPart::count_);
        EXPECT_NEAR(rows.back().to, rows[0].to, 1e-12);
        EXPECT_NEAR(rows[0].to, band.seeds[AttributionPanel::example(band)].loss(), 1e-12);
        for (std::size_t i = 1; i < rows.size();
             ++i) { // in the order of the parts, each from the end of the last
            EXPECT_EQ(static_cast<std::size_t>(rows[i].part), i - 1);
            EXPECT_DOUBLE_EQ(rows[i].from, i == 1 ? 0 : rows[i - 1].to);
            EXPECT_LE(rows[i].low, rows[i].high);
        }
    }
}

TEST(AttributionPanel, ShowsThePlacementNearestToTheMedian) {
    const AttributionBand band = synthetic::attribution(16);
    const double shown = std::abs(band.seeds[AttributionPanel::example(band)].loss() - band.loss.median);
    for (const Attribution& seed : band.seeds)
        EXPECT_LE(shown, std::abs(seed.loss() - band.loss.median));
}

TEST(AttributionPanel, OnlyPartsThatAreNothingEverywhereAreDim) {
    AttributionBand band = synthetic::attribution(3);
    const auto zero = [&](AttributionPart part) {
        return AttributionPanel::rows(band, 0)[static_cast<std::size_t>(part) + 1].zero;
    };
    EXPECT_TRUE(zero(AttributionPart::tick));
    EXPECT_FALSE(zero(AttributionPart::cr3));
    band.seeds[2].parts[static_cast<std::size_t>(AttributionPart::tick)] = 1;
    EXPECT_FALSE(zero(AttributionPart::tick));
    EXPECT_TRUE(AttributionPanel::rows(band, 0)[1].perTick.isEmpty()); // no clock, no times
}

TEST(AttributionPanel, SaysWhetherThePartsSum) {
    AttributionBand band = synthetic::attribution(4);
    EXPECT_TRUE(AttributionPanel::sumLine(band).startsWith(QStringLiteral("Exact: ")));
    EXPECT_TRUE(AttributionPanel::sumLine(band).endsWith(QStringLiteral("in each of 4 placements")));
    band.seeds[3].parts[2] += 7;
    EXPECT_TRUE(AttributionPanel::sumLine(band).startsWith(QStringLiteral("⚠ In 1 of 4 placements")));
    EXPECT_TRUE(AttributionPanel::sumLine({}).isEmpty());
}

TEST(AttributionPanel, TheSentenceNamesTheLargestParts) {
    AttributionBand band;
    band.working_set = 84.0 * 6095;
    Attribution a;
    a.cycles_a = 902;
    a.cycles_b = 1000;
    a.parts[static_cast<std::size_t>(AttributionPart::data_placement)] = 93;
    a.parts[static_cast<std::size_t>(AttributionPart::dtlb_memory)] = 4;
    a.parts[static_cast<std::size_t>(AttributionPart::cr3)] = 1;
    band.seeds = {a};
    band.loss.median = a.loss();
    const QString text = AttributionPanel::sentence(band, QStringLiteral("3:1"), QStringLiteral("4:4"));
    EXPECT_TRUE(text.startsWith(QStringLiteral("4:4 is 9.8 % slower than 3:1 at 500k: 9.3 points are ") +
                                QString::fromUtf8(to_string(AttributionPart::data_placement)) +
                                QStringLiteral(", 0.40 ") +
                                QString::fromUtf8(to_string(AttributionPart::dtlb_memory))))
        << text.toStdString();
    EXPECT_TRUE(text.endsWith(QStringLiteral("0.10 all the rest"))) << text.toStdString();
    std::swap(band.seeds[0].cycles_a, band.seeds[0].cycles_b);
    EXPECT_TRUE(AttributionPanel::sentence(band, QStringLiteral("3:1"), QStringLiteral("4:4"))
                    .contains(QStringLiteral("faster")));
}

TEST(AttributionPanel, HiddenItDoesNothingEmptyItIsCalm) {
    AttributionPanel panel;
    panel.resize(600, 340);
    panel.setBand(synthetic::attribution(16));
    QApplication::processEvents();
    EXPECT_EQ(panel.frames(), 0);
    EXPECT_TRUE(panel.accessibleDescription().isEmpty());
    panel.show();
    const QImage full = panel.grab().toImage();
    EXPECT_TRUE(panel.accessibleDescription().contains(QStringLiteral("slower than")));
    panel.clear();
    EXPECT_NE(panel.grab().toImage(), full);
    EXPECT_TRUE(panel.accessibleDescription().isEmpty());
    for (const QSize size : {QSize(1, 1), QSize(120, 60), QSize(3000, 200)}) {
        panel.setBand(synthetic::attribution(2));
        panel.resize(size);
        panel.grab();
    }
}

TEST(OwnerColors, StandOutAndDifferBySomething) {
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light, ThemeKind::high_contrast}) {
        const Theme theme = Theme::make(kind);
        std::vector<std::pair<QRgb, int>> seen;
        for (std::size_t i = 0; i < kCurveShares; ++i) {
            const OwnerLook look = ownerLook(theme, static_cast<CurveShare>(i));
            EXPECT_GE(contrast(look.color, theme.panel), 3) << i;
            for (const auto& other : seen)
                EXPECT_NE(other, std::pair(look.color.rgb(), static_cast<int>(look.hatch))) << i;
            seen.emplace_back(look.color.rgb(), static_cast<int>(look.hatch));
        }
        for (std::size_t i = 0; i < kAttributionParts; ++i)
            EXPECT_GE(contrast(ownerLook(theme, static_cast<AttributionPart>(i)).color, theme.panel), 3) << i;
    }
}
