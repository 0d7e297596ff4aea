#include "views/machine/machine_canvas.h"

#include "views/format/format.h"
#include "views/machine/state_glyph.h"

#include <QPainter>
#include <QRegion>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tlbscope {

namespace {

// 0: nothing to say, the frame stays neutral.
int weight(CpuState state) {
    switch (state) {
    case CpuState::waiting:
        return 4;
    case CpuState::flushing:
        return 3;
    case CpuState::servicing:
        return 2;
    case CpuState::blocked:
        return 1;
    default:
        return 0;
    }
}

} // namespace

CpuState dominantState(const Snapshot& s, int core) {
    const Topology& t = s.machine->topology;
    CpuState best = CpuState::idle;
    for (int i = 0; i < t.threads_per_core; ++i) {
        const CpuState state = s.cpus[t.cpu_of(core, i)].state;
        if (weight(state) > weight(best)) best = state;
    }
    return best;
}

void MachineCanvas::reset(const Theme& theme) {
    theme_ = theme;
    painters_.clear();
    glyphs_.clear();
    valid_ = false;
    last_.reset();
    activity_.reset();
}

const CellPainter* MachineCanvas::painterFor(int pitch) const {
    for (const auto& painter : painters_)
        if (painter->pitch() == pitch) return painter.get();
    return nullptr;
}

QPoint MachineCanvas::cellOrigin(const MachineLayout& layout, int core, const GridPlace& grid, QPoint offset,
                                 double dpr) {
    const QPoint at = layout.cardOrigin(core) + grid.cells.topLeft() - offset;
    return {static_cast<int>(std::ceil(at.x() * dpr - 1e-9)),
            static_cast<int>(std::ceil(at.y() * dpr - 1e-9))};
}

const QImage& MachineCanvas::update(const std::shared_ptr<const Snapshot>& snapshot,
                                    const MachineLayout& layout, QPoint offset, QSize viewport, double dpr) {
    const Snapshot& s = *snapshot;
    const QSize device(static_cast<int>(std::ceil(viewport.width() * dpr)),
                       static_cast<int>(std::ceil(viewport.height() * dpr)));
    if (!valid_ || image_.size() != device || offset != offset_ || viewport != viewport_ || dpr != dpr_ ||
        !last_ || last_->run != s.run || last_->machine != s.machine) {
        if (image_.size() != device) image_ = QImage(device, QImage::Format_RGB32);
        image_.setDevicePixelRatio(dpr);
        offset_ = offset;
        viewport_ = viewport;
        dpr_ = dpr;
        for (const GridPlace& grid : layout.card().grids)
            if (!painterFor(grid.shape.pitch))
                painters_.push_back(std::make_unique<CellPainter>(theme_, grid.shape.pitch));
        paintChrome(s, layout);
        valid_ = true;
        last_.reset();
    }
    if (last_ == snapshot) return image_;
    const Topology& t = s.machine->topology;
    QPainter painter(&image_);
    painter.translate(-offset_);
    if (s.machine->recorded && layout.detail() != Detail::gauge &&
        (!activity_ || activityCursor_ != s.cursor || !last_ ||
         last_->log.end_index() != s.log.end_index())) {
        activity_ = RecentActivity::of(s);
        activityCursor_ = s.cursor;
    }
    bool folded = false;
    for (const SocketPlace& socket : layout.sockets())
        folded |= socket.folded;
    if (folded || !last_)
        for (std::size_t i = 0; i < layout.sockets().size(); ++i)
            if (inView(layout.sockets()[i].header) && (layout.sockets()[i].folded || !last_))
                paintSocketHeader(painter, s, layout, static_cast<int>(i));
    for (int core = 0; core < t.cores(); ++core)
        if (layout.visible(core) && inView(layout.cardRect(core))) {
            paintCells(s, layout, core, painter);
            paintCard(painter, s, layout, core);
        }
    last_ = snapshot;
    return image_;
}

