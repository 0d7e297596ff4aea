#include "views/machine/machine_layout.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>

namespace tlbscope {

const std::vector<int>& zoomSteps() {
    static const std::vector<int> steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 32, 40};
    return steps;
}

LayoutMetrics LayoutMetrics::of(const Theme& theme, double dpr) {
    LayoutMetrics m;
    const QFontMetrics strong(theme.font(FontRole::strong)), small(theme.font(FontRole::small)),
        caption(theme.font(FontRole::caption)), mono(theme.font(FontRole::monoSmall));
    m.dpr = dpr > 0 ? dpr : 1;
    m.titleHeight = small.height() + theme.px(3);
    m.nameHeight = strong.height() + theme.px(2);
    m.detailHeight = small.height() + theme.px(1);
    m.captionHeight = caption.height();
    m.smallHeight = caption.height();
    m.padding = theme.px(10);
    m.gap = theme.px(8);
    m.socketHeader = theme.px(32);
    m.em = theme.px(16);
    m.tileText = caption.horizontalAdvance(QStringLiteral("1023")) + m.smallHeight;
    m.compactText = small.horizontalAdvance(QStringLiteral("CPU 255")) + m.em +
                    small.horizontalAdvance(QStringLiteral(" waiting"));
    m.fullText = std::max(small.horizontalAdvance(QStringLiteral("invlpg 129 of 129")),
                          strong.horizontalAdvance(QStringLiteral("CPU 255")) + m.em +
                              small.horizontalAdvance(QStringLiteral("   servicing IPI")));
    return m;
}

namespace {

int rowGapOf(Detail detail, const LayoutMetrics& m) {
    switch (detail) {
    case Detail::full:
        return m.em * 7 / 4;
    case Detail::compact:
        return m.em * 3 / 4;
    case Detail::tile:
        return std::max(4, m.em / 4);
    default:
        return 3;
    }
}

// What a card shows at a pitch when the user has zoomed there.
Detail detailOf(int pitch) {
    return pitch >= 4   ? Detail::full
           : pitch >= 2 ? Detail::compact
           : pitch == 1 ? Detail::tile
                        : Detail::gauge;
}

struct Level {
    Detail detail;
    int pitch;
};

// Best first: text is worth a few pixels of cell size, but not more.
std::vector<Level> levelsToFit(bool bare) {
    std::vector<Level> levels = {{Detail::gauge, 0}};
    for (const int pitch : zoomSteps()) {
        if (bare && pitch > 12) break; // the history strip is high enough
        if (pitch >= 4) levels.push_back({Detail::full, pitch});
        if (pitch >= 2 && pitch <= 24 && (pitch <= 6 || !bare)) levels.push_back({Detail::compact, pitch});
        if (pitch >= 1 && pitch <= 4 && !bare) levels.push_back({Detail::tile, pitch});
    }
    const auto worth = [](const Level& l) {
        const double base = l.detail == Detail::full      ? 10
                            : l.detail == Detail::compact ? 7.5
                            : l.detail == Detail::tile    ? 5
                                                          : 0;
        // Compact cards with large cells are for small TLBs, where full cards have no room at all.
        if (l.detail == Detail::compact && l.pitch > 6) return base + 6 + (l.pitch - 6) * 0.15;
        return base + l.pitch;
    };
    std::sort(levels.begin(), levels.end(),
              [&](const Level& a, const Level& b) { return worth(a) > worth(b); });
    return levels;
}

// Widths to try, in cells of a sibling's column (gauge and recordings: in logical pixels).
std::vector<int> unitsFor(Detail detail, bool bare) {
    if (detail == Detail::gauge) return {120, 96, 72, 56, 44, 36, 28, 22};
    if (bare) return {480, 400, 340, 300, 260, 220, 190, 160, 140, 120, 100};
    return {64, 56, 48, 44, 40, 36, 32, 28, 26, 24, 20, 16, 12, 8};
}

int raggedGrids(const CardPlace& card) {
    int ragged = 0;
    for (const GridPlace& grid : card.grids)
        ragged += grid.shape.entries % static_cast<std::uint32_t>(grid.shape.columns) != 0;
    return ragged;
}

} // namespace

