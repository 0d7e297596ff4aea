// Made-up curves, marks and attributions for the views of the address-space split. No number here comes
// from a machine or from the model.
#pragma once

#include "engine/experiment/attribution.h"
#include "engine/experiment/curve_features.h"
#include "engine/experiment/published.h"
#include "engine/session/duel.h"
#include "tests/views/synthetic.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace tlbscope::synthetic {

inline constexpr double kKilo = 1024;

// A plateau with a knee near 520k. `dip`: depth of the loss around 480k; `tick`: loss everywhere.
inline CurvePoint curve_point(std::size_t variant, int n, double tick, double dip, int seeds) {
    const double bytes = 84.0 * n, x = std::log2(bytes / (480 * kKilo));
    const double knee = 1 / (1 + std::exp(-7 * (std::log2(bytes / (560 * kKilo)))));
    const double window = std::exp(-std::pow(x / 0.42, 2));
    const double start = 1 - 0.35 * std::exp(-bytes / (40 * kKilo));
    CurvePoint p;
    p.variant = variant;
    p.subintervals = n;
    p.working_set = bytes;
    p.touched = 96.0 * n;
    p.seeds = seeds;
    p.median = 9.4 * start * (1 - 0.36 * knee) * (1 - tick) * (1 - dip * window);
    const double spread = 0.004 + (0.012 + 0.25 * dip) * window;
    p.low = p.median * (1 - spread);
    p.high = p.median * (1 + spread * 0.8);
    p.error = 0.0008;
    return p;
}

inline const std::vector<const char*>& curve_labels() {
    static const std::vector<const char*> labels = {"3:1, 1000 Hz", "4:4, 1000 Hz", "3:1, 100 Hz",
                                                    "4:4, 100 Hz",  "control",      "4:4 contiguous",
                                                    "KPTI",         "KPTI, PCID"};
    return labels;
}

inline std::vector<CurvePoint> curve_points(std::size_t variants, int points, int seeds = 16) {
    static constexpr double tick[] = {0.012, 0.016, 0.0015, 0.002, 0.014, 0.016, 0.03, 0.02};
    static constexpr double dip[] = {0, 0.15, 0, 0.135, 0.005, 0.01, 0.05, 0.02};
    std::vector<CurvePoint> out;
    for (std::size_t v = 0; v < variants; ++v)
        for (int i = 0; i < points; ++i) {
            const double bytes = 64 * kKilo * std::pow(1536.0 / 64, double(i) / std::max(1, points - 1));
            CurvePoint p = curve_point(v, static_cast<int>(bytes / 84), tick[v % 8], dip[v % 8], seeds);
            p.subintervals = points > 500 ? i + 1 : p.subintervals;
            out.push_back(p);
        }
    return out;
}

inline std::vector<CurveMark> curve_marks() {
    const std::string source = "Made up for a picture of the chart";
    return {{CurveMark::Kind::window, 300 * kKilo, 700 * kKilo, 0, "where the loss was seen", source},
            {CurveMark::Kind::crossing, 200 * kKilo, 200 * kKilo, 0, "the curves cross", source},
            {CurveMark::Kind::loss, 500 * kKilo, 500 * kKilo, 0.17, "4:4 against 3:1", source},
            {CurveMark::Kind::error_band, 0, 0, 0.035, "run to run", source}};
}

