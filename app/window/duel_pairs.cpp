#include "app/window/duel_pairs.h"

#include "engine/core/error.h"
#include "engine/experiment/curve.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {
namespace {

constexpr std::array kPairs = {
    DuelPair{"3:1-4:4", "3:1 and 4:4", {"3:1", "4:4"}, {"3:1", "4:4"}, {}, "xeon-2.5-512k"},
    DuelPair{"control",
             "3:1 and the control",
             {"3:1", "3:1 with flushes in interrupts"},
             {"3:1", "3:1-flush-global"},
             {},
             "xeon-2.5-512k"},
    DuelPair{"placement",
             "Contiguous and random pages",
             {"3:1, contiguous pages", "3:1, random pages"},
             {"3:1", "3:1"},
             {"contiguous", "random"},
             "xeon-2.5-512k"},
    DuelPair{"together",
             "3:1 contiguous and 4:4 random",
             {"3:1, contiguous pages", "4:4, random pages"},
             {"3:1", "4:4"},
             {"contiguous", "random"},
             "xeon-2.5-512k"},
    DuelPair{"kpti",
             "Before KPTI and with it",
             {"before KPTI", "KPTI"},
             {"shared", "kpti"},
             {},
             "skylake-kpti",
             true},
    DuelPair{"kpti-pcid",
             "KPTI without and with PCID",
             {"KPTI", "KPTI with PCID"},
             {"kpti", "kpti-pcid"},
             {},
             "skylake-kpti",
             true},
};

} // namespace

std::span<const DuelPair> duel_pairs() {
    return kPairs;
}

const DuelPair& find_duel_pair(const std::string& id) {
    std::string known;
    for (const DuelPair& pair : kPairs) {
        if (id == pair.id) return pair;
        known += (known.empty() ? "" : ", ") + std::string(pair.id);
    }
    throw Error("pair", "\"" + id + "\" is not a known pair of machines", "known: " + known);
}

std::array<Scenario, 2> make_duel(const DuelChoice& choice) {
    const DuelPair& pair = find_duel_pair(choice.pair);
    const CurveAxis axis = curve_axis(choice.workload);
    std::array<Scenario, 2> both;
    for (std::size_t i = 0; i < 2; ++i) {
        Scenario& s = both[i];
        s.processor = choice.processor;
        s.workload = choice.workload;
        s.threads = 1;
        // The program is serial: one CPU of the machine is enough to watch.
        s.sockets = s.cores_per_socket = s.threads_per_core = 1;
        s.*axis.size =
            std::clamp(static_cast<int>(std::lround(choice.working_set / axis.bytes)), axis.low, axis.high);
        s.hz = choice.hz;
        s.split = pair.splits[i];
        s.pae = pair.long_mode ? 0 : 1;
        s.placement = pair.placements[i] ? pair.placements[i] : choice.placement;
        s.l2_kib = choice.l2_kib;
        s.seed = choice.seed;
    }
    return both;
}

} // namespace tlbscope
