// Where sockets, cores, siblings and cells lie. A pure value of the machine, the space and the detail;
// rectangles are in logical pixels of the content (not of the viewport).
#pragma once

#include "engine/session/snapshot.h"
#include "views/machine/cell_painter.h"

#include <QRectF>

#include <set>
#include <vector>

namespace tlbscope {

// How much a card shows. The order is that of zooming in.
enum class Detail : std::uint8_t {
    gauge,   // state, number and how full: no cells
    tile,    // state, number, cells of one device pixel
    compact, // one line of text a CPU, small cells
    full,    // everything
};

// Distances the layout needs, all in logical pixels; from the theme, so that text always fits.
struct LayoutMetrics {
    double dpr = 1;
    int titleHeight = 20, nameHeight = 18, detailHeight = 16, captionHeight = 14, smallHeight = 14;
    int padding = 10, gap = 8, socketHeader = 30, tileText = 40, compactText = 90, fullText = 150;
    int em = 16;

    static LayoutMetrics of(const Theme& theme, double dpr);
};

struct GridPlace {
    std::size_t array = 0; // index into MachineDescription::arrays
    GridShape shape;
    QRect cells;   // logical, relative to the card, rounded outwards; cells start at its top left
    QRect caption; // above the cells; empty when the detail shows none
    QRect bar;     // occupancy; empty when there is none
};

struct SiblingPlace {
    QRect area;   // hit area: the column of this sibling
    QRect header; // glyph, name, state (and detail below in full detail)
    QRect progress;
};

// All cores are alike, so one prototype serves them all.
struct CardPlace {
    QSize size;
    QRect title; // "Core 3"; empty below full detail
    std::vector<SiblingPlace> siblings;
    std::vector<GridPlace> grids;
};

struct SocketPlace {
    QRect frame, header;
    QPoint firstCard;
    int columns = 1;
    bool folded = false;
};

class MachineLayout {
public:
    struct Request {
        QSize viewport{800, 500};
        // Pitch of an L1 cell in device pixels; 0: gauge; -1: the largest with which all fits.
        int pitch = -1;
        std::set<int> folded;
    };

    MachineLayout() = default;
    MachineLayout(const MachineDescription& machine, const LayoutMetrics& metrics, const Request& request);

    QSize size() const { return size_; }
    Detail detail() const { return detail_; }
    int pitch() const { return pitch_; }
    int sharedPitch() const { return sharedPitch_; } // of the STLB
    const CardPlace& card() const { return card_; }
    const std::vector<SocketPlace>& sockets() const { return sockets_; }
    int rowGap() const { return rowGap_; }
    int columnGap() const { return columnGap_; }
    bool empty() const { return sockets_.empty(); }

    // False for a core in a folded socket.
    bool visible(int core) const { return !sockets_[static_cast<std::size_t>(socketOf(core))].folded; }
    QPoint cardOrigin(int core) const;
    QRect cardRect(int core) const { return {cardOrigin(core), card_.size}; }
    QRect cpuRect(CpuId cpu) const; // sibling area in content coordinates
    QRect headerRect(CpuId cpu) const;
    int socketOf(int core) const { return core / topology_.cores_per_socket; }
    // kNoCpu where there is none.
    CpuId cpuAt(QPoint point) const;
    int socketHeaderAt(QPoint point) const; // -1 where there is none
    // Neighbour in a direction (-1, 0, 1 each), the CPU itself at the edge.
    CpuId neighbour(CpuId cpu, int dx, int dy) const;

private:
    bool arrange(const Request& request);
    void place(const Request& request, int socketColumns, int cardColumns);

    Topology topology_;
    LayoutMetrics metrics_;
    CardPlace card_;
    std::vector<SocketPlace> sockets_;
    QSize size_;
    Detail detail_ = Detail::full;
    int pitch_ = 1, sharedPitch_ = 1;
    int rowGap_ = 0, columnGap_ = 0;
};

// The pitches that zooming steps through, 0 (gauge) first.
const std::vector<int>& zoomSteps();

// One core with all its siblings; also for tests.
CardPlace placeCard(const MachineDescription& machine, const LayoutMetrics& metrics, Detail detail, int pitch,
                    int sharedPitch, int unitColumns);

} // namespace tlbscope
