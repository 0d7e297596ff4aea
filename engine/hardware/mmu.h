// Address translation of the whole machine: TLBs of every core, page walks, flushes.
#pragma once

#include "engine/hardware/cache.h"
#include "engine/hardware/page_table.h"
#include "engine/hardware/tlb.h"

#include <array>
#include <vector>

namespace tlbscope {

enum class AccessKind : std::uint8_t { read, write, fetch };

enum class AccessOutcome : std::uint8_t {
    l1_hit,
    stlb_hit,
    walk,  // both levels missed; the walk found the page and loaded it
    fault, // the walk found nothing, or no right to write
};

// 16 bytes, so that it comes back in registers.
struct AccessResult {
    std::uint32_t frame = 0;        // physical 4 KiB page
    std::uint32_t cycles = 0;       // beyond an L1 hit: the STLB hit, or the page-table loads of the walk
    std::uint32_t refill_cause = 0; // the flush that dropped this entry (cause given then), 0: none
    AccessOutcome outcome = AccessOutcome::l1_hit;
    bool stale_use = false; // the translation's flush had been reported complete: a violation
};
static_assert(sizeof(AccessResult) == 16);

// Per logical CPU. accesses = l1_hits + stlb_hits + walks + faults, each counted at its own place.
struct MmuCounters {
    std::uint64_t accesses = 0, l1_hits = 0, stlb_hits = 0, walks = 0, faults = 0;
    std::uint64_t stale_uses = 0;
    std::uint64_t refills = 0; // walks that reload an entry a flush dropped (still visible in its set)

    bool operator==(const MmuCounters&) const = default;
};

// What the kernel's own entries are.
struct KernelEntries {
    bool global_text = true, global_data = true;
    // Entries that are not global have a PCID of their own: a flush of the user half leaves them.
    bool pcid = false;
};

class Mmu {
public:
    // `sharing` replaces what the processor says about every TLB, where given. Context numbers below
    // `context_limit` are used before they start again, which drops everything; more than
    // 2 * siblings + 3.
    Mmu(const ProcessorSpec& processor, const Topology& topology, const Sharing* sharing, std::uint64_t seed,
        TlbContext context_limit = kDeadContext, const KernelEntries& kernel = {});

    // One user access. `table` is the page table that `cpu` has in CR3.
    TLBSCOPE_INLINE AccessResult access(CpuId cpu, PageNumber page, AccessKind kind, const PageTable& table,
                                        CacheHierarchy& caches, Cycles now) {
        const Access access{page, &table, &caches, now, cpu, kind};
        switch (kind == AccessKind::fetch ? quick_itlb_ : quick_dtlb_) {
        case Tlb::Quick::four:
            return access_quick<Tlb::Quick::four>(access);
        case Tlb::Quick::full:
            return access_quick<Tlb::Quick::full>(access);
        default:
            return access_any(access);
        }
    }

    // The same for a stream of accesses that mostly stay on their page: `hint`, the stream's own (0 to
    // begin with), is where it was found last.
    TLBSCOPE_INLINE AccessResult access_stream(CpuId cpu, PageNumber page, AccessKind kind,
                                               const PageTable& table, CacheHierarchy& caches, Cycles now,
                                               std::uint32_t& hint) {
        Front& front = fronts_[cpu];
        Tlb& l1 = arrays_[front.dtlb];
        if (quick_dtlb_ == Tlb::Quick::full && kind != AccessKind::fetch) [[likely]] {
            const TlbPayload& entry = l1.payload(hint);
            if (l1.tag(hint) == tlb_tag(page, front.context) && may(kind, entry) &&
                entry.version == table.change_count()) [[likely]] {
                l1.use_full(hint);
                ++front.count.accesses;
                ++front.count.l1_hits;
                AccessResult result;
                result.frame = entry.frame & ~TlbPayload::kWritable;
                return result;
            }
        }
        const AccessResult result = access(cpu, page, kind, table, caches, now);
        const std::int32_t slot = l1.probe(tlb_tag(page, front.context));
        hint = slot < 0 ? 0 : static_cast<std::uint32_t>(slot);
        return result;
    }
    // Writes to N pages in turn, where the L1 dTLB has them all in the slots that `hints` says: true, and
    // `frames` are theirs. Else false, and nothing has happened.
    template <std::size_t N>
    TLBSCOPE_INLINE bool access_hits(CpuId cpu, const std::array<PageNumber, N>& pages,
                                     const std::array<std::uint32_t, N>& hints, const PageTable& table,
                                     std::array<std::uint32_t, N>& frames) {
        switch (quick_dtlb_) {
        case Tlb::Quick::four:
            return access_hits<Tlb::Quick::four>(cpu, pages, hints, table, frames);
        case Tlb::Quick::full:
            return access_hits<Tlb::Quick::full>(cpu, pages, hints, table, frames);
        default:
            return false;
        }
    }
    // Accesses to the page that this CPU has just accessed, which change nothing but the counters.
    void add_hits(CpuId cpu, std::uint32_t accesses) {
        fronts_[cpu].count.accesses += accesses;
        fronts_[cpu].count.l1_hits += accesses;
    }

