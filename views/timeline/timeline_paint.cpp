// How TimelineView draws.
#include "views/format/format.h"
#include "views/timeline/lane_painter.h"
#include "views/timeline/timeline_view.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace tlbscope {

void TimelineView::paintContent(QPainter& painter, const QRect& box) {
    if (!hasLog()) {
        drawLine(painter, QRect(box.left(), box.top(), box.width(), lineHeight(FontRole::body)),
                 FontRole::body, Theme::current().dim,
                 snapshot_ ? tr("No events yet.")
                           : tr("Nothing to show yet. Start a simulation or open a recording."));
        return;
    }
    const Places p = places();
    requestData(p);
    paintAxis(painter, p);
    paintLanes(painter, p);
    paintOverview(painter, p);
    paintArrows(painter, p);
    paintCursor(painter, p);
}

void TimelineView::paintAxis(QPainter& painter, const Places& p) {
    const Theme& t = Theme::current();
    const TimeMap map = mapOf(p);
    const TimeTicks ticks = timeTicks(map, ticksPerSecond(), t.px(90));
    painter.setFont(t.font(FontRole::caption));
    const QRect line(p.axis.left(), p.axis.top(), p.axis.width(), p.axis.height() - t.px(4));
    const int need = std::min(p.lanes.height(), cpus() * (p.laneHeight + p.laneGap) - p.laneGap);
    const QRect pill = cursorPill(p).toAlignedRect();
    double clear = line.left() - t.px(60);
    if (!ticks.base.isEmpty()) {
        const int width = textWidth(FontRole::caption, ticks.base);
        drawLine(painter, QRect(p.labels.left(), line.top(), width + 2, line.height()), FontRole::caption,
                 t.faint, ticks.base);
        clear = p.labels.left() + width + t.px(8);
    }
    for (const TimeTick& tick : ticks.ticks) {
        const double x = p.axis.left() + map.x(tick.ticks);
        painter.fillRect(QRectF(std::round(x), p.axis.bottom() - t.px(3), 1, need + t.px(4)), t.border);
        const int width = textWidth(FontRole::caption, tick.label);
        const QRect label(static_cast<int>(x) + t.px(4), line.top(), width + 2, line.height());
        if (label.left() < clear || label.right() > line.right() || pill.intersects(label)) continue;
        drawLine(painter, label, FontRole::caption, t.dim, tick.label);
        clear = label.right() + t.px(6);
    }
}

void TimelineView::paintLanes(QPainter& painter, const Places& p) {
    const Theme& t = Theme::current();
    const double dpr = devicePixelRatioF();
    const QSize device(static_cast<int>(std::ceil(p.lanes.width() * dpr)),
                       static_cast<int>(std::ceil(p.lanes.height() * dpr)));
    const int step = p.laneHeight + p.laneGap;
    const int first = std::clamp(scroll_->value() / step, 0, std::max(0, cpus() - 1));
    const int last = std::min(cpus(), (scroll_->value() + p.lanes.height()) / step + 1);
    const auto& loaded = loader_.lanes();
    TimeMap map = mapOf(p);
    map.width = device.width();
    const LanesKey key{map, loaded, scroll_->value(), theme_};
    if (lanesImage_.size() != device || lanesImage_.devicePixelRatio() != dpr || !(key == lanesKey_)) {
        if (lanesImage_.size() != device) lanesImage_ = QImage(device, QImage::Format_RGB32);
        lanesImage_.setDevicePixelRatio(dpr);
        lanesImage_.fill(t.panel);
        lanesKey_ = key;
        const LanePainter lanes(t);
        static const LaneData nothing;
        const LaneData& shown = loaded && loaded->run == snapshot_->run ? *loaded : nothing;
        for (int lane = first; lane < last; ++lane) {
            const int top = static_cast<int>(std::lround((laneTop(p, lane) - p.lanes.top()) * dpr));
            const int bottom =
                static_cast<int>(std::lround((laneTop(p, lane) - p.lanes.top() + p.laneHeight) * dpr));
            lanes.paint(lanesImage_, top, bottom - top, shown, static_cast<std::size_t>(lane), map);
        }
    }
    painter.drawImage(p.lanes.topLeft(), lanesImage_);

    const int every =
        std::max(1, static_cast<int>(std::ceil(double(lineHeight(FontRole::monoSmall)) / step)));
    painter.save();
    painter.setClipRect(p.labels.united(p.lanes).adjusted(0, -t.px(3), 0, t.px(3)));
    for (int lane = first; lane < last; ++lane) {
        if (lane % every) continue;
        const QRect box(p.labels.left(), laneTop(p, lane) - t.px(6), p.labels.width(),
                        p.laneHeight + t.px(12));
        drawLine(painter, box, FontRole::monoSmall, t.dim,
                 every > 1 ? QString::number(lane) : QStringLiteral("CPU %1").arg(lane));
    }
    painter.setClipRect(p.lanes);
    paintSpanTexts(painter, p, first, last);
    painter.restore();
    if (loader_.busy() && (!loaded || loaded->begin > map_.begin || loaded->end < map_.end))
        drawLine(painter, p.lanes.adjusted(t.px(8), 0, 0, 0), FontRole::small, t.dim, tr("reading events …"));
}

