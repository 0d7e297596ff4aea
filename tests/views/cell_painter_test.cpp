#include "views/machine/cell_painter.h"

#include "tests/views/synthetic.h"

#include <gtest/gtest.h>

using namespace tlbscope;

namespace {

std::vector<TlbCell> random_cells(std::size_t count, std::uint64_t seed) {
    synthetic::Random random{seed};
    std::vector<TlbCell> cells(count);
    for (TlbCell& cell : cells) {
        cell.flags = static_cast<std::uint8_t>(random.below(16));
        cell.sibling = static_cast<std::uint8_t>(random.below(2));
        cell.age = static_cast<std::uint8_t>(random.below(256));
        cell.mark = static_cast<EntryMark>(random.below(3));
    }
    return cells;
}

} // namespace

// The fast painter against one cell after another, pixel by pixel.
TEST(CellPainter, EqualsTheReference) {
    const Theme theme = Theme::make(ThemeKind::dark);
    for (const int pitch : {1, 2, 3, 4, 5, 7, 8, 11, 12, 20, 32})
        for (const int gap : {0, 1, 2}) {
            const GridShape shape{77, 4, 16, pitch, gap};
            const auto cells = random_cells(shape.entries, static_cast<std::uint64_t>(pitch));
            const CellPainter painter(theme, pitch);
            QImage fast(shape.size() + QSize(9, 7), QImage::Format_RGB32);
            fast.fill(theme.card);
            QImage slow = fast.copy();
            painter.paint(fast, {5, 3}, cells.data(), shape);
            for (std::uint32_t i = 0; i < shape.entries; ++i) {
                const QImage block = painter.reference(cells[i]);
                const QRect place = shape.cell(i).translated(5, 3);
                for (int y = 0; y < pitch; ++y)
                    for (int x = 0; x < pitch; ++x)
                        slow.setPixel(place.x() + x, place.y() + y, block.pixel(x, y));
            }
            EXPECT_EQ(fast, slow) << "pitch " << pitch << " gap " << gap;
        }
}

TEST(GridShape, HitTestIsTheInverseOfPlacing) {
    for (const GridShape shape : {GridShape{64, 4, 16, 7, 1}, GridShape{77, 4, 16, 8, 2},
                                  GridShape{64, 64, 16, 5, 0}, GridShape{1536, 12, 96, 3, 0}}) {
        const QSize size = shape.size();
        int cells = 0;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x) {
                const int index = shape.at({x, y});
                if (index < 0) continue;
                ++cells;
                EXPECT_TRUE(shape.cell(static_cast<std::uint32_t>(index)).contains(x, y));
            }
        EXPECT_EQ(cells, static_cast<int>(shape.entries) * shape.pitch * shape.pitch);
        EXPECT_EQ(shape.at({-1, 0}), -1);
        EXPECT_EQ(shape.at({0, size.height()}), -1);
    }
}

// Colour is never the only cue: with the hue taken away, kinds still differ at a readable size.
TEST(CellPainter, KindsDifferWithoutColour) {
    const CellPainter painter(Theme::make(ThemeKind::dark), 10);
    std::vector<QImage> grey;
    for (const auto& [flags, mark] : std::initializer_list<std::pair<int, EntryMark>>{
             {0, EntryMark::none},
             {TlbCell::kValid, EntryMark::none},
             {TlbCell::kValid | TlbCell::kGlobal, EntryMark::none},
             {TlbCell::kValid | TlbCell::kHuge, EntryMark::none},
             {TlbCell::kValid | TlbCell::kStale, EntryMark::none},
             {TlbCell::kValid, EntryMark::just_refilled},
             {0, EntryMark::just_flushed}}) {
        TlbCell cell;
        cell.flags = static_cast<std::uint8_t>(flags);
        cell.mark = mark;
        QImage shape = painter.reference(cell);
        const QRgb ground = shape.pixel(2, 4); // the pattern relative to the cell's own body
        for (int y = 0; y < shape.height(); ++y)
            for (int x = 0; x < shape.width(); ++x) {
                const int d = std::abs(qGray(shape.pixel(x, y)) - qGray(ground));
                shape.setPixel(x, y, d > 24 ? qRgb(255, 255, 255) : qRgb(0, 0, 0));
            }
        grey.push_back(shape);
    }
    for (std::size_t i = 1; i < grey.size(); ++i) // 0 (empty) and 1 (plain) differ by lightness alone
        for (std::size_t j = i + 1; j < grey.size(); ++j)
            EXPECT_NE(grey[i], grey[j]) << i << " and " << j;
}
