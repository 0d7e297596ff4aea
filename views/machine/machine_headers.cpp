// The parts of MachineCanvas that write what a CPU is doing.
#include "views/format/format.h"
#include "views/machine/machine_canvas.h"
#include "views/machine/state_glyph.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tlbscope {

QColor MachineCanvas::headerColor(CpuState state) const {
    switch (state) {
    case CpuState::waiting:
    case CpuState::flushing:
    case CpuState::servicing:
    case CpuState::blocked:
        return mix(theme_.card, theme_.state(state), theme_.kind == ThemeKind::light ? 0.14 : 0.17);
    default:
        return theme_.card;
    }
}

void MachineCanvas::paintGlyph(QPainter& painter, QPointF at, int size, CpuState state, const QColor& hole) {
    const quint64 key = static_cast<quint64>(hole.rgb()) << 16 | static_cast<quint64>(size & 0xff) << 8 |
                        static_cast<quint64>(state);
    auto known = glyphs_.find(key);
    if (known == glyphs_.end()) {
        QImage image(QSize(size, size) * dpr_, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(dpr_);
        image.fill(Qt::transparent);
        QPainter glyph(&image);
        paintStateGlyph(glyph, QRectF(0.5, 0.5, size - 1, size - 1), state, theme_, hole);
        glyph.end();
        known = glyphs_.insert(key, image);
    }
    painter.drawImage(at, *known);
}

void MachineCanvas::paintHeader(QPainter& painter, const Snapshot& s, const MachineLayout& layout, CpuId cpu,
                                const CpuLook& look, const CpuLook* before) {
    const int core = s.machine->topology.core_of(cpu);
    const SiblingPlace& place =
        layout.card().siblings[static_cast<std::size_t>(s.machine->topology.sibling_of(cpu))];
    const QPoint origin = layout.cardOrigin(core);
    const QRect header = place.header.translated(origin);
    if (layout.detail() == Detail::gauge) return paintGauge(painter, s, header, cpu, look);
    const QColor back = headerColor(look.state);
    const bool full = layout.detail() == Detail::full, tile = layout.detail() == Detail::tile;
    // A tile on the same ground keeps its number: only the glyph is new.
    const bool glyphOnly =
        tile && before && before->pending == look.pending && headerColor(before->state) == back;
    if (!glyphOnly) painter.fillRect(header, back);
    if (look.state == CpuState::waiting && full) // hatched: it stands still
        painter.fillRect(header, QBrush(mix(back, theme_.state(look.state), 0.14), Qt::BDiagPattern));
    const int line = full ? header.height() / 2 : header.height();
    const int inset = theme_.px(tile ? 1 : 4);
    QRect first(header.left() + inset, header.top(), header.width() - 2 * inset, full ? line + 1 : line);
    const int glyph = tile ? std::max(6, line * 5 / 8) : theme_.px(10);
    const QPoint glyphAt(first.left(), first.top() + (first.height() - glyph) / 2);
    if (glyphOnly) painter.fillRect(QRect(glyphAt, QSize(glyph, glyph)), back);
    paintGlyph(painter, glyphAt, glyph, look.state, back);
    if (glyphOnly) return;
    first.setLeft(first.left() + glyph + theme_.px(tile ? 2 : 5));
    const FontRole nameRole = tile ? FontRole::caption : full ? FontRole::strong : FontRole::small;
    painter.setFont(theme_.font(nameRole));
    painter.setPen(theme_.text);
    if (tile) {
        const QString number = QString::number(cpu);
        painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, number);
        if (look.pending) // a bar: stopped at the door
            painter.fillRect(
                QRect(first.left() + QFontMetrics(theme_.font(nameRole)).horizontalAdvance(number) + 3,
                      first.top() + first.height() / 4, 3, first.height() / 2),
                theme_.hue.vermillion);
        return;
    }
    const QString name = QStringLiteral("CPU %1").arg(cpu);
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, name);
    const QFontMetricsF nameMetrics(theme_.font(nameRole)), small(theme_.font(FontRole::small));
    first.setLeft(first.left() + static_cast<int>(nameMetrics.horizontalAdvance(name)) + theme_.px(7));
    painter.setFont(theme_.font(FontRole::small));
    const bool calm = back == theme_.card;
    painter.setPen(calm ? theme_.dim : readable(theme_.state(look.state), back));
    const QStringList& d = look.status.details;
    if (full) {
        painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                         small.elidedText(look.status.word, Qt::ElideRight, first.width()));
        const QRect second(header.left() + inset, header.top() + line, header.width() - 2 * inset,
                           header.height() - line);
        const QString detail = look.status.detail(small, second.width());
        painter.setPen(look.pending ? readable(theme_.hue.vermillion, back)
                       : calm       ? theme_.faint
                                    : theme_.text);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter, detail);
    } else { // one line: the word, or the number where that says more
        const QString shortWord = QLatin1String(shortStateWord(look.state));
        QStringList texts;
        if (look.pending)
            texts << QStringLiteral("IPI pending") << QStringLiteral("pending");
        else if (!calm && !d.isEmpty())
            texts << shortWord + u' ' + d.back();
        texts << look.status.word << shortWord << (d.isEmpty() || calm ? QString() : d.back());
        for (const QString& text : texts)
            if (!text.isEmpty() && small.horizontalAdvance(text) <= first.width()) {
                if (look.pending && text.endsWith(QStringLiteral("pending")))
                    painter.setPen(readable(theme_.hue.vermillion, back));
                painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, text);
                break;
            }
    }
    if (place.progress.isValid())
        paintProgress(painter, place.progress.translated(origin), look, theme_.state(look.state));
}