void TimelineView::paintSpanTexts(QPainter& painter, const Places& p, int first, int last) {
    const Theme& t = Theme::current();
    const auto& loaded = loader_.lanes();
    if (!loaded || !loaded->exact || p.laneHeight < lineHeight(FontRole::caption) - 2) return;
    const TimeMap map = mapOf(p);
    painter.setFont(t.font(FontRole::caption));
    const int pad = t.px(4), smallest = textWidth(FontRole::caption, QStringLiteral("1")) + 2 * pad;
    for (int lane = first; lane < last && lane < static_cast<int>(loaded->lanes.size()); ++lane) {
        const auto& spans = loaded->lanes[static_cast<std::size_t>(lane)].spans;
        if (spans.empty()) {
            drawLine(painter, QRect(p.lanes.left() + pad, laneTop(p, lane), p.lanes.width(), p.laneHeight),
                     FontRole::caption, t.faint, tr("no events"));
            continue;
        }
        auto at = std::partition_point(spans.begin(), spans.end(),
                                       [&](const Span& s) { return double(s.end) <= map.begin; });
        for (; at != spans.end() && double(at->begin) < map.end; ++at) {
            const double x0 = std::max(0.0, map.x(double(at->begin))),
                         x1 = std::min(map.width, map.x(double(at->end)));
            if (x1 - x0 < smallest) continue;
            QString text;
            bool centred = true;
            switch (at->kind) {
            case SpanKind::flush:
            case SpanKind::service:
                if (at->pages != 0) text = at->pages < 0 ? QStringLiteral("all") : grouped(at->pages);
                break;
            case SpanKind::idle:
                text = QStringLiteral("idle");
                centred = false;
                break;
            case SpanKind::wait_acks:
                text = QStringLiteral("wait");
                break;
            case SpanKind::blocked:
                text = QStringLiteral("mmap_sem");
                break;
            case SpanKind::gap:
                text = QStringLiteral("events lost");
                break;
            case SpanKind::fault:
                text = QStringLiteral("fault");
                break;
            default:
                break;
            }
            if (text.isEmpty() || textWidth(FontRole::caption, text) + 2 * pad > x1 - x0) continue;
            const QColor fill = t.spanFill(at->kind);
            QRectF box(p.lanes.left() + x0, laneTop(p, lane), x1 - x0 - 1, p.laneHeight);
            if (at->kind == SpanKind::wait_acks ||
                at->kind == SpanKind::blocked) { // words need calm ground, not hatching
                const double width = textWidth(FontRole::caption, text) + pad;
                painter.fillRect(QRectF(box.center().x() - width / 2, box.top() + 1, width, box.height() - 2),
                                 fill);
            }
            painter.setPen(at->kind == SpanKind::idle
                               ? t.faint
                               : readable(luminance(fill) > 0.2 ? QColor("#10141a") : t.text, fill));
            painter.drawText(centred ? box : box.adjusted(pad, 0, 0, 0),
                             (centred ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter, text);
        }
    }
}

void TimelineView::paintArrows(QPainter& painter, const Places& p) {
    const auto& loaded = loader_.lanes();
    if (!loaded || !loaded->exact || loaded->run != snapshot_->run || p.laneHeight < 4) return;
    const Theme& t = Theme::current();
    const TimeMap map = mapOf(p);
    const double now = double(snapshot_->now);
    const auto& all = loaded->shootdowns.shootdowns;
    // The shootdown under the cursor, else the last one before it, is drawn strongly.
    const Shootdown* current = nullptr;
    int inSight = 0;
    for (const Shootdown& s : all) {
        if (double(s.begin) <= now && s.target_count > 0 && s.initiator < cpus()) current = &s;
        inSight +=
            double(s.end) >= map.begin && double(s.begin) <= map.end ? static_cast<int>(s.target_count) : 0;
    }
    const EventLog& log = snapshot_->log;
    const auto known = [&](std::uint64_t i) {
        return i != kNoEvent && i >= log.first_index() && i < log.end_index();
    };
    painter.save();
    painter.setClipRect(p.lanes.adjusted(0, -t.px(2), 0, t.px(2)));
    painter.setRenderHint(QPainter::Antialiasing);
    const auto middle = [&](CpuId cpu) { return laneTop(p, cpu) + p.laneHeight / 2.0; };
    const auto arrow = [&](QPointF from, QPointF to, const QColor& color, Qt::PenStyle style, bool strong) {
        QPainterPath path(from);
        const double bend = std::clamp(std::abs(to.x() - from.x()) * 0.6, 4.0, double(t.px(40)));
        const double rise = (to.y() > from.y() ? 1 : -1) * std::min(std::abs(to.y() - from.y()) * 0.5, bend);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend * 0.3, rise), to);
        painter.setBrush(Qt::NoBrush);
        if (strong) { // a rim keeps it apart from spans of its own lightness
            QColor rim = t.panel;
            rim.setAlphaF(0.75f);
            painter.setPen(QPen(rim, 3.6));
            painter.drawPath(path);
        }
        painter.setPen(QPen(color, strong ? 1.6 : 1, style, Qt::FlatCap));
        painter.drawPath(path);
        if (!strong) return;
        painter.setPen(QPen(t.panel, 1));
        painter.setBrush(color);
        painter.drawEllipse(to, t.px(3), t.px(3));
    };
    QColor faint = t.text;
    faint.setAlphaF(0.3f);
    const auto at = [&](std::uint64_t event, CpuId cpu) {
        return QPointF(p.lanes.left() + map.x(double(log[event].time)), middle(cpu));
    };
    const auto draw = [&](const Shootdown& s, bool strong) {
        if (double(s.end) < map.begin || double(s.begin) > map.end || s.initiator >= cpus()) return;
        for (std::uint32_t i = s.first_target;
             i < s.first_target + s.target_count && i < loaded->shootdowns.targets.size(); ++i) {
            const ShootdownTarget& target = loaded->shootdowns.targets[i];
            if (target.cpu >= cpus()) continue;
            // Dashed where send and receive were matched by time only.
            if (known(target.send) && known(target.entry))
                arrow(at(target.send, s.initiator), at(target.entry, target.cpu), strong ? t.text : faint,
                      strong && target.pairing == Pairing::by_time ? Qt::DashLine : Qt::SolidLine, strong);
            if (strong && known(target.exit) && known(s.done))
                arrow(at(target.exit, target.cpu), at(s.done, s.initiator), t.hue.green, Qt::DotLine, true);
        }
    };
    if (inSight <= 40)
        for (const Shootdown& s : all)
            if (&s != current) draw(s, false);
    if (current) draw(*current, true);
    painter.restore();
}