MachineLayout::MachineLayout(const MachineDescription& machine, const LayoutMetrics& metrics,
                             const Request& request)
    : topology_(machine.topology), metrics_(metrics) {
    const bool bare = machine.recorded || machine.arrays.empty();
    std::vector<Level> levels = levelsToFit(bare);
    if (request.pitch >= 0) {
        const int pitch = std::min(request.pitch, zoomSteps().back());
        levels = {{bare && pitch == 1 ? Detail::compact : detailOf(pitch), pitch}};
    }
    MachineLayout best;
    double bestScore = -1;
    int fitted = -1; // pitch of the first level that fits
    for (const auto& [detail, pitch] : levels) {
        // Slightly smaller L1 cells may leave room for a much better STLB, but not for more than that.
        if (fitted >= 0 && (detail != Detail::full || fitted < 5 || pitch < fitted - 2)) break;
        for (const int units : unitsFor(detail, bare)) {
            // The STLB's cells may be smaller than those of the L1 arrays, down to half.
            for (int shared = std::max(1, pitch); shared >= std::max(1, pitch / 2); --shared) {
                MachineLayout tried;
                tried.topology_ = topology_;
                tried.metrics_ = metrics_;
                tried.detail_ = detail;
                tried.pitch_ = pitch;
                tried.sharedPitch_ = shared;
                tried.card_ = placeCard(machine, metrics, detail, pitch, shared, units);
                const bool fits = tried.arrange(request);
                const double view =
                    std::max(1.0, double(request.viewport.width()) * request.viewport.height());
                const double filled = std::min(1.0, double(tried.card_.size.width()) *
                                                        tried.card_.size.height() * topology_.cores() / view);
                const double tooHigh = double(tried.size_.height()) / std::max(1, request.viewport.height());
                const double tooWide = std::max(0, tried.size_.width() - request.viewport.width());
                const double score =
                    fits ? 1e6 + pitch * 13 + shared * 12 - raggedGrids(tried.card_) * 6 + filled * 5
                         : 1e3 / (1 + tooHigh + 4 * tooWide);
                if (score > bestScore) {
                    bestScore = score;
                    best = std::move(tried);
                }
                if (detail == Detail::gauge || bare) break;
            }
        }
        if (bestScore >= 1e5 && fitted < 0) fitted = pitch;
    }
    *this = std::move(best);
}

bool MachineLayout::arrange(const Request& request) {
    rowGap_ = columnGap_ = rowGapOf(detail_, metrics_);
    if (topology_.cpus() == 1) rowGap_ = columnGap_ = std::min(rowGap_, metrics_.em / 2); // no IPIs to draw
    const int cores = topology_.cores_per_socket;
    const int space = request.viewport.width();
    int bestSockets = 1, bestCards = 1;
    long long bestHeight = -1;
    bool fitsWidth = false;
    for (int across = 1; across <= topology_.sockets; ++across) {
        const int socketSpace = (space - (across + 1) * metrics_.gap) / across;
        int columns = std::max(1, (socketSpace - columnGap_) / (card_.size.width() + columnGap_));
        columns = std::min(columns, cores);
        const int rows = (cores + columns - 1) / columns;
        columns = (cores + rows - 1) / rows;
        place(request, across, columns);
        const bool fits = size_.width() <= space;
        if (bestHeight < 0 || (fits && !fitsWidth) || (fits == fitsWidth && size_.height() < bestHeight)) {
            bestHeight = size_.height();
            bestSockets = across;
            bestCards = columns;
            fitsWidth = fits;
        }
    }
    place(request, bestSockets, bestCards);
    if (!fitsWidth) return false;
    const bool fits = size_.height() <= request.viewport.height();
    // Spread what is left over the gaps, up to a limit, so that the machine fills its space.
    const int gapsAcross = bestSockets * (bestCards + 1);
    const int limit = detail_ == Detail::full ? metrics_.em * 5 : metrics_.em;
    columnGap_ += std::min(limit, std::max(0, space - size_.width()) / gapsAcross);
    if (fits) {
        const int socketRows = (topology_.sockets + bestSockets - 1) / bestSockets;
        const int rows = socketRows * ((cores + bestCards - 1) / bestCards + 1);
        rowGap_ +=
            std::min(limit / 2, std::max(0, request.viewport.height() - size_.height()) / std::max(1, rows));
    }
    place(request, bestSockets, bestCards);
    return fits;
}