void MachineCanvas::paintProgress(QPainter& painter, const QRect& bar, const CpuLook& look,
                                  const QColor& color) {
    painter.fillRect(bar, theme_.card);
    const int acks = look.status.acksNeeded;
    if (acks > 0 && bar.width() / acks >= 4) { // one piece for each acknowledgement
        const double step = (bar.width() + 2.0) / acks;
        for (int i = 0; i < acks; ++i) {
            const QRectF piece(bar.left() + i * step, bar.top(), step - 2, bar.height());
            painter.fillRect(piece, i < look.status.acks ? theme_.hue.green : mix(theme_.card, color, 0.4));
        }
        return;
    }
    const double share = acks > 0 ? double(look.status.acks) / acks : look.status.progress;
    if (share < 0) return;
    painter.fillRect(bar, mix(theme_.card, color, 0.25));
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()),
                     acks > 0 ? theme_.hue.green : color);
}

void MachineCanvas::paintGauge(QPainter& painter, const Snapshot& s, const QRect& box, CpuId cpu,
                               const CpuLook& look) {
    const QColor color = theme_.state(look.state);
    const bool idle =
        look.state == CpuState::idle || look.state == CpuState::lazy || look.state == CpuState::unknown;
    const QColor back = mix(theme_.card, color, idle ? 0.06 : theme_.kind == ThemeKind::light ? 0.16 : 0.22);
    painter.fillRect(box, back);
    const int entries = capacity(*s.machine, cpu);
    const int barHeight = std::max(2, box.height() / 9);
    if (entries > 0) {
        const QRect bar(box.left(), box.bottom() + 1 - barHeight, box.width(), barHeight);
        painter.fillRect(bar, theme_.emptyCell);
        painter.fillRect(
            QRect(
                bar.topLeft(),
                QSize(static_cast<int>(std::lround(bar.width() * double(look.valid) / entries)), barHeight)),
            idle ? theme_.hue.grey : theme_.hue.sky);
    }
    const int glyph = std::clamp(box.height() * 2 / 5, 6, theme_.px(10));
    const QRect line(box.left() + 2, box.top(), box.width() - 3,
                     box.height() - (entries > 0 ? barHeight : 0));
    paintGlyph(painter, QPointF(line.left(), line.top() + (line.height() - glyph) / 2), glyph, look.state,
               back);
    if (look.pending)
        painter.fillRect(QRect(box.right() - 2, box.top(), 3, box.height()), theme_.hue.vermillion);
    const QFontMetrics metrics(theme_.font(FontRole::caption));
    const QString number = QString::number(cpu);
    const QRect text = line.adjusted(glyph + 2, 0, look.pending ? -3 : 0, 0);
    if (metrics.horizontalAdvance(number) > text.width()) return;
    painter.setFont(theme_.font(FontRole::caption));
    painter.setPen(idle ? theme_.dim : theme_.text);
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, number);
}

