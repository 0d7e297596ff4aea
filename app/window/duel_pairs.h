// Which two machines stand side by side.
#pragma once

#include "engine/simulation/scenario.h"

#include <array>
#include <span>
#include <string>

namespace tlbscope {

struct DuelPair {
    const char* id;   // "3:1-4:4"
    const char* name; // "3:1 and 4:4"
    std::array<const char*, 2> titles, splits;
    std::array<const char*, 2> placements; // null: the one chosen for both
    const char* processor;                 // one it is at home on
    bool long_mode = false;
};
std::span<const DuelPair> duel_pairs();
// Throws Error listing the known ids.
const DuelPair& find_duel_pair(const std::string& id);

// What the controls of the page say. Same choice, same machines.
struct DuelChoice {
    std::string pair = "3:1-4:4";
    std::string processor = "xeon-2.5-512k";
    std::string workload = "hint-double";
    std::string placement = "random";
    double working_set = 500 * 1024; // bytes of the program's axis
    int hz = 1000;
    int l2_kib = 0;
    std::uint64_t seed = 7;

    bool operator==(const DuelChoice&) const = default;
};
// Throws Error naming what does not fit.
std::array<Scenario, 2> make_duel(const DuelChoice& choice);

} // namespace tlbscope