void MachineLayout::place(const Request& request, int socketColumns, int cardColumns) {
    sockets_.clear();
    const int cores = topology_.cores_per_socket;
    const int rows = (cores + cardColumns - 1) / cardColumns;
    const int frameWidth = cardColumns * card_.size.width() + (cardColumns + 1) * columnGap_;
    const int firstGap = rowGap_, lastGap = std::max(rowGap_ / 2, metrics_.gap);
    const int frameHeight =
        metrics_.socketHeader + firstGap + rows * card_.size.height() + (rows - 1) * rowGap_ + lastGap;
    const int gap = metrics_.gap;
    int y = gap, width = 0;
    const int total = socketColumns * frameWidth + (socketColumns + 1) * gap;
    const int shift = std::max(0, (request.viewport.width() - total) / 2);
    for (int first = 0; first < topology_.sockets; first += socketColumns) {
        int height = 0;
        for (int s = first; s < std::min(first + socketColumns, topology_.sockets); ++s) {
            SocketPlace socket;
            socket.columns = cardColumns;
            socket.folded = request.folded.contains(s);
            const int x = shift + gap + (s - first) * (frameWidth + gap);
            socket.frame = QRect(x, y, frameWidth, socket.folded ? metrics_.socketHeader : frameHeight);
            socket.header = QRect(x, y, frameWidth, metrics_.socketHeader);
            socket.firstCard = QPoint(x + columnGap_, y + metrics_.socketHeader + firstGap);
            height = std::max(height, socket.frame.height());
            sockets_.push_back(socket);
        }
        y += height + gap;
        width = std::max(width, shift + total);
    }
    size_ = QSize(width, y);
}

QPoint MachineLayout::cardOrigin(int core) const {
    const SocketPlace& socket = sockets_[static_cast<std::size_t>(socketOf(core))];
    const int local = core % topology_.cores_per_socket;
    return socket.firstCard + QPoint(local % socket.columns * (card_.size.width() + columnGap_),
                                     local / socket.columns * (card_.size.height() + rowGap_));
}

QRect MachineLayout::cpuRect(CpuId cpu) const {
    const auto& sibling = card_.siblings[static_cast<std::size_t>(topology_.sibling_of(cpu))];
    return sibling.area.translated(cardOrigin(topology_.core_of(cpu)));
}

QRect MachineLayout::headerRect(CpuId cpu) const {
    const auto& sibling = card_.siblings[static_cast<std::size_t>(topology_.sibling_of(cpu))];
    return sibling.header.translated(cardOrigin(topology_.core_of(cpu)));
}

CpuId MachineLayout::cpuAt(QPoint point) const {
    for (std::size_t s = 0; s < sockets_.size(); ++s) {
        const SocketPlace& socket = sockets_[s];
        if (socket.folded || !socket.frame.contains(point)) continue;
        const QPoint local = point - socket.firstCard;
        const int stepX = card_.size.width() + columnGap_, stepY = card_.size.height() + rowGap_;
        if (local.x() < 0 || local.y() < 0) return kNoCpu;
        const int column = local.x() / stepX, row = local.y() / stepY;
        const int core = row * socket.columns + column;
        if (column >= socket.columns || core >= topology_.cores_per_socket) return kNoCpu;
        const QPoint inside(local.x() % stepX, local.y() % stepY);
        for (std::size_t i = 0; i < card_.siblings.size(); ++i)
            if (card_.siblings[i].area.contains(inside))
                return topology_.cpu_of(static_cast<int>(s) * topology_.cores_per_socket + core,
                                        static_cast<int>(i));
        return kNoCpu;
    }
    return kNoCpu;
}

int MachineLayout::socketHeaderAt(QPoint point) const {
    for (std::size_t s = 0; s < sockets_.size(); ++s)
        if (sockets_[s].header.contains(point)) return static_cast<int>(s);
    return -1;
}

CpuId MachineLayout::neighbour(CpuId cpu, int dx, int dy) const {
    const QPoint from = cpuRect(cpu).center();
    CpuId best = cpu;
    double bestDistance = 1e18;
    for (int c = 0; c < topology_.cpus(); ++c) {
        const CpuId other = static_cast<CpuId>(c);
        if (other == cpu || !visible(topology_.core_of(other))) continue;
        const QPoint d = cpuRect(other).center() - from;
        const double along = d.x() * dx + d.y() * dy, across = std::abs(d.x() * dy) + std::abs(d.y() * dx);
        if (along <= 0) continue;
        const double distance = along + 4 * across;
        if (distance < bestDistance) {
            bestDistance = distance;
            best = other;
        }
    }
    return best;
}

} // namespace tlbscope
