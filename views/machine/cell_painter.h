// Paints TLB arrays as grids of cells into an image, by copying ready-made blocks line by line.
#pragma once

#include "engine/session/snapshot.h"
#include "views/theme/theme.h"

#include <QImage>
#include <QPoint>
#include <QSize>

#include <array>
#include <vector>

namespace tlbscope {

// How the cells of one array are laid out: in order, row by row, `columns` a row; a thin gap after
// every set where sets stand side by side. All lengths in device pixels.
struct GridShape {
    std::uint32_t entries = 0;
    std::uint32_t ways = 1;
    int columns = 1;
    int pitch = 1;  // cell and the gap behind it, 1 … 64
    int setGap = 0; // extra after each set

    int rows() const {
        return static_cast<int>((entries + static_cast<std::uint32_t>(columns) - 1) /
                                static_cast<std::uint32_t>(columns));
    }
    // Left edge of a column.
    int x(int column) const {
        return column * pitch + (setGap ? column / static_cast<int>(ways) * setGap : 0);
    }
    QSize size() const;
    QRect cell(std::uint32_t index) const; // with its gap
    // Index of the cell at a point, -1 outside of all cells.
    int at(QPoint point) const;

    bool operator==(const GridShape&) const = default;
};

class CellPainter {
public:
    CellPainter(const Theme& theme, int pitch);

    int pitch() const { return pitch_; }
    // `cells` has shape.entries cells; `image` is Format_RGB32 or ARGB32_Premultiplied and holds the whole
    // grid. shape.pitch must be pitch().
    void paint(QImage& image, QPoint at, const TlbCell* cells, const GridShape& shape) const;
    // One cell, pixel by pixel from its definition; the reference that paint() must equal.
    QImage reference(const TlbCell& cell) const;

    // Colour of a cell without its second cue; also for legends.
    static QColor fill(const Theme& theme, const TlbCell& cell);

private:
    static constexpr int kAges = 16;
    static constexpr std::size_t kVariants = 16 * 4 * kAges;
    static std::size_t variant(const TlbCell& c) {
        return static_cast<std::size_t>((c.flags & 15) << 6 | (static_cast<int>(c.mark) & 3) << 4 |
                                        c.age >> 4);
    }
    void drawBlock(QRgb* pixels, std::size_t variant) const;
    template <int P>
    void paintRows(uchar* top, qsizetype stride, const TlbCell* cells, const GridShape& shape) const;

    Theme theme_;
    int pitch_;
    std::vector<QRgb> blocks_; // kVariants blocks of pitch * pitch
};

} // namespace tlbscope