void MachineCanvas::paintSocketHeader(QPainter& painter, const Snapshot& s, const MachineLayout& layout,
                                      int index) {
    const SocketPlace& socket = layout.sockets()[static_cast<std::size_t>(index)];
    const MachineDescription& m = *s.machine;
    const Topology& t = m.topology;
    const QRect box = socket.header.adjusted(theme_.px(12), 1, -theme_.px(12), socket.folded ? -1 : 0);
    painter.fillRect(box, theme_.panel);
    // The triangle that folds.
    const double side = theme_.px(8);
    const QPointF middle(box.left() + side / 2, box.center().y() + 0.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.faint);
    painter.drawPolygon(
        socket.folded ? QPolygonF{middle + QPointF(-side * 0.3, -side / 2), middle + QPointF(side * 0.45, 0),
                                  middle + QPointF(-side * 0.3, side / 2)}
                      : QPolygonF{middle + QPointF(-side / 2, -side * 0.3),
                                  middle + QPointF(side / 2, -side * 0.3), middle + QPointF(0, side * 0.45)});
    painter.restore();
    QRect text = box.adjusted(theme_.px(16), 0, 0, 0);
    const QString name =
        m.recorded && t.sockets == 1 ? QStringLiteral("Machine") : QStringLiteral("Socket %1").arg(index);
    painter.setFont(theme_.font(FontRole::title));
    painter.setPen(theme_.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, name);
    text.setLeft(text.left() +
                 static_cast<int>(QFontMetricsF(theme_.font(FontRole::title)).horizontalAdvance(name)) +
                 theme_.px(10));
    QStringList parts;
    if (!m.processor.empty() && (index == 0 || t.sockets <= 2)) parts << QString::fromStdString(m.processor);
    const int cpus = t.cores_per_socket * t.threads_per_core;
    if (!m.recorded)
        parts << QStringLiteral("%1 %2")
                     .arg(t.cores_per_socket)
                     .arg(t.cores_per_socket == 1 ? "core" : "cores");
    parts << QStringLiteral("%1 %2").arg(cpus).arg(cpus == 1 ? "CPU" : "CPUs");
    if (socket.folded) {
        std::array<int, 12> count{};
        for (int core = index * t.cores_per_socket; core < (index + 1) * t.cores_per_socket; ++core)
            for (int i = 0; i < t.threads_per_core; ++i)
                ++count[static_cast<std::size_t>(s.cpus[t.cpu_of(core, i)].state)];
        for (std::size_t i = 0; i < count.size(); ++i)
            if (count[i])
                parts << QStringLiteral("%1 %2").arg(count[i]).arg(
                    QLatin1String(stateWord(static_cast<CpuState>(i))));
    }
    painter.setFont(theme_.font(FontRole::small));
    painter.setPen(theme_.dim);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(theme_.font(FontRole::small))
                         .elidedText(parts.join(QStringLiteral(" · ")), Qt::ElideRight, text.width()));
}