void TimelineView::makeOverview(QSize size) {
    const OverviewKey key{snapshot_->run, overview_.chunks().empty() ? 0 : snapshot_->log.end_index(), size,
                          theme_};
    if (key == overviewKey_ && overviewImage_.size() == size && !indexTimer_->isActive()) return;
    overviewKey_ = key;
    const Theme& t = Theme::current();
    overviewImage_ = QImage(size, QImage::Format_RGB32);
    overviewImage_.fill(t.inset);
    const auto [begin, end] = runRange();
    const auto columns = overview_.columns(begin, end, size.width());
    float most = 0;
    for (const auto& column : columns)
        most = std::max(most, column.peak);
    if (most <= 0) return;
    const QRgb peak = mix(t.inset, t.hue.sky, 0.3).rgb(), mean = mix(t.inset, t.hue.sky, 0.65).rgb(),
               flushes = t.hue.orange.rgb();
    for (int x = 0; x < size.width(); ++x) {
        const auto& c = columns[static_cast<std::size_t>(x)];
        // Square root: quiet stretches stay visible beside bursts.
        const auto bar = [&](double rate, QRgb color) {
            const int high =
                static_cast<int>(std::lround(std::sqrt(std::min(1.0, rate / most)) * (size.height() - 2)));
            for (int y = size.height() - high; y < size.height(); ++y)
                reinterpret_cast<QRgb*>(overviewImage_.scanLine(y))[x] = color;
        };
        bar(c.peak, peak);
        bar(c.mean, mean);
        bar(c.flushes, flushes);
    }
}

