#include "engine/kernel/address_split.h"

#include "engine/core/error.h"

#include <array>

namespace tlbscope {

std::span<const AddressSplit> address_splits() {
    static constexpr std::array splits = {
        AddressSplit{"3:1", "3G/1G", "PAGE_OFFSET 0xc0000000, include/asm-i386/page.h", false, false, false,
                     false, false},
        AddressSplit{"3:1-flush", "3G/1G, flush in interrupts",
                     "__flush_tlb() before and after do_IRQ(): Ingo Molnar, 7 April 2004", false, false, true,
                     false, false},
        AddressSplit{
            "3:1-flush-global", "3G/1G, global flush in interrupts",
            "__flush_tlb_global() and __flush_tlb() in the interrupt path, as run by Andrea Arcangeli, "
            "7 April 2004",
            false, false, true, true, false},
        AddressSplit{"4:4", "4G/4G", "4G/4G split, Ingo Molnar, 9 July 2003", true, false, false, false,
                     false},
        AddressSplit{"shared", "kernel mapped", "x86-64 before 4.15", false, false, false, false, true},
        AddressSplit{"kpti", "KPTI", "Documentation/x86/pti.txt, 4.15, without PCID", true, false, false,
                     false, true},
        AddressSplit{"kpti-pcid", "KPTI with PCID", "Documentation/x86/pti.txt, 4.15; 6cff64b86aaa", true,
                     true, false, false, true},
    };
    return splits;
}

const AddressSplit& find_address_split(const std::string& id) {
    std::string known;
    for (const AddressSplit& split : address_splits()) {
        if (id == split.id) return split;
        known += (known.empty() ? "" : ", ") + std::string(split.id);
    }
    throw Error("split", "\"" + id + "\" is not a known address-space split", "known: " + known);
}

} // namespace tlbscope