    // A kernel access to a 2 MiB mapping; `page` is any 4 KiB page inside it.
    AccessResult access_kernel(CpuId cpu, PageNumber page, AccessKind kind, const PageTable& table,
                               CacheHierarchy& caches, Cycles now);

    // MOV to CR3: everything of this CPU but global entries is gone; with PCID the kernel's entries stay
    // too. O(1).
    // `cause` (0: none) is remembered and reported by later refills.
    void flush_all(CpuId cpu, std::uint32_t cause, Cycles now);
    // CR4.PGE off and on: global entries too, which the siblings of a core share.
    void flush_global(CpuId cpu, std::uint32_t cause, Cycles now);
    // INVLPG: the page's entries of this CPU in every array, and all of its paging-structure caches.
    void invlpg(CpuId cpu, PageNumber page, std::uint32_t cause, Cycles now);

    const MmuCounters& counters(CpuId cpu) const { return fronts_[cpu].count; }
    // What translation has cost this CPU since time 0, before SMT siblings slow it down; `data` is 0.
    StallCycles stalls(CpuId cpu) const {
        StallCycles stalls = stalls_[cpu];
        stalls.stlb = static_cast<Cycles>(fronts_[cpu].count.stlb_hits) * stlb_hit_;
        return stalls;
    }

    // For views. Index of the array this CPU uses.
    struct ArrayIds {
        std::uint32_t dtlb, dtlb_huge, itlb, stlb; // kNoArray where the processor has none
    };
    static constexpr std::uint32_t kNoArray = 0xffffffff;
    ArrayIds arrays_of(CpuId cpu) const;
    const Tlb& array(std::uint32_t id) const { return arrays_[id]; }
    // dtlb_huge is kNoArray where the L1 dTLB holds the large entries.
    const LiveContexts& live(int core) const { return live_[static_cast<std::size_t>(core)]; }
    // Context before the CPU's last full flush, and when that was; entries with it are "just flushed".
    TlbContext previous_context(CpuId cpu) const { return fronts_[cpu].previous; }
    Cycles last_flush(CpuId cpu) const { return fronts_[cpu].flushed_at; }

    // TLB capacity sharing in force (after the override), for the four arrays in the order of ArrayIds.
    Sharing sharing_of(int which) const { return sharing_[which]; }

private:
    // Direct-mapped: sizes are published for few processors, associativity for none.
    struct PscEntry {
        std::uint64_t key = 0;   // generation << 27 | page number of the table's span; 0: nothing
        std::uint32_t table = 0; // the table it points to; used for the lowest level
    };
    struct alignas(64) Front {
        TlbContext context = 0;
        std::uint32_t dtlb = 0, itlb = 0, stlb = kNoArray, dtlb_huge = kNoArray;
        std::uint32_t core = 0;
        MmuCounters count;
        std::uint64_t psc_generation = 1; // 37 bits: a million a second for more than a day
        std::uint32_t full_cause = 0, range_cause = 0;
        std::uint32_t sibling = 0;
        TlbContext previous = kDeadContext;
        Cycles flushed_at = -1;
        bool huge_user_pages = false; // a 2 MiB user page has been loaded
    };

    struct Access {
        PageNumber page;
        const PageTable* table;
        CacheHierarchy* caches;
        Cycles now;
        CpuId cpu;
        AccessKind kind;
    };