void MachineCanvas::paintRecorded(QPainter& painter, const Snapshot& s, const MachineLayout& layout,
                                  CpuId cpu) {
    if (!activity_ || cpu >= activity_->cpus.size()) return;
    const CpuActivity& a = activity_->cpus[cpu];
    const QPoint origin = layout.cardOrigin(s.machine->topology.core_of(cpu));
    const SiblingPlace& place =
        layout.card().siblings[static_cast<std::size_t>(s.machine->topology.sibling_of(cpu))];
    const bool full = layout.detail() == Detail::full;
    const int top = place.progress.translated(origin).bottom() + 1,
              left = place.header.translated(origin).left();
    const int width = place.header.width(),
              bottom = place.area.translated(origin).bottom() - theme_.px(full ? 4 : 2);
    painter.fillRect(QRect(left, top, width, bottom - top + 1), theme_.card);

    // Mini history: this CPU's spans over the stretch, newest at the right.
    const int line = QFontMetrics(theme_.font(FontRole::small)).height() + theme_.px(1);
    const int above =
        full ? theme_.px(4) + 3 * line + theme_.px(6) + QFontMetrics(theme_.font(FontRole::caption)).height()
             : 1;
    const QRect strip(left, top + above, width, std::max(3, bottom - top - above));
    painter.fillRect(strip, theme_.inset);
    if (cpu >= activity_->lanes.size() || activity_->lanes[cpu].spans.empty()) {
        painter.setFont(theme_.font(FontRole::caption));
        painter.setPen(theme_.faint);
        if (full) painter.drawText(strip, Qt::AlignCenter, QStringLiteral("no events"));
    } else {
        const double scale = strip.width() / double(activity_->end - activity_->begin);
        for (const Span& span : activity_->lanes[cpu].spans) {
            const double x0 = std::max(0.0, double(span.begin - activity_->begin) * scale);
            const double x1 = std::min<double>(strip.width(), double(span.end - activity_->begin) * scale);
            if (x1 <= x0) continue;
            const int from = std::min(static_cast<int>(x0), strip.width() - 1);
            const int to = std::clamp(static_cast<int>(std::lround(x1)), from + 1, strip.width());
            painter.fillRect(QRect(strip.left() + from, strip.top(), to - from, strip.height()),
                             theme_.spanFill(span.kind));
        }
    }
    if (!full) return;
    painter.setFont(theme_.font(FontRole::small));
    const auto write = [&](int row, const QString& what, const QString& value) {
        const QRect box(left + theme_.px(4), top + theme_.px(4) + row * line, width - theme_.px(4), line);
        painter.setPen(theme_.faint);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, what);
        painter.setPen(theme_.text);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, value);
    };
    QString last = QStringLiteral("none seen");
    if (a.lastFlush != ~std::uint64_t{0}) {
        const Event& e = s.log[a.lastFlush];
        last = (e.arg < 0 ? QStringLiteral("full") : pagesText(e.arg)) + QStringLiteral(", ") +
               durationText(double(activity_->end - e.time), s.log.ticks_per_second()) +
               QStringLiteral(" ago");
    }
    write(0, QStringLiteral("Last flush"), last);
    write(1, QStringLiteral("Flushes"),
          grouped(std::int64_t{a.flushes}) + QStringLiteral(", of these full ") +
              grouped(std::int64_t{a.fullFlushes}));
    write(2, QStringLiteral("IPIs"),
          grouped(std::int64_t{a.sent}) + QStringLiteral(" sent, ") + grouped(std::int64_t{a.received}) +
              QStringLiteral(" received"));
    painter.setFont(theme_.font(FontRole::caption));
    painter.setPen(theme_.faint);
    const QRect caption(left + theme_.px(4),
                        strip.top() - QFontMetrics(theme_.font(FontRole::caption)).height() - theme_.px(2),
                        width - theme_.px(4), QFontMetrics(theme_.font(FontRole::caption)).height());
    painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("last ") +
                         durationText(double(activity_->end - activity_->begin), s.log.ticks_per_second()));
    painter.drawText(caption, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("now"));
}

} // namespace tlbscope
