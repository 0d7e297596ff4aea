// What the attribution panel says: pure functions of the band.
#include "views/format/format.h"
#include "views/panels/attribution_panel.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

// 0.0931 -> "9.3", 0.0042 -> "0.42".
QString points(double share) {
    const double percent = std::abs(share) * 100;
    return QString::number(percent, 'f', percent < 0.995 ? 2 : 1);
}

QString perWorkText(double cycles) {
    return (cycles > 0 ? QStringLiteral("+") : QString()) +
           groupedDecimals(cycles, std::abs(cycles) < 9.95 && cycles != 0 ? 1 : 0);
}

AttributionPart partOf(std::size_t index) {
    return static_cast<AttributionPart>(index);
}

} // namespace

std::size_t AttributionPanel::example(const AttributionBand& band) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < band.seeds.size(); ++i)
        if (std::abs(band.seeds[i].loss() - band.loss.median) <
            std::abs(band.seeds[best].loss() - band.loss.median))
            best = i;
    return best;
}

QString AttributionPanel::sentence(const AttributionBand& band, const QString& a, const QString& b) {
    if (band.seeds.empty()) return {};
    const Attribution& one = band.seeds[example(band)];
    const double loss = one.loss();
    const QString place = tr(" at ") + workingSetText(band.working_set);
    if (one.cycles_a == one.cycles_b) return tr("%1 is as fast as %2").arg(b, a) + place;
    QString text = b + QStringLiteral(" is ") + points(loss) +
                   (loss > 0 ? tr(" % slower than ") : tr(" % faster than ")) + a + place;
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < kAttributionParts; ++p)
        if (one.parts[p] != 0) order.push_back(p);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
        return std::abs(one.parts[x]) > std::abs(one.parts[y]);
    });
    // The two largest by name, what is left in one.
    double rest = loss;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, order.size()); ++i) {
        const double part = one.loss(partOf(order[i]));
        rest -= part;
        text += (i == 0 ? QStringLiteral(": ") : QStringLiteral(", ")) +
                (part < 0 ? QStringLiteral("−") : QString()) + points(part) +
                (i == 0 ? tr(" points are ") : QStringLiteral(" ")) +
                QString::fromUtf8(to_string(partOf(order[i])));
    }
    if (order.size() > 2)
        text += QStringLiteral(", ") +
                (rest < 0 && points(rest).toDouble() > 0 ? QStringLiteral("−") : QString()) + points(rest) +
                tr(" all the rest");
    return text;
}

QString AttributionPanel::sumLine(const AttributionBand& band) {
    if (band.seeds.empty()) return {};
    std::size_t wrong = 0;
    Cycles off = 0;
    for (const Attribution& seed : band.seeds) {
        Cycles sum = 0;
        for (const Cycles part : seed.parts)
            sum += part;
        const Cycles difference = seed.cycles_b - seed.cycles_a - sum;
        if (difference != 0) ++wrong, off = difference;
    }
    if (wrong > 0)
        return tr("⚠ In %1 of %2 placements the parts miss the difference, by up to %3.")
            .arg(grouped(std::uint64_t{wrong}), grouped(std::uint64_t{band.seeds.size()}), cyclesText(off));
    const Attribution& one = band.seeds[example(band)];
    return tr("Exact: ") + grouped(one.cycles_b) + QStringLiteral(" − ") + grouped(one.cycles_a) +
           QStringLiteral(" = ") + cyclesText(one.cycles_b - one.cycles_a) + tr(" = the sum of the parts, ") +
           (band.seeds.size() == 1 ? tr("in the one placement")
                                   : tr("in each of %1 placements").arg(band.seeds.size()));
}

std::vector<AttributionPanel::Row> AttributionPanel::rows(const AttributionBand& band, double hz) {
    std::vector<Row> out;
    if (band.seeds.empty()) return out;
    const Attribution& one = band.seeds[example(band)];
    const auto fill = [&](Row& row, Cycles cycles, double loss) {
        row.share = signedPercentText(loss); // more time is more
        const double work = one.work ? double(cycles) * 1000 / double(one.work) : 0;
        row.perWork = perWorkText(work);
        if (hz > 0 && one.ticks_b > 0) {
            const double us = double(cycles) / hz * 1e6 / double(one.ticks_b);
            row.perTick =
                (us > 0 ? QStringLiteral("+") : QString()) + groupedDecimals(us, us == 0               ? 0
                                                                                 : std::abs(us) < 9.95 ? 2
                                                                                                       : 1);
        }
    };
    Row whole{.name = tr("all"), .to = one.loss(), .low = band.loss.low, .high = band.loss.high};
    fill(whole, one.cycles_b - one.cycles_a, one.loss());
    out.push_back(std::move(whole));
    double at = 0;
    for (std::size_t p = 0; p < kAttributionParts; ++p) {
        const double loss = one.loss(partOf(p));
        Row row{
            .part = partOf(p), .name = QString::fromUtf8(to_string(partOf(p))), .from = at, .to = at + loss};
        row.low = at + band.parts[p].low;
        row.high = at + band.parts[p].high;
        row.zero = std::all_of(band.seeds.begin(), band.seeds.end(),
                               [p](const Attribution& seed) { return seed.parts[p] == 0; });
        fill(row, one.parts[p], loss);
        at += loss;
        out.push_back(std::move(row));
    }
    return out;
}

} // namespace tlbscope
