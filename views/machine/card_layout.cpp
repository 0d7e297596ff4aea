// The inside of one core's card.
#include "views/machine/machine_layout.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

int logical(int devicePixels, double dpr) {
    return static_cast<int>(std::ceil(devicePixels / dpr - 1e-9));
}

// Whole sets a row, at most `most` cells; about `rows` rows; no ragged last row where that costs little.
int columnsFor(const TlbArray& array, int most, int rows) {
    const int entries = static_cast<int>(array.entries()), ways = array.ways;
    int wanted = std::clamp((entries + rows - 1) / rows, 1, std::max(1, most));
    if (ways <= 8 && ways <= most) wanted = std::max(wanted, ways); // a set in one row where it fits
    if (ways > wanted) { // a set takes several rows: split it evenly
        int columns = wanted;
        while (columns > 1 && ways % columns != 0)
            --columns;
        return columns * 2 > wanted ? columns : wanted;
    }
    const int best = wanted / ways * ways;
    for (int columns = best; columns * 4 >= best * (entries <= 64 ? 2 : 3) && columns >= ways;
         columns -= ways)
        if (entries % columns == 0) return columns;
    return best;
}

GridShape shapeOf(const TlbArray& array, int columns, int pitch) {
    GridShape shape;
    shape.entries = array.entries();
    shape.ways = array.ways;
    shape.columns = columns;
    shape.pitch = pitch;
    const bool severalSets = columns > array.ways && columns % array.ways == 0;
    shape.setGap = severalSets && pitch >= 6 ? std::max(1, pitch / 6) : 0;
    return shape;
}

class CardBuilder {
public:
    CardBuilder(const MachineDescription& machine, const LayoutMetrics& metrics, Detail detail, int pitch,
                int sharedPitch, int unitColumns)
        : machine_(machine), m_(metrics), detail_(detail), pitch_(pitch), sharedPitch_(sharedPitch),
          units_(unitColumns) {}

    CardPlace build() {
        const int siblings = machine_.topology.threads_per_core;
        const int perRow = siblings <= 2                              ? siblings
                           : siblings == 4 && detail_ == Detail::full ? 2
                           : siblings <= 4                            ? siblings
                                                                      : 4;
        int y = pad();
        // The core's name stands before its shared arrays; a line of its own only where there are none.
        if (detail_ == Detail::full && siblings > 1 && !sharesArrays()) {
            card_.title = QRect(pad(), y, 0, m_.titleHeight);
            y += m_.titleHeight;
        }
        const int width = siblingWidth();
        const int columnGap = detail_ == Detail::full ? m_.gap * 2 : std::max(2, m_.gap / 2);
        const int inner = width * perRow + columnGap * (perRow - 1);
        for (int s = 0; s < siblings; s += perRow) {
            const int end = std::min(s + perRow, siblings);
            const auto left = [&](int i) { return pad() + (i - s) * (width + columnGap); };
            int top = y;
            for (int i = s; i < end; ++i)
                top = std::max(top, placeHeader(left(i), y, width));
            // Data before instructions: where the siblings share their dTLB but not the iTLB, it goes first.
            if (sharesDataOnly(perRow)) top = shelves(-1, pad(), top, inner, kFirstLevel) + between();
            int bottom = top;
            for (int i = s; i < end; ++i)
                bottom = std::max(bottom, placeArrays(i, left(i), top, width));
            for (int i = s; i < std::min(s + perRow, siblings); ++i)
                card_.siblings[static_cast<std::size_t>(i)].area.setBottom(bottom - 1);
            y = bottom + (s + perRow < siblings ? between() : 0);
        }
        y = placeShared(y, inner);
        // The last row of siblings owns what is below it.
        for (int i = (siblings - 1) / perRow * perRow; i < siblings; ++i)
            card_.siblings[static_cast<std::size_t>(i)].area.setBottom(y + pad() - 1);
        card_.size = QSize(inner + 2 * pad(), y + pad());
        card_.title.setWidth(inner);
        return std::move(card_);
    }

private:
    enum Levels { kAllLevels, kFirstLevel, kSecondLevel };

