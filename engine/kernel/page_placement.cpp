#include "engine/kernel/page_placement.h"

#include "engine/core/error.h"

#include <array>

namespace tlbscope {

std::span<const PagePlacementInfo> page_placements() {
    static constexpr std::array infos = {
        PagePlacementInfo{
            PagePlacement::lists, "lists", "Kernel's lists",
            "Per-CPU lists over a pool in order, last freed first: a kernel that has just booted."},
        PagePlacementInfo{PagePlacement::contiguous, "contiguous", "Contiguous",
                          "Always the lowest free page."},
        PagePlacementInfo{PagePlacement::random, "random", "Random",
                          "Any free page, all equally likely: a kernel that has run for long."},
        PagePlacementInfo{PagePlacement::coloured, "coloured", "Coloured",
                          "A free page of the same L2 colour as the virtual page."},
        PagePlacementInfo{
            PagePlacement::zones, "zones", "Zones",
            "Highmem first where the kernel has it (3:1), else lowmem as boot left it: a hypothesis "
            "about 2004."},
        PagePlacementInfo{PagePlacement::reuse, "reuse", "Reused",
                          "Last freed first, after the benchmark's smaller points have been and gone."},
        PagePlacementInfo{PagePlacement::highmem, "highmem", "Zones of 3:1",
                          "Highmem first, as zones has it under 3:1, whatever the split."},
        PagePlacementInfo{PagePlacement::lowmem, "lowmem", "Zones of 4:4",
                          "All lowmem, as zones has it under 4:4, whatever the split."},
    };
    return infos;
}

PagePlacement find_page_placement(const std::string& id) {
    std::string known;
    for (const PagePlacementInfo& info : page_placements()) {
        if (id == info.id) return info.kind;
        known += (known.empty() ? "" : ", ") + std::string(info.id);
    }
    throw Error("placement", "\"" + id + "\" is not a known page placement", "known: " + known);
}

} // namespace tlbscope