    // access() for every array and case.
    AccessResult access_any(const Access& access);
    // The common cases, by the kinds of array; what they do not know starts again in access_any, as
    // looking up twice changes nothing.
    template <Tlb::Quick L1>
    TLBSCOPE_INLINE AccessResult access_quick(const Access& access) {
        Front& front = fronts_[access.cpu];
        Tlb& l1 = arrays_[access.kind == AccessKind::fetch ? front.itlb : front.dtlb];
        const std::int32_t slot = l1.lookup_quick<L1>(tlb_tag(access.page, front.context));
        if (slot < 0) return miss_quick<L1>(access);
        const TlbPayload& entry = l1.payload(static_cast<std::uint32_t>(slot));
        if (!may(access.kind, entry) || entry.version != access.table->change_count())
            return access_any(access);
        ++front.count.accesses;
        ++front.count.l1_hits;
        AccessResult result;
        result.frame = entry.frame & ~TlbPayload::kWritable;
        return result;
    }
    template <Tlb::Quick L1, std::size_t N>
    TLBSCOPE_INLINE bool access_hits(CpuId cpu, const std::array<PageNumber, N>& pages,
                                     const std::array<std::uint32_t, N>& hints, const PageTable& table,
                                     std::array<std::uint32_t, N>& frames) {
        Front& front = fronts_[cpu];
        Tlb& l1 = arrays_[front.dtlb];
        const std::uint32_t version = table.change_count();
        bool all = true;
        for (std::size_t i = 0; i < N; ++i) {
            const TlbPayload& entry = l1.payload(hints[i]);
            all = all && l1.tag(hints[i]) == tlb_tag(pages[i], front.context) &&
                  may(AccessKind::write, entry) && entry.version == version;
            frames[i] = entry.frame & ~TlbPayload::kWritable;
        }
        if (!all) return false;
        for (std::size_t i = 0; i < N; ++i)
            l1.use_quick<L1>(hints[i]);
        front.count.accesses += N;
        front.count.l1_hits += N;
        return true;
    }
    template <Tlb::Quick L1>
    AccessResult miss_quick(const Access& access);
    template <Tlb::Quick L1, Tlb::Quick Stlb>
    AccessResult miss_quick(const Access& access);
    template <Tlb::Quick L1, Tlb::Quick Stlb>
    AccessResult walk_quick(const Access& access);
    AccessResult miss_huge(const Access& access);
    AccessResult miss_small(const Access& access);
    AccessResult load(const Access& access);
    // Looks at the page table: true for a use after the flush was reported complete.
    bool verify(TlbPayload& entry, PageNumber page, const PageTable& table, MmuCounters& count);
    struct WalkResult {
        Pte pte = 0;
        bool huge = false;
        Cycles cycles = 0;
    };
    // One page-table load, booked under where it hit.
    TLBSCOPE_INLINE Cycles load_entry(CpuId cpu, std::uint32_t core, std::uint64_t address, bool fetch,
                                      CacheHierarchy& caches) {
        const CacheHierarchy::Result found =
            caches.find(static_cast<int>(core), static_cast<LineNumber>(address >> 6));
        StallCycles& stalls = stalls_[cpu];
        (fetch ? stalls.itlb : stalls.dtlb)[static_cast<std::size_t>(found.level)] += found.cycles;
        return found.cycles;
    }
    void flush_kernel_half(Front& front);
    static bool may(AccessKind kind, const TlbPayload& entry) {
        return kind != AccessKind::write || (entry.frame & TlbPayload::kWritable);
    }
    PscEntry* psc_slot(CpuId cpu, PageNumber page, int level) {
        const std::uint32_t size = psc_size_[level];
        if (!size) return nullptr;
        return psc_.data() + std::size_t{psc_per_cpu_} * cpu + psc_offset_[level] +
               ((page >> (27 - 9 * level)) & (size - 1));
    }
    static std::uint64_t psc_key(const Front& front, PageNumber page, int level) {
        return front.psc_generation << 27 | page >> (27 - 9 * level);
    }
    WalkResult walk_tables(CpuId cpu, PageNumber page, bool fetch, const PageTable& table,
                           CacheHierarchy& caches);
    WalkResult walk(CpuId cpu, PageNumber page, bool fetch, const PageTable& table, CacheHierarchy& caches);
    std::uint32_t refill_cause(const Front& front, PageNumber page, bool huge) const;
    TlbContext next_context(std::size_t core);

    std::vector<Tlb> arrays_;
    std::vector<Front> fronts_;
    std::vector<StallCycles> stalls_;                                       // per CPU
    std::vector<LiveContexts> live_;                                        // per core
    std::vector<TlbContext> next_context_;                                  // per core
    std::vector<PscEntry> psc_;                                             // per CPU: pml4, pdpt, pd
    std::uint32_t psc_size_[3] = {}, psc_offset_[3] = {}, psc_per_cpu_ = 0; // rounded down to powers of two
    // Alike in every core; `no` where there is none.
    Tlb::Quick quick_dtlb_ = Tlb::Quick::no, quick_itlb_ = Tlb::Quick::no, quick_stlb_ = Tlb::Quick::no;
    bool stlb_holds_huge_ = false;
    KernelEntries kernel_;
    Cycles stlb_hit_ = 0;
    Sharing sharing_[4] = {};
    TlbContext context_limit_ = kDeadContext;
};

} // namespace tlbscope