    int pad() const {
        switch (detail_) {
        case Detail::full:
            return m_.padding;
        case Detail::compact:
            return std::max(4, m_.padding / 2);
        default:
            return std::max(2, m_.padding / 4);
        }
    }
    int between() const { return detail_ == Detail::full ? m_.gap : std::max(2, m_.gap / 3); }

    bool bare() const { return machine_.recorded || machine_.arrays.empty(); }
    int siblingWidth() const {
        const int text = detail_ == Detail::full      ? m_.fullText
                         : detail_ == Detail::compact ? m_.compactText
                                                      : m_.tileText;
        if (detail_ == Detail::gauge) return std::max(units_, m_.tileText);
        if (bare()) return std::max(detail_ == Detail::full ? text * 3 / 2 : text, units_);
        int cells = 0;
        for (const TlbArray& array : machine_.arrays)
            if (array.level != TlbLevel::stlb &&
                (array.sibling >= 0 || machine_.topology.threads_per_core == 1))
                cells = std::max(cells, width(shapeOf(array, columnsFor(array, units_, 4), pitch_)));
        return std::max({text, cells, logical(units_ * pitch_, m_.dpr)});
    }
    int width(const GridShape& shape) const { return logical(shape.size().width(), m_.dpr); }

    int placeHeader(int x, int y, int width) {
        SiblingPlace place;
        const int name =
            detail_ == Detail::full || detail_ == Detail::compact ? m_.nameHeight : m_.smallHeight;
        const int lines = name + (detail_ == Detail::full ? m_.detailHeight : 0);
        place.header = QRect(x, y, width, detail_ == Detail::gauge ? gaugeHeight() : lines);
        int bottom = place.header.bottom() + 1;
        if (detail_ == Detail::full || detail_ == Detail::compact) {
            place.progress = QRect(x, bottom + 1, width, std::max(3, m_.em / 5));
            bottom += place.progress.height() + 3;
        }
        place.area = QRect(x, y, width, bottom - y);
        card_.siblings.push_back(place);
        return bottom;
    }
    int placeArrays(int sibling, int x, int y, int width) {
        if (detail_ == Detail::gauge) return y;
        return bare() ? y + recordedHeight() : shelves(sibling, x, y, width, kAllLevels);
    }
    int gaugeHeight() const { return std::max(m_.smallHeight + 4, units_ * 5 / 8); }
    // Three lines of numbers, then the mini history, as high as there is room.
    int recordedHeight() const {
        return detail_ == Detail::full ? m_.detailHeight * 3 + m_.captionHeight + m_.gap + pitch_ * m_.em / 3
                                       : std::max(m_.em / 2, pitch_ * m_.em / 6);
    }

    // Private arrays of one sibling (or, with -1, the shared L1 arrays) side by side, wrapping.
    int shelves(int sibling, int x, int y, int width, Levels levels) {
        int left = x, bottom = y;
        const int gap = std::max(between(), logical(pitch_, m_.dpr));
        int rows = 4;
        for (const int fewer : {2, 1})
            if (firstLevelWidth(sibling, fewer, width, gap) <= width) rows = fewer;
        for (std::size_t a = 0; a < machine_.arrays.size(); ++a) {
            const TlbArray& array = machine_.arrays[a];
            if (array.sibling != sibling || array.level == TlbLevel::stlb || levels == kSecondLevel) continue;
            const int most = std::max(1, static_cast<int>(width * m_.dpr) / pitch_);
            GridPlace grid =
                gridOf(a, columnsFor(array, std::min(most, sibling < 0 ? most : units_), rows), pitch_);
            while (grid.cells.width() > width && grid.shape.columns > 1)
                grid = gridOf(
                    a,
                    std::max(1, grid.shape.columns -
                                    std::max<int>(1, array.ways <= grid.shape.columns / 2 ? array.ways : 1)),
                    pitch_);
            if (left > x && left + grid.cells.width() > x + width) {
                left = x;
                y = bottom + between();
            }
            put(grid, left, y, grid.cells.width());
            left += grid.cells.width() + gap;
            bottom = std::max(bottom, card_.grids.back().cells.bottom() + 1);
        }
        for (std::size_t a = 0; a < machine_.arrays.size(); ++a) // a private or split STLB
            if (machine_.arrays[a].sibling == sibling && machine_.arrays[a].level == TlbLevel::stlb &&
                levels != kFirstLevel)
                bottom = wide(a, x, bottom + (bottom > y ? between() : 0), width);
        return bottom;
    }

