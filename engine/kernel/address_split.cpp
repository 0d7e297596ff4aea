#include "engine/kernel/address_split.h"

#include "engine/core/error.h"

#include <array>

namespace tlbscope {

std::span<const AddressSplit> address_splits() {
    static constexpr std::array splits = {
        AddressSplit{
            .id = "shared", .name = "kernel mapped", .source = "x86-64 before 4.15", .long_mode = true},
        AddressSplit{
            .id = "3:1", .name = "3G/1G", .source = "PAGE_OFFSET 0xc0000000, include/asm-i386/page.h"},
        AddressSplit{.id = "3:1-flush",
                     .name = "3G/1G, flush in interrupts",
                     .source = "__flush_tlb() before and after do_IRQ(): Ingo Molnar, 7 April 2004",
                     .flushes_in_irq = true},
        AddressSplit{.id = "3:1-flush-global",
                     .name = "3G/1G, global flush in interrupts",
                     .source =
                         "__flush_tlb_global() and __flush_tlb() in the interrupt path, as run by Andrea "
                         "Arcangeli, 7 April 2004",
                     .flushes_in_irq = true,
                     .flushes_global = true},
        AddressSplit{.id = "4:4",
                     .name = "4G/4G",
                     .source = "4G/4G split, Ingo Molnar, 9 July 2003",
                     .switches_cr3 = true,
                     .one_kernel_table = true},
        AddressSplit{.id = "kpti",
                     .name = "KPTI",
                     .source = "Documentation/x86/pti.txt, 4.15, without PCID",
                     .switches_cr3 = true,
                     .long_mode = true},
        AddressSplit{.id = "kpti-pcid",
                     .name = "KPTI with PCID",
                     .source = "Documentation/x86/pti.txt, 4.15; user half's PCID: 6cff64b86aaa",
                     .switches_cr3 = true,
                     .pcid = true,
                     .long_mode = true},
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
