// The way an IPI takes on the screen: through the gaps between the cards, never across their text.
#pragma once

#include "views/machine/machine_layout.h"

#include <QPainterPath>
#include <QPolygonF>

namespace tlbscope {

// Corner points in content coordinates, from the top edge of the initiator's card to that of the target's.
// `lane` shifts the way sideways by so many pixels, so that requests and acknowledgements lie side by side.
// Empty when either CPU is in a folded socket on both ends, or the CPUs are the same.
QPolygonF ipiRoute(const MachineLayout& layout, const Topology& topology, CpuId from, CpuId to, double lane);
// Where IPIs leave and reach a CPU.
QPointF ipiPort(const MachineLayout& layout, const Topology& topology, CpuId cpu, double lane);
// The polyline with rounded corners.
QPainterPath rounded(const QPolygonF& corners, double radius);
double lengthOf(const QPolygonF& corners);
// Point at `share` 0 … 1 of the length.
QPointF pointAlong(const QPolygonF& corners, double share);
// The part of the way up to there.
QPolygonF startOf(const QPolygonF& corners, double share);

} // namespace tlbscope
