#include "views/panels/legend_panel.h"

#include "views/machine/cell_painter.h"
#include "views/machine/cpu_status.h"
#include "views/machine/state_glyph.h"

#include <QPainter>

#include <array>

namespace tlbscope {

namespace {

struct CellEntry {
    TlbCell cell;
    const char* name;
};
constexpr std::array kCells = {
    CellEntry{{TlbCell::kValid, 0, 0, EntryMark::none}, "entry, just used"},
    CellEntry{{TlbCell::kValid, 0, 255, EntryMark::none}, "oldest of its set"},
    CellEntry{{TlbCell::kValid | TlbCell::kGlobal, 0, 0, EntryMark::none}, "global (kernel)"},
    CellEntry{{TlbCell::kValid | TlbCell::kHuge, 0, 0, EntryMark::none}, "2 MiB page"},
    CellEntry{{TlbCell::kValid, 0, 0, EntryMark::just_refilled}, "just refilled"},
    CellEntry{{0, 0, 0, EntryMark::just_flushed}, "just flushed"},
    CellEntry{{TlbCell::kValid | TlbCell::kStale, 0, 0, EntryMark::none}, "stale: PTE changed"},
    CellEntry{{0, 0, 0, EntryMark::none}, "empty"},
};
constexpr std::array kStates = {CpuState::user,      CpuState::syscall,   CpuState::fault,
                                CpuState::flushing,  CpuState::waiting,   CpuState::servicing,
                                CpuState::interrupt, CpuState::switching, CpuState::blocked,
                                CpuState::lazy,      CpuState::idle};

} // namespace

LegendPanel::LegendPanel(QWidget* parent) : Panel(tr("Legend"), parent) {}

QSize LegendPanel::sizeHint() const {
    const Theme& t = Theme::current();
    const int rows = static_cast<int>((kCells.size() + 1) / 2 + (kStates.size() + 1) / 2);
    return {t.px(260), t.px(26) + titleHeight() + rows * (lineHeight(FontRole::small) + t.px(4))};
}

QSize LegendPanel::minimumSizeHint() const {
    return {Theme::current().px(160), Theme::current().px(60)};
}

void LegendPanel::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    const int step = lineHeight(FontRole::small) + t.px(4);
    const int columns = std::max(1, box.width() / t.px(124));
    const int width = box.width() / columns;
    const CellPainter cells(t, t.px(14));
    int y = box.top();
    const auto place = [&](std::size_t index, std::size_t count) {
        const int rows = (static_cast<int>(count) + columns - 1) / columns;
        const int row = static_cast<int>(index) % rows, column = static_cast<int>(index) / rows;
        return QRect(box.left() + column * width, y + row * step, width, step);
    };
    for (std::size_t i = 0; i < kCells.size(); ++i) {
        const QRect line = place(i, kCells.size());
        const QImage block = cells.reference(kCells[i].cell);
        painter.fillRect(
            QRect(line.left(), line.center().y() - block.height() / 2, block.width(), block.height()),
            t.card);
        painter.drawImage(line.left(), line.center().y() - block.height() / 2, block);
        drawLine(painter, line.adjusted(t.px(21), 0, -t.px(4), 0), FontRole::small, t.dim,
                 tr(kCells[i].name));
    }
    y += (static_cast<int>(kCells.size()) + columns - 1) / columns * step + t.px(8);
    for (std::size_t i = 0; i < kStates.size(); ++i) {
        const QRect line = place(i, kStates.size());
        if (line.bottom() > box.bottom() + 2) continue;
        const int side = t.px(10);
        paintStateGlyph(painter, QRectF(line.left() + t.px(1), line.center().y() - side / 2, side, side),
                        kStates[i], t, t.panel);
        drawLine(painter, line.adjusted(t.px(21), 0, -t.px(4), 0), FontRole::small, t.dim,
                 QLatin1String(stateWord(kStates[i])));
    }
}

} // namespace tlbscope
