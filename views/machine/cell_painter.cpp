#include "views/machine/cell_painter.h"

#include <algorithm>
#include <cstring>

namespace tlbscope {

QSize GridShape::size() const {
    const int used = std::min<int>(columns, static_cast<int>(entries));
    if (used <= 0) return {0, 0};
    return {x(used - 1) + pitch, rows() * pitch};
}

QRect GridShape::cell(std::uint32_t index) const {
    const int column = static_cast<int>(index) % columns, row = static_cast<int>(index) / columns;
    return {x(column), row * pitch, pitch, pitch};
}

int GridShape::at(QPoint p) const {
    if (p.x() < 0 || p.y() < 0 || pitch <= 0) return -1;
    int column = p.x() / pitch;
    if (setGap) {
        const int set = static_cast<int>(ways) * pitch + setGap;
        const int inside = p.x() % set;
        if (inside >= static_cast<int>(ways) * pitch) return -1;
        column = p.x() / set * static_cast<int>(ways) + inside / pitch;
    }
    const int index = p.y() / pitch * columns + column;
    return column < columns && index < static_cast<int>(entries) ? index : -1;
}

QColor CellPainter::fill(const Theme& theme, const TlbCell& cell) {
    if (!(cell.flags & TlbCell::kValid))
        return cell.mark == EntryMark::just_flushed ? mix(theme.emptyCell, theme.hue.orange, 0.5)
                                                    : theme.emptyCell;
    if (cell.flags & TlbCell::kStale) return theme.hue.vermillion;
    const QColor base = cell.flags & TlbCell::kHuge     ? theme.hue.purple
                        : cell.flags & TlbCell::kGlobal ? theme.hue.green
                                                        : theme.hue.sky;
    if (cell.mark == EntryMark::just_refilled) return base;
    // The eye must still find the oldest entry on the empty cell: a ratio of at least 1.8 is tested.
    const double fade = theme.kind == ThemeKind::high_contrast ? 0.35 : 0.5;
    return mix(base, theme.emptyCell, fade * (cell.age >> 4) / (kAges - 1));
}

CellPainter::CellPainter(const Theme& theme, int pitch) : theme_(theme), pitch_(std::clamp(pitch, 1, 64)) {
    const std::size_t area = static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(pitch_);
    blocks_.resize(kVariants * area);
    for (std::size_t v = 0; v < kVariants; ++v)
        drawBlock(blocks_.data() + v * area, v);
}

void CellPainter::drawBlock(QRgb* pixels, std::size_t v) const {
    TlbCell cell;
    cell.flags = static_cast<std::uint8_t>(v >> 6);
    cell.mark = static_cast<EntryMark>(v >> 4 & 3);
    cell.age = static_cast<std::uint8_t>((v & 15) << 4);
    const int gap = pitch_ >= 12 ? 2 : pitch_ >= 3 ? 1 : 0;
    const int side = pitch_ - gap;
    const QRgb back = theme_.card.rgb(), color = fill(theme_, cell).rgb();
    std::fill_n(pixels, static_cast<std::size_t>(pitch_ * pitch_), back);
    const auto pixel = [&](int x, int y) -> QRgb& { return pixels[y * pitch_ + x]; };
    const bool valid = cell.flags & TlbCell::kValid;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            pixel(x, y) = color;
    if (side >= 7) // rounded
        for (const int y : {0, side - 1})
            for (const int x : {0, side - 1})
                pixel(x, y) = mix(theme_.card, QColor(color), 0.4).rgb();
    if (side < 4) return;

    const int line = std::max(1, side / 7);
    if (!valid) {
        if (cell.mark != EntryMark::just_flushed) return;
        const QRgb edge = theme_.hue.orange.rgb(),
                   inside = mix(theme_.emptyCell, theme_.hue.orange, 0.16).rgb();
        for (int y = 0; y < side; ++y) // hollow: the entry was here
            for (int x = 0; x < side; ++x)
                pixel(x, y) = x < line || y < line || x >= side - line || y >= side - line ? edge : inside;
        return;
    }
    const QColor ink = luminance(QColor(color)) > 0.18 ? QColor("#0b0e12") : QColor(Qt::white);
    if (cell.flags & TlbCell::kStale) { // slash
        const QRgb slash = (theme_.kind == ThemeKind::light ? QColor(Qt::white) : QColor("#0b0e12")).rgb();
        const int thick = std::max(1, side / 6);
        for (int y = 1; y < side - 1; ++y)
            for (int x = 1; x < side - 1; ++x)
                if (std::abs(x + y - (side - 1)) <= thick - (side < 8 ? 1 : 0)) pixel(x, y) = slash;
        return;
    }
    if (cell.flags & TlbCell::kHuge) { // a big page: inner frame
        const QRgb inner = mix(QColor(color), ink, 0.62).rgb();
        const int from = side / 3, to = side - 1 - side / 3;
        for (int y = from; y <= to; ++y)
            for (int x = from; x <= to; ++x)
                pixel(x, y) = inner;
    } else if (cell.flags & TlbCell::kGlobal) { // folded corner
        const QRgb corner = mix(QColor(color), ink, 0.62).rgb();
        const int length = std::max(2, side / 2);
        for (int y = 0; y < length; ++y)
            for (int x = side - length + y; x < side; ++x)
                pixel(x, y) = corner;
    }
    if (cell.mark == EntryMark::just_refilled) { // bright frame below and left
        const QRgb bright = theme_.text.rgb();
        for (int i = 0; i < side; ++i)
            for (int l = 0; l < line; ++l)
                pixel(i, side - 1 - l) = bright;
    }
}

QImage CellPainter::reference(const TlbCell& cell) const {
    QImage image(pitch_, pitch_, QImage::Format_RGB32);
    std::vector<QRgb> block(static_cast<std::size_t>(pitch_ * pitch_));
    drawBlock(block.data(), variant(cell));
    for (int y = 0; y < pitch_; ++y)
        for (int x = 0; x < pitch_; ++x)
            image.setPixel(x, y, block[static_cast<std::size_t>(y * pitch_ + x)]);
    return image;
}

// P: the pitch where it is small, so that copying a line of a block is one or two moves; 0: any.
template <int P>
void CellPainter::paintRows(uchar* top, qsizetype stride, const TlbCell* cells,
                            const GridShape& shape) const {
    const std::size_t pitch = P > 0 ? P : static_cast<std::size_t>(pitch_), area = pitch * pitch;
    const std::uint32_t columns = static_cast<std::uint32_t>(shape.columns);
    const QRgb* const blocks = blocks_.data();
    for (std::uint32_t first = 0, row = 0; first < shape.entries; first += columns, ++row) {
        const std::uint32_t count = std::min(columns, shape.entries - first);
        uchar* cell = top + static_cast<qsizetype>(row * pitch) * stride;
        std::uint32_t inSet = 0;
        for (std::uint32_t c = 0; c < count; ++c) {
            const QRgb* block = blocks + variant(cells[first + c]) * area;
            uchar* to = cell;
            for (std::size_t y = 0; y < pitch; ++y, block += pitch, to += stride)
                std::memcpy(to, block, pitch * sizeof(QRgb));
            cell += pitch * sizeof(QRgb);
            if (shape.setGap && ++inSet == shape.ways) {
                inSet = 0;
                cell += static_cast<std::size_t>(shape.setGap) * sizeof(QRgb);
            }
        }
    }
}

void CellPainter::paint(QImage& image, QPoint at, const TlbCell* cells, const GridShape& shape) const {
    const qsizetype stride = image.bytesPerLine();
    uchar* const top = image.bits() + at.y() * stride + at.x() * qsizetype{4};
    switch (pitch_) {
    case 1:
        return paintRows<1>(top, stride, cells, shape);
    case 2:
        return paintRows<2>(top, stride, cells, shape);
    case 3:
        return paintRows<3>(top, stride, cells, shape);
    case 4:
        return paintRows<4>(top, stride, cells, shape);
    case 5:
        return paintRows<5>(top, stride, cells, shape);
    case 6:
        return paintRows<6>(top, stride, cells, shape);
    default:
        return paintRows<0>(top, stride, cells, shape);
    }
}

} // namespace tlbscope
