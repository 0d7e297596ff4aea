#include "views/panels/delta_rows.h"

#include "views/format/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

QString say(const char* text) {
    return QCoreApplication::translate("DeltaStrip", text);
}

QString signedText(double difference, const QString& size) {
    return difference == 0 ? QStringLiteral("=")
                           : (difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) + size;
}

double seconds(const DeltaSides& sides, std::size_t side, Cycles cycles) {
    return sides.hz[side] > 0 ? double(cycles) / sides.hz[side] : 0;
}

DeltaRow countRow(DeltaRow::Kind kind, const char* name, const std::array<std::uint64_t, 2>& count) {
    DeltaRow row;
    row.kind = kind;
    row.name = say(name);
    row.left = grouped(count[0]);
    row.right = grouped(count[1]);
    const double difference = double(count[1]) - double(count[0]);
    row.difference =
        signedText(difference, grouped(count[1] > count[0] ? count[1] - count[0] : count[0] - count[1]));
    row.bar = difference / std::max(1.0, double(std::max(count[0], count[1])));
    row.zero = count[0] == 0 && count[1] == 0;
    return row;
}

DeltaRow timeRow(DeltaRow::Kind kind, const QString& name, double left, double right) {
    DeltaRow row;
    row.kind = kind;
    row.name = name;
    row.left = durationText(left, 1);
    row.right = durationText(right, 1);
    row.difference = signedText(right - left, durationText(std::abs(right - left), 1));
    row.bar = (right - left) / std::max(1e-15, std::max(left, right));
    row.zero = left == 0 && right == 0;
    return row;
}

} // namespace

DeltaSides deltaSides(const DuelSnapshot& s) {
    DeltaSides out;
    out.lap = s.lockstep == Lockstep::work && s.lap.has_value();
    for (std::size_t i = 0; i < 2; ++i) {
        const DuelSide& side = s.sides[i];
        if (side.snapshot && side.snapshot->machine) out.hz[i] = side.snapshot->machine->hz;
        if (out.lap) {
            out.work[i] = s.lap->work;
            out.ticks[i] = s.lap->ticks[i];
            out.cr3_loads[i] = s.lap->cr3_loads[i];
            out.walks[i] = s.lap->walks[i];
            out.time[i] = s.lap->time[i];
            out.shares[i] = s.lap->shares[i];
        } else {
            out.work[i] = side.work;
            out.ticks[i] = side.ticks;
            out.cr3_loads[i] = side.cr3_loads;
            out.walks[i] = side.walks;
            out.time[i] = side.time;
            out.shares[i] = side.shares;
        }
    }
    return out;
}

std::vector<DeltaRow> deltaRows(const DuelSnapshot& snapshot) {
    const DeltaSides s = deltaSides(snapshot);
    std::vector<DeltaRow> rows;
    rows.push_back(countRow(DeltaRow::Kind::work, "work done", s.work));
    rows.push_back(
        timeRow(DeltaRow::Kind::time, say("time"), seconds(s, 0, s.time[0]), seconds(s, 1, s.time[1])));
    rows.push_back(countRow(DeltaRow::Kind::ticks, "timer ticks", s.ticks));
    rows.push_back(countRow(DeltaRow::Kind::cr3_loads, "CR3 loads", s.cr3_loads));
    rows.push_back(countRow(DeltaRow::Kind::walks, "TLB refills (walks)", s.walks));
    const std::size_t first = rows.size();
    double largest = 0;
    std::array<double, kCurveShares> differences{};
    for (std::size_t i = 0; i < kCurveShares; ++i) {
        const double left = seconds(s, 0, s.shares[0][i]), right = seconds(s, 1, s.shares[1][i]);
        DeltaRow row = timeRow(DeltaRow::Kind::owner,
                               QString::fromUtf8(to_string(static_cast<CurveShare>(i))), left, right);
        row.owner = static_cast<CurveShare>(i);
        differences[i] = right - left;
        largest = std::max(largest, std::abs(differences[i]));
        rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < kCurveShares; ++i)
        rows[first + i].bar = largest > 0 ? differences[i] / largest : 0;
    return rows;
}

double deltaLead(const DuelSnapshot& snapshot) {
    const DeltaSides s = deltaSides(snapshot);
    if (snapshot.lockstep == Lockstep::time)
        return s.work[0] > 0 ? double(s.work[1]) / double(s.work[0]) - 1 : std::nan("");
    const double left = seconds(s, 0, s.time[0]), right = seconds(s, 1, s.time[1]);
    return left > 0 && right > 0 && s.work[0] > 0 && s.work[1] > 0
               ? (double(s.work[1]) / right) / (double(s.work[0]) / left) - 1
               : std::nan("");
}

QString deltaSentence(const DuelSnapshot& snapshot, const QString& leftName, const QString& rightName,
                      const QString& workUnit) {
    const double lead = deltaLead(snapshot);
    if (!std::isfinite(lead)) return say("Nothing to compare yet.");
    const DeltaSides s = deltaSides(snapshot);
    if (lead == 0) return say("%1 and %2 are level").arg(leftName, rightName);
    const QString share = unbroken(signedPercentText(std::abs(lead)).remove(u'+'));
    const QString head =
        rightName + QStringLiteral(" is ") + share + (lead < 0 ? say(" behind: ") : say(" ahead: "));
    if (snapshot.lockstep == Lockstep::time) {
        const std::uint64_t difference =
            s.work[1] > s.work[0] ? s.work[1] - s.work[0] : s.work[0] - s.work[1];
        return head + grouped(difference) + say(" of ") + grouped(s.work[0]) + QChar(QChar::Nbsp) + workUnit;
    }
    const double left = seconds(s, 0, s.time[0]), right = seconds(s, 1, s.time[1]);
    return head + unbroken(durationText(std::abs(right - left), 1)) + say(" in ") +
           unbroken(durationText(left, 1));
}

} // namespace tlbscope
