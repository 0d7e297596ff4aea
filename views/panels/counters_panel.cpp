#include "views/panels/counters_panel.h"

#include "views/format/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace tlbscope {

CountersPanel::CountersPanel(QWidget* parent) : Panel(tr("Counters"), parent) {}

std::vector<CountersPanel::Row> CountersPanel::rows(const Snapshot& s) {
    const CounterView& c = s.counters;
    std::vector<Row> rows = {
        {"nr_tlb_remote_flush", grouped(c.nr_tlb_remote_flush),
         tr("Shootdowns that were sent to other CPUs")},
        {"nr_tlb_remote_flush_received", grouped(c.nr_tlb_remote_flush_received),
         tr("Flushes that CPUs made because another CPU asked")},
        {"nr_tlb_local_flush_all", grouped(c.nr_tlb_local_flush_all), tr("Full flushes of a CPU's own TLB")},
        {"nr_tlb_local_flush_one", grouped(c.nr_tlb_local_flush_one),
         tr("Single pages flushed from a CPU's own TLB by invlpg")},
    };
    if (s.machine && s.machine->recorded) return rows;
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return whole ? double(part) / double(whole) : std::nan("");
    };
    const double misses = share(c.l1_misses, c.tlb_accesses);
    rows.push_back({tr("L1 TLB miss rate"),
                    std::isfinite(misses) ? QString::number(misses * 100, 'f', 2) + QStringLiteral(" %")
                                          : QStringLiteral("–"),
                    grouped(c.l1_misses) + tr(" misses in ") + grouped(c.tlb_accesses) + tr(" accesses")});
    const double walks = share(c.stlb_misses, c.tlb_accesses);
    rows.push_back({tr("page walks"), grouped(c.stlb_misses),
                    tr("Accesses that missed every TLB level: ") + percentText(walks)});
    rows.push_back({tr("page faults"), grouped(c.page_faults), tr("Faults served by the kernel")});
    rows.push_back({tr("context switches"), grouped(c.context_switches), tr("Switches between tasks")});
    rows.push_back({tr("IPIs sent"), grouped(c.ipis_sent), tr("Inter-processor interrupts, all kinds")});
    rows.push_back(
        {tr("stale uses"), grouped(c.stale_uses),
         tr("Hits on a translation whose flush had been reported complete; more than 0 is a violation"),
         c.stale_uses > 0});
    return rows;
}

int CountersPanel::rowHeight() const {
    return lineHeight(FontRole::mono) + Theme::current().px(5);
}

QSize CountersPanel::sizeHint() const {
    const Theme& t = Theme::current();
    return {textWidth(FontRole::monoSmall, QStringLiteral("nr_tlb_remote_flush_received  9 999 999")) +
                t.px(28),
            t.px(20) + titleHeight() + 10 * rowHeight()};
}

QSize CountersPanel::minimumSizeHint() const {
    return {Theme::current().px(180), Theme::current().px(80)};
}

void CountersPanel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    snapshot_ = std::move(snapshot);
    refresh();
}

void CountersPanel::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    if (!snapshot_) {
        drawLine(painter, QRect(box.left(), box.top(), box.width(), rowHeight()), FontRole::small, t.dim,
                 tr("Nothing has run yet."));
        return;
    }
    int y = box.top();
    for (const Row& row : rows(*snapshot_)) {
        const QRect line(box.left(), y, box.width(), rowHeight());
        y += rowHeight();
        if (line.bottom() > box.bottom() + 1) break;
        if (row.alarm) { // colour and sign
            painter.fillRect(line.adjusted(-t.px(6), 0, t.px(6), 0), mix(t.panel, t.hue.vermillion, 0.25));
            painter.fillRect(QRect(line.left() - t.px(6), line.top(), t.px(3), line.height()),
                             t.hue.vermillion);
        }
        const int value = textWidth(FontRole::monoStrong, row.value);
        QString name = row.name;
        const int space = line.width() - value - t.px(10);
        // The kernel's long names: the beginning can go, their ends tell them apart.
        if (textWidth(FontRole::monoSmall, name) > space && name.startsWith(QLatin1String("nr_tlb_")))
            name = QStringLiteral("…") + name.mid(7);
        drawLine(painter, QRect(line.left(), line.top(), space, line.height()), FontRole::monoSmall, t.dim,
                 name);
        drawLine(painter, line, FontRole::monoStrong, t.text,
                 (row.alarm ? QStringLiteral("⚠ ") : QString()) + row.value, Qt::AlignRight);
    }
}

bool CountersPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && snapshot_) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int row = (help->pos().y() - contentRect().top()) / std::max(1, rowHeight());
        const auto all = rows(*snapshot_);
        if (help->pos().y() >= contentRect().top() && row < static_cast<int>(all.size()))
            QToolTip::showText(help->globalPos(),
                               all[static_cast<std::size_t>(row)].name + u'\n' +
                                   all[static_cast<std::size_t>(row)].meaning,
                               this);
        else
            QToolTip::hideText();
        return true;
    }
    return Panel::event(event);
}

} // namespace tlbscope