void MachineCanvas::paintChrome(const Snapshot& s, const MachineLayout& layout) {
    const Topology& t = s.machine->topology;
    looks_.assign(static_cast<std::size_t>(t.cpus()), std::nullopt);
    frames_.assign(static_cast<std::size_t>(t.cores()), CpuState::idle);
    validCounts_.assign(static_cast<std::size_t>(t.cores()) * s.machine->arrays.size(), -1);
    image_.fill(theme_.window);
    QPainter painter(&image_);
    painter.translate(-offset_);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool round = layout.detail() >= Detail::compact;
    for (const SocketPlace& socket : layout.sockets()) {
        if (!inView(socket.frame)) continue;
        painter.setPen(QPen(theme_.border, 1));
        painter.setBrush(theme_.panel);
        painter.drawRoundedRect(QRectF(socket.frame).adjusted(0.5, 0.5, -0.5, -0.5), theme_.px(8),
                                theme_.px(8));
    }
    painter.setRenderHint(QPainter::Antialiasing, round);
    for (int core = 0; core < t.cores(); ++core) {
        if (!layout.visible(core)) continue;
        const QRect card = layout.cardRect(core);
        if (!inView(card)) continue;
        painter.setPen(theme_.border);
        painter.setBrush(theme_.card);
        if (round)
            painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), theme_.px(6), theme_.px(6));
        else
            painter.drawRect(card.adjusted(0, 0, -1, -1));
        if (layout.card().title.isValid()) {
            painter.setFont(theme_.font(FontRole::small));
            painter.setPen(theme_.dim);
            painter.drawText(layout.card().title.translated(card.topLeft()), Qt::AlignLeft | Qt::AlignVCenter,
                             QStringLiteral("Core %1").arg(core));
        }
    }
}

void MachineCanvas::paintCard(QPainter& painter, const Snapshot& s, const MachineLayout& layout, int core) {
    const Topology& t = s.machine->topology;
    for (int i = 0; i < t.threads_per_core; ++i) {
        const CpuId cpu = t.cpu_of(core, i);
        const CpuView& view = s.cpus[cpu];
        CpuLook look;
        look.state = view.state;
        look.pending = view.ipi_pending;
        if (layout.detail() >= Detail::compact) look.status = cpuStatus(s, cpu);
        if (layout.detail() == Detail::gauge) look.valid = static_cast<int>(view.valid_entries);
        if (s.machine->recorded) look.extra = QString::number(s.cursor);
        auto& known = looks_[cpu];
        if (known == look) continue;
        paintHeader(painter, s, layout, cpu, look, known ? &*known : nullptr);
        if (s.machine->recorded && layout.detail() >= Detail::compact) paintRecorded(painter, s, layout, cpu);
        known = std::move(look);
    }
    const CpuState frame = dominantState(s, core);
    CpuState& shown = frames_[static_cast<std::size_t>(core)];
    if (frame != shown) {
        shown = frame;
        paintFrame(painter, s, layout, core);
    }
}

void MachineCanvas::paintFrame(QPainter& painter, const Snapshot&, const MachineLayout& layout, int core) {
    const CpuState state = frames_[static_cast<std::size_t>(core)];
    const QRectF card = layout.cardRect(core);
    const bool marked = weight(state) > 0;
    const QColor color = marked ? theme_.state(state) : theme_.border;
    if (layout.detail() < Detail::compact) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(color);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(layout.cardRect(core).adjusted(0, 0, -1, -1));
        return;
    }
    // The rim is made anew from the panel up, so that nothing of an older frame shines through its corners.
    const QRect whole = layout.cardRect(core);
    const double radius = theme_.px(6);
    const int corner = static_cast<int>(std::ceil(radius * 0.3 + 3));
    QRegion rim = QRegion(whole) - QRegion(whole.adjusted(4, 4, -4, -4));
    for (const int x : {whole.left(), whole.right() + 1 - corner})
        for (const int y : {whole.top(), whole.bottom() + 1 - corner})
            rim += QRect(x, y, corner, corner);
    painter.save();
    painter.setClipRegion(rim);
    painter.fillRect(whole, theme_.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(color, marked ? 2 : 1);
    if (state == CpuState::waiting) pen.setDashPattern({4, 2.5});
    const double half = marked ? 1.0 : 0.5;
    if (marked) { // the ground under a dashed line
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_.card);
        painter.drawRoundedRect(card, radius, radius);
        painter.setBrush(Qt::NoBrush);
    } else {
        painter.setBrush(theme_.card);
    }
    painter.setPen(pen);
    painter.drawRoundedRect(card.adjusted(half, half, -half, -half), radius, radius);
    painter.restore();
}

