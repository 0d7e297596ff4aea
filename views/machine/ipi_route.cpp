#include "views/machine/ipi_route.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace tlbscope {

QPointF ipiPort(const MachineLayout& layout, const Topology& topology, CpuId cpu, double lane) {
    const int core = topology.core_of(cpu);
    if (!layout.visible(core)) {
        const QRect header = layout.sockets()[static_cast<std::size_t>(layout.socketOf(core))].header;
        return {header.right() - header.height() * 0.5 + lane, double(header.bottom() + 1)};
    }
    const QRect header = layout.headerRect(cpu);
    const double inset = std::min(header.width() / 2.0, std::max(10.0, header.width() * 0.25));
    return {header.left() + inset + lane, double(layout.cardRect(core).top())};
}

QPolygonF ipiRoute(const MachineLayout& layout, const Topology& topology, CpuId from, CpuId to, double lane) {
    if (from == to || from >= topology.cpus() || to >= topology.cpus()) return {};
    const int coreFrom = topology.core_of(from), coreTo = topology.core_of(to);
    const int socketFrom = layout.socketOf(coreFrom), socketTo = layout.socketOf(coreTo);
    if (socketFrom == socketTo && !layout.visible(coreFrom)) return {};
    const QPointF start = ipiPort(layout, topology, from, lane), end = ipiPort(layout, topology, to, lane);
    const double half = layout.rowGap() / 2.0;
    // Folded sockets are reached from below their header, cards from above.
    const double y1 = layout.visible(coreFrom) ? start.y() - half + lane : start.y() + half / 2 + lane;
    const double y2 = layout.visible(coreTo) ? end.y() - half + lane : end.y() + half / 2 + lane;
    QPolygonF way;
    way << start << QPointF(start.x(), y1);
    if (std::abs(y1 - y2) > 0.5) {
        double x;
        if (socketFrom != socketTo || !layout.visible(coreFrom)) {
            // Headers stand at the left: change the socket at the right edge.
            const QRect frame = layout.sockets()[static_cast<std::size_t>(socketFrom)].frame;
            x = frame.right() - layout.columnGap() / 2.0 + lane;
        } else {
            const QRect card = layout.cardRect(coreFrom);
            const bool right = end.x() >= start.x() ||
                               card.left() - layout.columnGap() <
                                   layout.sockets()[static_cast<std::size_t>(socketFrom)].frame.left();
            x = right ? card.right() + 1 + layout.columnGap() / 2.0 + lane
                      : card.left() - layout.columnGap() / 2.0 + lane;
        }
        way << QPointF(x, y1) << QPointF(x, y2);
    }
    way << QPointF(end.x(), y2) << end;
    return way;
}

QPainterPath rounded(const QPolygonF& corners, double radius) {
    QPainterPath path;
    if (corners.size() < 2) return path;
    path.moveTo(corners.front());
    for (qsizetype i = 1; i + 1 < corners.size(); ++i) {
        const QLineF in(corners[i], corners[i - 1]), out(corners[i], corners[i + 1]);
        const double r = std::min({radius, in.length() / 2, out.length() / 2});
        if (r < 0.5) {
            path.lineTo(corners[i]);
            continue;
        }
        path.lineTo(in.pointAt(r / in.length()));
        path.quadTo(corners[i], out.pointAt(r / out.length()));
    }
    path.lineTo(corners.back());
    return path;
}

double lengthOf(const QPolygonF& corners) {
    double length = 0;
    for (qsizetype i = 1; i < corners.size(); ++i)
        length += QLineF(corners[i - 1], corners[i]).length();
    return length;
}

QPointF pointAlong(const QPolygonF& corners, double share) {
    double left = lengthOf(corners) * std::clamp(share, 0.0, 1.0);
    for (qsizetype i = 1; i < corners.size(); ++i) {
        const QLineF line(corners[i - 1], corners[i]);
        const double length = line.length();
        if (left <= length && length > 0) return line.pointAt(left / length);
        left -= length;
    }
    return corners.isEmpty() ? QPointF() : corners.back();
}

QPolygonF startOf(const QPolygonF& corners, double share) {
    QPolygonF out;
    double left = lengthOf(corners) * std::clamp(share, 0.0, 1.0);
    for (qsizetype i = 0; i < corners.size(); ++i) {
        if (i > 0) {
            const QLineF line(corners[i - 1], corners[i]);
            if (line.length() > left) {
                if (line.length() > 0) out << line.pointAt(left / line.length());
                return out;
            }
            left -= line.length();
        }
        out << corners[i];
    }
    return out;
}

} // namespace tlbscope
