// The three pages of the window.
#pragma once

#include <array>
#include <cstdint>

namespace tlbscope {

enum class Page : std::uint8_t { machine, curve, duel };
inline constexpr std::array kPages{Page::machine, Page::curve, Page::duel};

// "machine", "curve", "duel": in settings, scenes and on the command line.
inline const char* pageName(Page page) {
    return page == Page::machine ? "machine" : page == Page::curve ? "curve" : "duel";
}

} // namespace tlbscope
