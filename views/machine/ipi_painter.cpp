#include "views/machine/ipi_painter.h"

#include "views/format/format.h"
#include "views/machine/ipi_route.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace tlbscope {

namespace {

bool isAck(const IpiView& ipi) {
    return ipi.phase == IpiPhase::acknowledging;
}

double laneOf(const IpiView& ipi, Detail detail) {
    const double apart = detail == Detail::full ? 4 : detail == Detail::compact ? 2 : 1;
    return isAck(ipi) ? apart : -apart;
}

QColor colorOf(const IpiView& ipi, const Theme& theme) {
    switch (ipi.phase) {
    case IpiPhase::acknowledging:
        return theme.hue.green;
    case IpiPhase::pending:
        return theme.hue.vermillion;
    default:
        return theme.hue.sky;
    }
}

QPolygonF wayOf(const IpiView& ipi, const Snapshot& s, const MachineLayout& layout) {
    QPolygonF way = ipiRoute(layout, s.machine->topology, ipi.from, ipi.to, laneOf(ipi, layout.detail()));
    if (isAck(ipi)) std::reverse(way.begin(), way.end()); // back the way the request came
    return way;
}

double shareOf(const IpiView& ipi) {
    switch (ipi.phase) {
    case IpiPhase::travelling:
    case IpiPhase::acknowledging:
        return std::isfinite(ipi.progress) ? ipi.progress : 0;
    default:
        return 1;
    }
}

void paintHead(QPainter& painter, const IpiView& ipi, QPointF at, double size, const Theme& theme) {
    const QColor color = colorOf(ipi, theme);
    painter.setPen(QPen(theme.panel, std::max(1.0, size / 4)));
    painter.setBrush(color);
    if (ipi.phase == IpiPhase::pending) { // stopped at the door: a barred ring
        painter.setBrush(theme.panel);
        painter.setPen(QPen(color, std::max(1.5, size / 4)));
        painter.drawEllipse(at, size * 0.62, size * 0.62);
        painter.drawLine(at + QPointF(-size * 0.36, 0), at + QPointF(size * 0.36, 0));
    } else if (ipi.phase == IpiPhase::servicing) { // arrived: an arrow into the card
        painter.drawPolygon(QPolygonF{at + QPointF(-size * 0.7, -size), at + QPointF(size * 0.7, -size),
                                      at + QPointF(0, size * 0.3)});
    } else if (isAck(ipi)) {
        painter.drawPolygon(QPolygonF{at + QPointF(0, -size * 0.8), at + QPointF(size * 0.8, 0),
                                      at + QPointF(0, size * 0.8), at + QPointF(-size * 0.8, 0)});
    } else {
        painter.drawEllipse(at, size * 0.68, size * 0.68);
    }
}

void paintFew(QPainter& painter, const Snapshot& s, const MachineLayout& layout, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool full = layout.detail() == Detail::full;
    const double width = full ? theme.px(2) : 1.25;
    const double radius = std::min(theme.px(14), std::max(2, layout.rowGap() / 2));
    std::vector<std::pair<QPainterPath, const IpiView*>> ways;
    for (const IpiView& ipi : s.ipis)
        ways.emplace_back(rounded(wayOf(ipi, s, layout), radius), &ipi);
    for (const auto& [path, ipi] : ways) { // first the lines that have been travelled
        const QColor color = mix(theme.panel, isAck(*ipi) ? theme.hue.green : theme.hue.sky, 0.5);
        QPen pen(color, width, isAck(*ipi) ? Qt::CustomDashLine : Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (isAck(*ipi)) pen.setDashPattern({2.5, 2});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        if (ipi->phase == IpiPhase::servicing || ipi->phase == IpiPhase::pending) continue;
        pen.setColor(colorOf(*ipi, theme));
        painter.setPen(pen);
        painter.drawPath(rounded(startOf(wayOf(*ipi, s, layout), shareOf(*ipi)), radius));
    }
    const double size = full ? theme.px(7) : theme.px(4);
    for (const IpiView& ipi : s.ipis) {
        const QPolygonF way = wayOf(ipi, s, layout);
        if (!way.isEmpty()) paintHead(painter, ipi, pointAlong(way, shareOf(ipi)), size, theme);
    }
    const QFontMetricsF metrics(theme.font(FontRole::caption));
    painter.setFont(theme.font(FontRole::caption));
    for (const IpiLabel& label : placeIpiLabels(s, layout, theme)) {
        IpiView like;
        like.phase = label.phase;
        const QColor color = colorOf(like, theme);
        painter.setPen(QPen(color, 1));
        painter.setBrush(theme.inset);
        painter.drawRoundedRect(label.box, label.box.height() / 2, label.box.height() / 2);
        painter.setPen(readable(color, theme.inset));
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

// Axis-parallel pieces merged by line; all ways of a shootdown start at one CPU, so pieces on the same
// line touch.
class Trunks {
public:
    void add(const QPolygonF& way, const QColor& color, std::uint32_t shootdown) {
        for (qsizetype i = 1; i < way.size(); ++i) {
            const bool upright = std::abs(way[i].x() - way[i - 1].x()) < 0.5;
            const int line = static_cast<int>(std::lround(upright ? way[i].x() : way[i].y()));
            const double a = upright ? way[i - 1].y() : way[i - 1].x(), b = upright ? way[i].y() : way[i].x();
            const auto [at, fresh] =
                pieces_.try_emplace(Key{shootdown, color.rgb(), upright, line,
                                        upright && std::abs(a - b) < 40 ? std::lround(b) : 0},
                                    std::min(a, b), std::max(a, b));
            if (!fresh)
                at->second = {std::min({at->second.first, a, b}), std::max({at->second.second, a, b})};
        }
    }
    void paint(QPainter& painter, double alpha) const {
        for (const auto& [key, range] : pieces_) {
            QColor color = QColor(std::get<1>(key));
            color.setAlphaF(static_cast<float>(alpha));
            const int line = std::get<3>(key);
            const QRectF piece = std::get<2>(key) ? QRectF(line, range.first, 1, range.second - range.first)
                                                  : QRectF(range.first, line, range.second - range.first, 1);
            painter.fillRect(piece, color);
        }
    }

private:
    using Key = std::tuple<std::uint32_t, QRgb, bool, int, long>;
    std::map<Key, std::pair<double, double>> pieces_;
};

void paintMany(QPainter& painter, const Snapshot& s, const MachineLayout& layout, const Theme& theme,
               const QRect& visible) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    Trunks trunks;
    std::vector<std::pair<QPointF, QColor>> heads;
    heads.reserve(s.ipis.size());
    for (const IpiView& ipi : s.ipis) {
        const QPolygonF way = wayOf(ipi, s, layout);
        if (way.isEmpty()) continue;
        trunks.add(way, isAck(ipi) ? theme.hue.green : theme.hue.sky, ipi.shootdown);
        heads.emplace_back(pointAlong(way, shareOf(ipi)), colorOf(ipi, theme));
    }
    trunks.paint(painter, 0.75);
    const double size = layout.detail() >= Detail::compact ? 6 : 5;
    for (const auto& [at, color] : heads) {
        const QRectF box(at.x() - size / 2, at.y() - size / 2, size, size);
        if (!visible.intersects(box.toAlignedRect())) continue;
        painter.fillRect(box.adjusted(-1, -1, 1, 1), theme.panel);
        painter.fillRect(box, color);
    }
}

} // namespace

std::vector<IpiLabel> placeIpiLabels(const Snapshot& s, const MachineLayout& layout, const Theme& theme) {
    std::vector<IpiLabel> placed;
    if (layout.detail() != Detail::full || static_cast<int>(s.ipis.size()) > kManyIpis) return placed;
    const QFontMetricsF metrics(theme.font(FontRole::caption));
    std::vector<QRectF> taken;
    for (const SocketPlace& socket : layout.sockets())
        taken.emplace_back(socket.header);
    for (int core = 0; core < s.machine->topology.cores(); ++core)
        if (layout.visible(core)) taken.emplace_back(QRectF(layout.cardRect(core)));
    for (const IpiView& ipi : s.ipis) { // heads stay visible
        const QPolygonF way = wayOf(ipi, s, layout);
        if (!way.isEmpty())
            taken.emplace_back(pointAlong(way, shareOf(ipi)) - QPointF(theme.px(8), theme.px(8)),
                               QSizeF(theme.px(16), theme.px(16)));
    }
    for (const IpiView& ipi : s.ipis) {
        if (placed.size() >= 12) break;
        const QPolygonF way = wayOf(ipi, s, layout);
        if (way.isEmpty()) continue;
        const char* word = isAck(ipi)                         ? "ack "
                           : ipi.phase == IpiPhase::pending   ? "irqs off "
                           : ipi.phase == IpiPhase::servicing ? "in service "
                                                              : "IPI ";
        IpiLabel label{
            QRectF(),
            QLatin1String(word) +
                durationText(static_cast<double>(std::max<Cycles>(0, s.now - ipi.sent)), s.machine->hz),
            ipi.phase};
        const QSizeF size(metrics.horizontalAdvance(label.text) + theme.px(12),
                          metrics.height() + theme.px(2));
        const auto tryAt = [&](QPointF center) {
            label.box = QRectF(center - QPointF(size.width() / 2, size.height() / 2), size);
            return std::none_of(taken.begin(), taken.end(),
                                [&](const QRectF& r) { return r.intersects(label.box); });
        };
        bool found = false;
        // Beside the last bend first, then anywhere on the way.
        const double clear = size.width() / 2 + theme.px(16);
        for (qsizetype i = way.size() - 1; i > 0 && !found; --i) {
            const QLineF piece(way[i], way[i - 1]);
            if (piece.length() < 2 * theme.px(16)) continue;
            for (const double at : {clear / piece.length(), 0.5, 0.3, 0.7, 0.85, 0.15}) {
                if (at > 0.95) continue;
                found = tryAt(piece.pointAt(at));
                if (found) break;
            }
        }
        if (!found) continue;
        taken.push_back(label.box.adjusted(-2, -2, 2, 2));
        placed.push_back(label);
    }
    return placed;
}

void paintIpis(QPainter& painter, const Snapshot& snapshot, const MachineLayout& layout, const Theme& theme,
               const QRect& visible) {
    if (snapshot.ipis.empty() || layout.empty()) return;
    painter.save();
    if (static_cast<int>(snapshot.ipis.size()) > kManyIpis || layout.detail() < Detail::compact)
        paintMany(painter, snapshot, layout, theme, visible);
    else
        paintFew(painter, snapshot, layout, theme);
    painter.restore();
}

} // namespace tlbscope