    // Of a sibling's (or the shared) L1 arrays side by side in so many rows: the width of a card is cheaper
    // than its height. More than `room` where they do not fit.
    int firstLevelWidth(int sibling, int rows, int room, int gap) const {
        int total = -gap;
        for (std::size_t a = 0; a < machine_.arrays.size(); ++a) {
            const TlbArray& array = machine_.arrays[a];
            if (array.sibling != sibling || array.level == TlbLevel::stlb) continue;
            if (rows == 1 && array.entries() > 32) return room + 1;
            const int most = std::max(1, static_cast<int>(room * m_.dpr) / pitch_);
            const GridPlace grid = gridOf(a, columnsFor(array, most, rows), pitch_);
            if (grid.shape.columns * rows < static_cast<int>(array.entries())) return room + 1;
            total += grid.cells.width() + gap;
        }
        return total;
    }

    bool sharesArrays() const {
        return std::any_of(machine_.arrays.begin(), machine_.arrays.end(),
                           [](const TlbArray& a) { return a.sibling < 0; });
    }
    // Only for siblings in one row, under which the shared arrays can stretch.
    bool sharesDataOnly(int perRow) const {
        if (detail_ == Detail::gauge || bare() || machine_.topology.threads_per_core > perRow) return false;
        bool sharedData = false, privateCode = false;
        for (const TlbArray& a : machine_.arrays) {
            sharedData |= a.level == TlbLevel::dtlb && a.sibling < 0;
            privateCode |= a.level == TlbLevel::itlb && a.sibling >= 0;
        }
        return sharedData && privateCode;
    }
    int placeShared(int y, int inner) {
        if (detail_ == Detail::gauge || bare()) return y;
        bool any = false;
        for (const TlbArray& array : machine_.arrays)
            any |= array.sibling < 0;
        const bool dataPlaced = sharesDataOnly(static_cast<int>(card_.siblings.size()));
        return any ? shelves(-1, pad(), y + between(), inner, dataPlaced ? kSecondLevel : kAllLevels) : y;
    }

    int wide(std::size_t a, int x, int y, int width) {
        const TlbArray& array = machine_.arrays[a];
        const int most = std::max(1, static_cast<int>(width * m_.dpr) / sharedPitch_);
        int columns = columnsFor(array, most, 1);
        GridPlace grid = gridOf(a, columns, sharedPitch_);
        while (grid.cells.width() > width && columns > 1) {
            columns = columnsFor(array, columns - 1, 1);
            grid = gridOf(a, columns, sharedPitch_);
        }
        put(grid, x, y, width);
        GridPlace& placed = card_.grids.back();
        int bottom = placed.cells.bottom() + 1;
        if (detail_ == Detail::full || detail_ == Detail::compact) {
            placed.bar = QRect(x, bottom + (detail_ == Detail::full ? 5 : 2), width, std::max(2, m_.em / 5));
            bottom = placed.bar.bottom() + 1;
        }
        return bottom;
    }

    GridPlace gridOf(std::size_t a, int columns, int pitch) const {
        GridPlace grid;
        grid.array = a;
        grid.shape = shapeOf(machine_.arrays[a], columns, pitch);
        const QSize size = grid.shape.size();
        grid.cells = QRect(0, 0, logical(size.width(), m_.dpr), logical(size.height(), m_.dpr));
        return grid;
    }
    void put(GridPlace grid, int x, int y, int captionWidth) {
        if (detail_ == Detail::full) {
            grid.caption = QRect(x, y, captionWidth, m_.captionHeight);
            y += m_.captionHeight + 2;
        }
        grid.cells.moveTopLeft({x, y});
        card_.grids.push_back(grid);
    }

    const MachineDescription& machine_;
    const LayoutMetrics& m_;
    Detail detail_;
    int pitch_, sharedPitch_, units_;
    CardPlace card_;
};

} // namespace

CardPlace placeCard(const MachineDescription& machine, const LayoutMetrics& metrics, Detail detail, int pitch,
                    int sharedPitch, int unitColumns) {
    return CardBuilder(machine, metrics, detail, std::max(1, pitch), std::max(1, sharedPitch), unitColumns)
        .build();
}

} // namespace tlbscope