void TimelineView::paintOverview(QPainter& painter, const Places& p) {
    const Theme& t = Theme::current();
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawLine(painter, QRect(p.labels.left(), p.overview.top(), p.labels.width(), p.overview.height()),
             FontRole::monoSmall, t.dim, tr("run"));
    const double dpr = devicePixelRatioF();
    makeOverview(
        QSize(static_cast<int>(p.overview.width() * dpr), static_cast<int>(p.overview.height() * dpr)));
    painter.drawImage(QRectF(p.overview), overviewImage_);
    const auto [begin, end] = runRange();
    const int width = p.overview.width();
    const double scale = width / (end - begin);
    const double x0 = std::clamp((map_.begin - begin) * scale, 0.0, double(width)),
                 x1 = std::clamp((map_.end - begin) * scale, 0.0, double(width));
    QRectF window(p.overview.left() + x0, p.overview.top() + 0.5, std::max(3.0, x1 - x0),
                  p.overview.height() - 1);
    painter.setPen(QPen(t.text, 1));
    QColor glass = t.text;
    glass.setAlphaF(0.16f);
    painter.setBrush(glass);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(window, t.px(2), t.px(2));
    const double now =
        p.overview.left() + std::clamp((double(snapshot_->now) - begin) * scale, 0.0, double(width - 1));
    painter.fillRect(QRectF(now, p.overview.top(), 1.5, p.overview.height()), t.text);
}

QRectF TimelineView::cursorPill(const Places& p) const {
    const Theme& t = Theme::current();
    const double x = p.lanes.left() + mapOf(p).x(double(snapshot_->now));
    if (x < p.lanes.left() - 1 || x > p.lanes.right() + 1) return {};
    const int width = textWidth(FontRole::monoSmall, clockText(snapshot_->now, ticksPerSecond())) + t.px(14);
    const double left = std::clamp(x - width / 2.0, double(p.lanes.left() - t.px(8)),
                                   double(p.lanes.right() - width + t.px(8)));
    return {left, double(p.axis.top() - t.px(2)), double(width),
            double(lineHeight(FontRole::monoSmall) + t.px(2))};
}

void TimelineView::paintCursor(QPainter& painter, const Places& p) {
    const Theme& t = Theme::current();
    const QRectF pill = cursorPill(p);
    if (pill.isEmpty()) return;
    const double x = p.lanes.left() + mapOf(p).x(double(snapshot_->now));
    const int need = std::min(p.lanes.height(), cpus() * (p.laneHeight + p.laneGap));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(x - 0.75, pill.bottom(), 1.5, p.lanes.top() + need - pill.bottom()), t.text);
    painter.setPen(QPen(t.panel, 2));
    painter.setBrush(t.text);
    painter.drawRoundedRect(pill, t.px(4), t.px(4));
    painter.setFont(t.font(FontRole::monoSmall));
    painter.setPen(t.panel);
    painter.drawText(pill, Qt::AlignCenter, clockText(snapshot_->now, ticksPerSecond()));
}

} // namespace tlbscope
