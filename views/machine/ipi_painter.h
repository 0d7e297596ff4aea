// IPIs and acknowledgements on their way, over the finished picture of the machine.
#pragma once

#include "views/machine/machine_layout.h"
#include "views/theme/theme.h"

class QPainter;

namespace tlbscope {

// The painter is in content coordinates. Few IPIs get lines of their own and labels with the time since
// they were sent; many share trunks and only their heads are told apart.
void paintIpis(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout, const Theme& theme,
               const QRect& visible);

// The labels that paintIpis writes, for tests: rectangle and text; no two overlap, none lies on a card
// or on a socket's header.
struct IpiLabel {
    QRectF box;
    QString text;
    IpiPhase phase;
};
std::vector<IpiLabel> placeIpiLabels(const Snapshot& snapshot, const MachineLayout& layout,
                                     const Theme& theme);

inline constexpr int kManyIpis = 24;

} // namespace tlbscope