void MachineCanvas::paintCells(const Snapshot& s, const MachineLayout& layout, int core, QPainter& painter) {
    const MachineDescription& m = *s.machine;
    if (layout.detail() == Detail::gauge || m.arrays.empty()) return;
    const std::size_t first = static_cast<std::size_t>(core) * m.cells_per_core;
    if (first + m.cells_per_core > s.cells.size()) return;
    const TlbCell* cells = s.cells.data() + first;
    const bool same =
        last_ && last_->cells.size() == s.cells.size() &&
        std::memcmp(last_->cells.data() + first, cells, m.cells_per_core * sizeof(TlbCell)) == 0;
    if (same) return;
    const QRect bounds(QPoint(0, 0), image_.size());
    // The first shared array carries the name of the core.
    const GridPlace* named = nullptr;
    if (m.topology.threads_per_core > 1)
        for (const GridPlace& grid : layout.card().grids)
            if (!named && m.arrays[grid.array].sibling < 0) named = &grid;
    for (const GridPlace& grid : layout.card().grids) {
        const TlbArray& array = m.arrays[grid.array];
        const QPoint at = cellOrigin(layout, core, grid, offset_, dpr_);
        const QRect place(at, grid.shape.size());
        const CellPainter* cellPainter = painterFor(grid.shape.pitch);
        if (bounds.contains(place)) {
            cellPainter->paint(image_, at, cells + array.first_cell, grid.shape);
        } else if (bounds.intersects(place)) { // at the edge: by way of an image of its own
            QImage part(place.size(), QImage::Format_RGB32);
            part.fill(theme_.card);
            cellPainter->paint(part, {0, 0}, cells + array.first_cell, grid.shape);
            const QRect cut = place & bounds;
            for (int y = cut.top(); y <= cut.bottom(); ++y)
                std::memcpy(image_.scanLine(y) + cut.left() * 4,
                            part.constScanLine(y - at.y()) + (cut.left() - at.x()) * 4,
                            static_cast<std::size_t>(cut.width()) * 4);
        }
        if (!grid.caption.isValid() && !grid.bar.isValid()) continue;
        int& shown = validCounts_[static_cast<std::size_t>(core) * m.arrays.size() + grid.array];
        const int valid = validEntries(s, core, array);
        if (valid == shown) continue;
        shown = valid;
        paintCaption(painter, array, grid, layout.cardOrigin(core), valid, &grid == named ? core : -1);
    }
}

void MachineCanvas::paintCaption(QPainter& painter, const TlbArray& array, const GridPlace& grid,
                                 QPoint origin, int valid, int core) {
    if (grid.bar.isValid()) {
        const QRect bar = grid.bar.translated(origin);
        painter.fillRect(bar, theme_.emptyCell);
        const int width =
            static_cast<int>(std::lround(bar.width() * double(valid) / std::max(1u, array.entries())));
        painter.fillRect(QRect(bar.topLeft(), QSize(width, bar.height())), theme_.hue.sky);
    }
    if (!grid.caption.isValid()) return;
    const QRect box = grid.caption.translated(origin);
    painter.fillRect(box, theme_.card);
    painter.setFont(theme_.font(FontRole::caption));
    const QFontMetricsF metrics(theme_.font(FontRole::caption));
    const QString entries = grouped(std::int64_t{array.entries()}), count = grouped(std::int64_t{valid});
    const QString way = array.sets == 1 ? QStringLiteral(" · fully associative")
                                        : QStringLiteral(" · %1-way").arg(array.ways);
    const QString coreName = core >= 0 ? QStringLiteral("Core %1").arg(core) : QString();
    const QString gap = QStringLiteral("  ");
    QStringList lefts = {levelName(array.level) + way, levelShort(array.level) + way, levelName(array.level),
                         levelShort(array.level)};
    if (core >= 0) lefts.prepend(levelName(array.level) + way + QStringLiteral(" · shared by the siblings"));
    const double before = core >= 0 ? metrics.horizontalAdvance(coreName + gap) : 0;
    // Chosen by the widest count, so that the words do not change while the numbers do.
    for (const QString& of : {QStringLiteral(" of "), QStringLiteral("/"), QString()})
        for (const QString& left : lefts) {
            const double rightWidth =
                of.isEmpty() ? 0 : metrics.horizontalAdvance(gap + entries + of + entries);
            if (before + metrics.horizontalAdvance(left) + rightWidth > box.width()) continue;
            painter.setPen(theme_.dim);
            if (core >= 0) painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, coreName);
            if (!of.isEmpty()) painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, count + of + entries);
            painter.setPen(theme_.faint);
            painter.drawText(QRectF(box).adjusted(before, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, left);
            return;
        }
}

} // namespace tlbscope