// `seeds` placements; the parts of each sum to its difference exactly.
inline AttributionBand attribution(int seeds, double scale = 1) {
    AttributionBand band;
    band.subintervals = 6095;
    band.working_set = 84.0 * 6095;
    Random random{7};
    std::array<std::vector<double>, kAttributionParts> losses;
    std::vector<double> totals;
    for (int s = 0; s < seeds; ++s) {
        Attribution a;
        a.work = 120000;
        a.cycles_a = 31'000'000 + random.below(200'000);
        const double luck = 0.7 + 0.6 * random.unit();
        a.parts = {0,     21'400, 14'300 + random.below(900),   41'000 + random.below(4000),
                   2'900, 8'100,  -12'500 + random.below(9000), static_cast<Cycles>(3'180'000 * luck * scale),
                   0};
        a.cycles_b = a.cycles_a;
        for (const Cycles part : a.parts)
            a.cycles_b += part;
        a.ticks_a = 12;
        a.ticks_b = 13;
        a.walks_a = 3600;
        a.walks_b = 3850;
        for (std::size_t p = 0; p < kAttributionParts; ++p)
            losses[p].push_back(a.loss(static_cast<AttributionPart>(p)));
        totals.push_back(a.loss());
        band.seeds.push_back(a);
    }
    const auto bandOf = [](std::vector<double> values) {
        AttributionBand::Band out;
        if (values.empty()) return out;
        std::sort(values.begin(), values.end());
        const auto at = [&](double q) {
            return values[static_cast<std::size_t>(std::lround(q * double(values.size() - 1)))];
        };
        out.median = at(0.5);
        out.low = at(0.05);
        out.high = at(0.95);
        return out;
    };
    band.loss = bandOf(totals);
    for (std::size_t p = 0; p < kAttributionParts; ++p)
        band.parts[p] = bandOf(losses[p]);
    return band;
}

// Two machines after `frame` / 20 milliseconds; the right one loses `loss` of its time.
inline std::shared_ptr<DuelSnapshot> duel(Lockstep lockstep, int frame, double loss = 0.0043,
                                          bool lap = true) {
    static const auto machine = [] {
        auto snapshot = std::make_shared<Snapshot>();
        auto description = std::make_shared<MachineDescription>();
        description->hz = 2.5e9;
        snapshot->machine = description;
        return snapshot;
    }();
    auto out = std::make_shared<DuelSnapshot>();
    out->run = 1;
    out->sequence = static_cast<std::uint64_t>(frame);
    out->lockstep = lockstep;
    out->running = true;
    const Cycles base = 125'000 * Cycles{frame};
    const double wave = loss * (1 + 0.25 * std::sin(frame * 0.4) + 2.0 / (frame + 3));
    for (std::size_t i = 0; i < 2; ++i) {
        DuelSide& side = out->sides[i];
        side.snapshot = machine;
        const double more = i == 1 ? wave : 0;
        const bool work = lockstep == Lockstep::work;
        side.time = work ? static_cast<Cycles>(double(base) * (1 + more)) : base;
        side.work = static_cast<std::uint64_t>(double(base) / 250 * (work ? 1 : 1 / (1 + more)));
        side.laps = side.work / 6095;
        side.ticks = static_cast<std::uint64_t>(side.time / 2'500'000);
        side.cr3_loads = i == 1 ? 2 * side.ticks : 0;
        side.walks = side.work / 33 + (i == 1 ? 18 * side.ticks : 0);
        const auto of = [&](CurveShare share) -> Cycles& {
            return side.shares[static_cast<std::size_t>(share)];
        };
        of(CurveShare::tick) = static_cast<Cycles>(side.ticks) * 12'000;
        of(CurveShare::cr3) = static_cast<Cycles>(side.cr3_loads) * 700;
        of(CurveShare::dtlb_l2) = static_cast<Cycles>(side.walks) * 45;
        of(CurveShare::itlb) = i == 1 ? static_cast<Cycles>(side.ticks) * 900 : 0;
        of(CurveShare::data_l2) = base / 5;
        of(CurveShare::data_memory) = base / 9 - (i == 1 ? base / 3000 : 0);
        Cycles rest = side.time;
        for (const Cycles share : side.shares)
            rest -= share;
        of(CurveShare::compute) = rest;
    }
    if (lap && lockstep == Lockstep::work && out->sides[0].laps > 0) {
        DuelLap end;
        end.laps = out->sides[0].laps;
        end.work = out->sides[0].work;
        for (std::size_t i = 0; i < 2; ++i) {
            end.time[i] = out->sides[i].time;
            end.shares[i] = out->sides[i].shares;
            end.ticks[i] = out->sides[i].ticks;
            end.cr3_loads[i] = out->sides[i].cr3_loads;
            end.walks[i] = out->sides[i].walks;
        }
        out->lap = end;
    }
    return out;
}

} // namespace tlbscope::synthetic
