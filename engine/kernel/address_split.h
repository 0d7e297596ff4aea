// How user and kernel share the linear address space, and what crossing between them costs.
#pragma once

#include <span>
#include <string>

namespace tlbscope {

struct ProcessorSpec;

// One row of the registry.
struct AddressSplit {
    const char* id;     // "4:4"
    const char* name;   // "4G/4G"
    const char* source; // commit, mail or manual of the rule
    // CR3 is written at every entry from user mode and every exit to it; entries from kernel mode write
    // nothing. Nothing of the kernel is global then.
    bool switches_cr3 = false;
    // One kernel page table for all processes: switch_mm() writes no CR3, the next exit to user mode does.
    bool one_kernel_table = false;
    bool pcid = false; // the writes keep both halves' entries (bit 63 of CR3)
    // Interrupt handlers begin and end with a flush, though the kernel stays mapped (the control
    // experiment of April 2004).
    bool flushes_in_irq = false;
    bool flushes_global = false; // … __flush_tlb_global() besides
    bool long_mode = false;      // a 64-bit kernel's; the others need a 32-bit processor
};

// "3:1", "3:1-flush", "3:1-flush-global", "4:4"; 64-bit: "shared" (before KPTI, the default),
// "kpti", "kpti-pcid".
std::span<const AddressSplit> address_splits();
// Throws Error listing the known ids.
const AddressSplit& find_address_split(const std::string& id);

} // namespace tlbscope
