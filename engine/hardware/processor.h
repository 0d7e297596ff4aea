// A processor as data: geometry, primitive costs, and what the kernel read from its CPUID.
#pragma once

#include "engine/core/types.h"
#include "engine/hardware/topology.h"

#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

// How the SMT siblings of a core use one TLB.
enum class Sharing : std::uint8_t {
    private_each, // each sibling has all of it for itself (replicated)
    split,        // statically divided in equal parts
    shared,       // one array; entries are tagged with the sibling that loaded them
};

enum class Replacement : std::uint8_t { lru, plru, fifo, random };

// entries is a multiple of ways; sets = entries / ways is a power of two. ways 1 … 16, or equal to
// entries (fully associative, at most 1024).
struct TlbSpec {
    std::uint32_t entries = 0; // 0: this TLB does not exist
    std::uint32_t ways = 0;
    Replacement replacement = Replacement::lru;
    Sharing sharing = Sharing::shared;
    // 2 MiB (4 MiB without PAE) entries too. Of the L1 dTLB: there is no dtlb_huge then.
    bool holds_huge = false;
};

// How many levels a page walk loads. The scenario chooses pae for a 32-bit processor.
enum class Paging : std::uint8_t {
    four_level, // long mode: PML4E, PDPTE, PDE, PTE of 8 bytes
    pae,        // PDE and PTE of 8 bytes; the four PDPTEs are registers, loaded with CR3
    two_level,  // 32 bits without PAE: PDE and PTE of 4 bytes
};

// 64-byte lines, physically indexed. ways 1 … 16; sets a power of two.
struct CacheSpec {
    std::uint64_t bytes = 0; // 0: does not exist
    std::uint32_t ways = 0;
    Cycles latency = 0; // load-to-use of a hit
    Cycles stream = 0;  // cycles a line costs when a prefetched sequential walk finds it here
    Replacement replacement = Replacement::lru; // lru, or plru: a tree, as the Pentium 4's L2; 2^n ways
    std::uint32_t sector_lines = 1; // L2 only: lines that a read miss fetches, 1, or 2 aligned ones
    // L1D only, of at most 4 KiB a way: two lines whose linear addresses agree in bits 15:6 cannot both
    // be held (Pentium 4, models 0 to 2, IA-32 optimization manual 2-45).
    bool alias_64k = false;
};

// Primitive costs in cycles. Nothing here is a consequence: no refill penalty, no knee, no optimum.
struct Costs {
    Cycles invlpg = 0;            // one INVLPG
    Cycles cr3_write = 0;         // one MOV to CR3 without PCID, the flush itself
    Cycles cr3_write_pae = 0;     // the same with PAE, which loads four PDPTEs too; 0: no 32-bit kernel
    Cycles cr3_write_noflush = 0; // with PCID and bit 63 set: nothing is flushed; 0: no PCID
    Cycles invpcid = 0;           // one INVPCID of one page; 0: the processor has none
    Cycles global_flush = 0;      // CR4.PGE off and on: global entries too; 0: as two CR3 writes
    Cycles stlb_hit = 0;          // L1 TLB miss that hits the STLB, over an L1 TLB hit
    Cycles copy_line = 0;         // copying 64 bytes that are in L1
    Cycles zero_line = 0;         // clearing 64 bytes that are in L1
    Cycles memory = 0;            // load-to-use from memory
    Cycles memory_stream = 0;     // a line of a prefetched sequential walk from memory

    Cycles ipi_send = 0;      // initiator: write the ICR once, plus csd setup
    Cycles ipi_send_each = 0; // initiator: every further target
    Cycles ipi_delivery = 0;  // from the ICR write to the target's interrupt entry, interrupts on
    Cycles irq_entry = 0;     // interrupt entry, APIC EOI
    Cycles irq_exit = 0;      // return from interrupt
    Cycles ack = 0;           // a cache line from one core to another: csd unlock until the initiator sees it

    Cycles syscall = 0;       // entry and exit
    Cycles vma_operation = 0; // find, insert, split or remove a VMA
    Cycles pte_clear = 0;     // zap one page: PTE, rmap, mmu_gather
    Cycles pte_protect = 0;   // change one PTE's protection
    Cycles page_free = 0;     // free one page to the allocator
    Cycles fault = 0;         // exception, handler and return, without zeroing and without page_alloc
    Cycles page_alloc = 0;    // one page from the per-CPU list

    Cycles rwsem = 0;          // uncontended down or up of mmap_sem
    Cycles context_switch = 0; // schedule() and switch_to, without CR3 write
    Cycles wakeup = 0;         // try_to_wake_up on the waker
    Cycles idle_exit = 0;      // leave the idle state after an interrupt
    Cycles timer_tick = 0;     // tick handler besides entry and exit
    Cycles irq_handler = 0;    // a device's handler, the same; 0: as timer_tick
    Cycles smt_percent = 0; // speed of a thread, per cent, while its sibling is busy; 100 / siblings … 100
};

// What an entry to the kernel touches besides its costs, in bytes of lines that go through the data
// caches, and in large pages. 0 bytes: not modelled.
struct KernelFootprint {
    std::uint32_t timer = 0, interrupt = 0, syscall = 0; // bytes
    std::uint32_t text_pages = 1, data_pages = 0;        // 2 MiB (4 MiB) pages of text and of data
};

// One number's origin, for display: "costs.invlpg", 200, "derived", "…".
struct SourceNote {
    std::string field;
    std::string mark; // "verified", "secondary", "derived", "estimate", "unverified", "calibration"
    std::string source;
};

struct ProcessorSpec {
    std::string id;                // file name without .json
    std::string name;              // "Core i7-3770"
    std::string microarchitecture; // "Ivy Bridge"
    std::string vendor;            // "Intel", "AMD"
    std::string family_model;      // the kernel's key, "63a"
    double hz = 0;                 // nominal clock; a cycle everywhere is one period of it
    Topology topology;
    TlbSpec dtlb, dtlb_huge, itlb, stlb;
    // Paging-structure cache entries per logical CPU, by level of the table they point to.
    std::uint32_t psc_pml4 = 0, psc_pdpt = 0, psc_pd = 0;
    CacheSpec l1d, l2, l3; // l3 is one per socket
    bool long_mode = true; // false: 32-bit kernels only, split and paging are the scenario's choice
    // Ascending streams of lines, within a page, that the prefetcher follows; a miss that continues one
    // costs memory_stream instead of memory. 0: single loads are never prefetched.
    std::uint32_t prefetch_streams = 0;
    KernelFootprint footprint;
    Costs costs;
    // What the kernel read from CPUID leaf 2 (or 0x80000006): tlb_lld_4k and tlb_lli_4k entries.
    std::uint32_t tlb_lld_4k = 0, tlb_lli_4k = 0;
    // tlb_flushall_shift the kernel set for this model, -1 … 12: 3.6–3.13 and 3.14–3.16.
    int shift_3_6 = -1, shift_3_14 = -1;
    std::vector<SourceNote> sources;

    // "i7-3770 IvyBridge"-like title for the window.
    std::string title() const { return name + " " + microarchitecture; }
};

// Parses one processor file. Throws Error naming `file` and the field that is missing, unknown,
// out of range or contradicts another.
ProcessorSpec parse_processor(const std::string& json, const std::string& file);

// resources/processors/ID.json.
std::shared_ptr<const ProcessorSpec> load_processor(const std::string& resources, const std::string& id);
// Ids in alphabetical order.
std::vector<std::string> list_processors(const std::string& resources);

} // namespace tlbscope
