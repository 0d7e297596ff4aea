#include "views/panels/cycles_panel.h"

#include "views/format/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace tlbscope {

namespace {

Qt::BrushStyle hatchOf(Bucket bucket) {
    switch (bucket) {
    case Bucket::cache_miss:
        return Qt::Dense6Pattern;
    case Bucket::wait_acks:
        return Qt::BDiagPattern;
    case Bucket::page_walk:
        return Qt::Dense6Pattern;
    case Bucket::switch_mm:
        return Qt::FDiagPattern;
    case Bucket::fault:
        return Qt::HorPattern;
    default:
        return Qt::NoBrush;
    }
}

QString shortName(Bucket bucket) {
    switch (bucket) {
    case Bucket::cache_miss:
        return QStringLiteral("cache misses");
    case Bucket::fault:
        return QStringLiteral("faults");
    case Bucket::syscall:
        return QStringLiteral("syscalls");
    case Bucket::local_flush:
        return QStringLiteral("flushing");
    case Bucket::wait_acks:
        return QStringLiteral("waiting");
    case Bucket::ipi_service:
        return QStringLiteral("IPI service");
    case Bucket::interrupt:
        return QStringLiteral("interrupts");
    case Bucket::switch_mm:
        return QStringLiteral("switches");
    default:
        return QLatin1String(to_string(bucket));
    }
}

} // namespace

std::vector<BarPart> bucketParts(const BucketCycles& buckets, const Theme& theme) {
    double total = 0;
    for (const Cycles c : buckets)
        total += double(std::max<Cycles>(0, c));
    std::vector<BarPart> parts;
    for (std::size_t b = 0; b < kBuckets; ++b) {
        const Bucket bucket = static_cast<Bucket>(b);
        if (buckets[b] <= 0) continue;
        const QColor color =
            bucket == Bucket::idle ? mix(theme.panel, theme.hue.grey, 0.45) : theme.bucket(bucket);
        parts.push_back({QLatin1String(to_string(bucket)), percentText(double(buckets[b]) / total),
                         double(buckets[b]), color, hatchOf(bucket)});
    }
    return parts;
}

CyclesPanel::CyclesPanel(QWidget* parent) : Panel(tr("Where the cycles go"), parent) {}

QSize CyclesPanel::sizeHint() const {
    const Theme& t = Theme::current();
    return {t.px(320), t.px(20) + titleHeight() + t.px(28) + legendHeight(kBuckets, 2)};
}

QSize CyclesPanel::minimumSizeHint() const {
    return {Theme::current().px(200), Theme::current().px(90)};
}

void CyclesPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    snapshot_ = std::move(snapshot);
    if (!isVisible()) return;
    if (snapshot_ && snapshot_->window_cycles > 0)
        setContext(tr("all CPUs, last ") + durationText(double(snapshot_->window_cycles),
                                                        snapshot_->machine ? snapshot_->machine->hz : 0));
    else
        setContext({});
    update();
}

void CyclesPanel::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    auto parts = snapshot_ ? bucketParts(snapshot_->buckets_window, t) : std::vector<BarPart>();
    const QRect bar(box.left(), box.top(), box.width(), t.px(18));
    paintStackedBar(painter, bar, parts);
    const QRect rest(box.left(), bar.bottom() + t.px(9), box.width(), box.bottom() - bar.bottom() - t.px(8));
    if (parts.empty()) {
        const bool recorded = snapshot_ && snapshot_->machine && snapshot_->machine->recorded;
        drawLine(painter, QRect(rest.left(), rest.top(), rest.width(), lineHeight(FontRole::small)),
                 FontRole::small, t.dim,
                 recorded ? tr("A recording does not say where the cycles went.")
                          : tr("Nothing has run yet."));
        return;
    }
    // As many columns as fit with full names; where that leaves rows out, short names make room for two.
    int widest = 0;
    for (const BarPart& part : parts)
        widest = std::max(widest, textWidth(FontRole::small, part.name));
    const int need = widest + textWidth(FontRole::monoSmall, QStringLiteral("< 0.1 %")) + t.px(24);
    int columns = std::clamp((rest.width() + t.px(18)) / (need + t.px(18)), 1, 4);
    if (legendHeight(parts.size(), columns) > rest.height() + 2 && columns < 2) {
        columns = 2;
        std::size_t i = 0;
        for (std::size_t b = 0; b < kBuckets; ++b)
            if (snapshot_->buckets_window[b] > 0) parts[i++].name = shortName(static_cast<Bucket>(b));
    }
    paintLegend(painter, rest, parts, columns);
}

bool CyclesPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && snapshot_) {
        QStringList lines;
        for (std::size_t b = 0; b < kBuckets; ++b)
            if (snapshot_->buckets_window[b] > 0)
                lines << QLatin1String(to_string(static_cast<Bucket>(b))) + QStringLiteral(": ") +
                             cyclesText(snapshot_->buckets_window[b]);
        if (!lines.isEmpty())
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), lines.join(u'\n'), this);
        return true;
    }
    return Panel::event(event);
}

} // namespace tlbscope
