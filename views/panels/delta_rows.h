// What two machines side by side differ in: pure functions of a snapshot of both.
#pragma once

#include "engine/session/duel.h"

#include <QString>

#include <vector>

namespace tlbscope {

struct DeltaRow {
    enum class Kind { work, time, ticks, cr3_loads, walks, owner };
    Kind kind = Kind::owner;
    CurveShare owner = CurveShare::count_;
    QString name, left, right, difference; // with their units
    double bar = 0;                        // −1 … 1: less on the right, more on the right
    bool zero = false;                     // nothing on either side
};

// The newest end of a lap that both have reached where the lockstep is by work, since it is the same work to
// the last access; else both machines as they stand.
struct DeltaSides {
    std::array<std::uint64_t, 2> work{}, ticks{}, cr3_loads{}, walks{};
    std::array<Cycles, 2> time{};
    std::array<CurveShares, 2> shares{};
    std::array<double, 2> hz{};
    bool lap = false;
};
DeltaSides deltaSides(const DuelSnapshot& snapshot);

// Counts have bars of their own share; owners' times share one scale, the largest difference.
std::vector<DeltaRow> deltaRows(const DuelSnapshot& snapshot);
// The lead of the right machine, as a share of the left: by work its speed, by time its work. NaN: nothing
// yet.
double deltaLead(const DuelSnapshot& snapshot);
// "right is 0.43 % behind: 21.5 µs in 5.00 ms".
QString deltaSentence(const DuelSnapshot& snapshot, const QString& left, const QString& right,
                      const QString& workUnit);

} // namespace tlbscope
