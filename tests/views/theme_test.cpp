#include "views/theme/theme.h"

#include "views/machine/cell_painter.h"

#include <gtest/gtest.h>

using namespace tlbscope;

namespace {

constexpr ThemeKind kKinds[] = {ThemeKind::dark, ThemeKind::light, ThemeKind::high_contrast};

class ThemeContrast : public ::testing::TestWithParam<ThemeKind> {
protected:
    const Theme theme = Theme::make(GetParam());
};

} // namespace

TEST(ColorMath, KnownValues) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-3);
    EXPECT_NEAR(contrast(Qt::white, Qt::white), 1, 1e-9);
    EXPECT_NEAR(contrast(QColor("#777777"), Qt::white), 4.48, 0.01); // WCAG's well-known near miss
}

TEST_P(ThemeContrast, TextReadsOnEverySurface) {
    for (const QColor& back : {theme.window, theme.panel, theme.card, theme.inset})
        for (const QColor& ink : {theme.text, theme.dim, theme.faint})
            EXPECT_GE(contrast(ink, back), 4.5)
                << ink.name().toStdString() << " on " << back.name().toStdString();
    EXPECT_GE(contrast(theme.onAccent, theme.accent), 4.5);
}

TEST_P(ThemeContrast, GraphicsStandOut) {
    for (const QColor& back : {theme.panel, theme.card}) {
        for (int s = 0; s <= static_cast<int>(CpuState::unknown); ++s)
            EXPECT_GE(contrast(theme.state(static_cast<CpuState>(s)), back), 3) << "state " << s;
        for (std::size_t b = 0; b < kBuckets; ++b)
            EXPECT_GE(contrast(theme.bucket(static_cast<Bucket>(b)), back), 3) << "bucket " << b;
        for (int k = 0; k <= static_cast<int>(SpanKind::gap); ++k)
            EXPECT_GE(contrast(theme.span(static_cast<SpanKind>(k)), back), 3) << "span " << k;
        for (std::size_t i = 0; i < 8; ++i)
            EXPECT_GE(contrast(theme.series(i), back), 3) << "series " << i;
    }
}

TEST_P(ThemeContrast, CellsStandOutFromEmptyOnes) {
    const QColor empty = CellPainter::fill(theme, {});
    for (const int kind : {0, int{TlbCell::kGlobal}, int{TlbCell::kHuge}, int{TlbCell::kStale}}) {
        TlbCell cell;
        cell.flags = static_cast<std::uint8_t>(TlbCell::kValid | kind);
        EXPECT_GE(contrast(CellPainter::fill(theme, cell), empty), 3) << kind;
        cell.age = 255;
        EXPECT_GE(contrast(CellPainter::fill(theme, cell), empty), 1.8) << "oldest " << kind;
    }
}

TEST_P(ThemeContrast, OlderNeverStandsOutMore) {
    const QColor empty = CellPainter::fill(theme, {});
    double last = 100;
    for (int age = 0; age < 256; age += 16) {
        TlbCell cell;
        cell.flags = TlbCell::kValid;
        cell.age = static_cast<std::uint8_t>(age);
        const double now = contrast(CellPainter::fill(theme, cell), empty);
        EXPECT_LE(now, last + 1e-9);
        last = now;
    }
}

TEST_P(ThemeContrast, ReadableReachesItsRatio) {
    for (const QColor& color :
         {theme.hue.orange, theme.hue.yellow, theme.hue.sky, theme.hue.vermillion, theme.hue.blue})
        for (const QColor& back : {theme.panel, theme.inset, mix(theme.card, color, 0.17)})
            EXPECT_GE(contrast(readable(color, back), back), 4.5);
}

INSTANTIATE_TEST_SUITE_P(All, ThemeContrast, ::testing::ValuesIn(kKinds));

TEST(Theme, DistancesAndFontsScale) {
    const Theme desk = Theme::make(ThemeKind::dark, 1), hall = Theme::make(ThemeKind::dark, 2);
    EXPECT_NEAR(hall.em / desk.em, 2, 0.15);
    EXPECT_NEAR(double(hall.px(100)) / desk.px(100), 2, 0.15);
    for (std::size_t f = 0; f < kFontRoles; ++f)
        EXPECT_NEAR(hall.fonts[f].pointSizeF() / desk.fonts[f].pointSizeF(), 2, 1e-6);
    EXPECT_EQ(Theme::make(ThemeKind::dark, -3).scale, 0.5); // out of range: clamped
}
