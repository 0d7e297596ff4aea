// Which physical page the kernel hands out next.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tlbscope {

enum class PagePlacement : std::uint8_t {
    lists,      // per-CPU lists over a pool that starts in order: a kernel that has just booted
    contiguous, // always the lowest free page
    random,     // any free page, all equally likely: a kernel that has run for long
    coloured,   // a free page of the virtual page's colour
    zones,      // a 1 GB machine of 2004: highmem first under 3:1, all lowmem under 4:4 (hypothesis)
    reuse,      // last freed first, after the benchmark's smaller points have been and gone
    highmem,    // zones as under 3:1, whatever the split …
    lowmem,     // … or as under 4:4
};

struct PagePlacementInfo {
    PagePlacement kind;
    const char* id; // "lists"
    const char* name;
    const char* description; // one sentence
};
std::span<const PagePlacementInfo> page_placements();
// Throws Error listing the known ids.
PagePlacement find_page_placement(const std::string& id);

} // namespace tlbscope
