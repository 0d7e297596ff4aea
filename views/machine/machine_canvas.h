// The picture of sockets, cards and cells: kept between frames, only what has changed is painted again.
#pragma once

#include "views/machine/cpu_status.h"
#include "views/machine/machine_layout.h"
#include "views/machine/recent_activity.h"
#include "views/theme/theme.h"

#include <QHash>
#include <QImage>

#include <memory>
#include <optional>

class QPainter;

namespace tlbscope {

class MachineCanvas {
public:
    // Nothing kept from before is valid: new machine, layout or theme.
    void reset(const Theme& theme);
    // Brings the picture up to date and returns it; `offset` is the content point at the viewport's top left.
    const QImage& update(const std::shared_ptr<const Snapshot>& snapshot, const MachineLayout& layout,
                         QPoint offset, QSize viewport, double dpr);
    // Device pixel of the top left cell of a grid of a core, in the image.
    static QPoint cellOrigin(const MachineLayout& layout, int core, const GridPlace& grid, QPoint offset,
                             double dpr);
    const CellPainter* painterFor(int pitch) const;

private:
    struct CpuLook { // what the header shows; equal looks need no painting
        CpuStatus status;
        CpuState state = CpuState::unknown;
        bool pending = false;
        int valid = 0;
        QString extra;
        bool operator==(const CpuLook&) const = default;
    };

    void paintChrome(const Snapshot& snapshot, const MachineLayout& layout);
    void paintSocketHeader(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout,
                           int socket);
    void paintCard(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout, int core);
    void paintCells(const Snapshot& snapshot, const MachineLayout& layout, int core, QPainter& painter);
    void paintCaption(QPainter& painter, const TlbArray& array, const GridPlace& grid, QPoint origin,
                      int valid, int core);
    void paintHeader(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout, CpuId cpu,
                     const CpuLook& look, const CpuLook* before);
    void paintGauge(QPainter& painter, const Snapshot& snapshot, const QRect& box, CpuId cpu,
                    const CpuLook& look);
    void paintProgress(QPainter& painter, const QRect& bar, const CpuLook& look, const QColor& color);
    void paintRecorded(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout, CpuId cpu);
    void paintFrame(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout, int core);
    void paintGlyph(QPainter& painter, QPointF at, int size, CpuState state, const QColor& hole);
    QColor headerColor(CpuState state) const;
    bool inView(const QRect& content) const { return QRect(offset_, viewport_).intersects(content); }

    Theme theme_;
    QImage image_;
    QPoint offset_;
    QSize viewport_;
    double dpr_ = 1;
    bool valid_ = false;
    std::shared_ptr<const Snapshot> last_;
    std::vector<std::optional<CpuLook>> looks_; // by CPU
    std::vector<int> validCounts_;              // by core * arrays + array
    std::vector<CpuState> frames_;              // by core: the state its frame shows
    std::vector<std::unique_ptr<CellPainter>> painters_;
    std::optional<RecentActivity> activity_;
    std::uint64_t activityCursor_ = 0;
    QHash<quint64, QImage> glyphs_;
};

// Of the siblings of a core the one that matters most right now, for the frame of the card.
CpuState dominantState(const Snapshot& snapshot, int core);

} // namespace tlbscope
