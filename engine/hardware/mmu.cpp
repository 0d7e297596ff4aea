#include "engine/hardware/mmu.h"

#include <algorithm>

namespace tlbscope {

namespace {

struct Placement {
    std::uint32_t count; // arrays a core
    std::uint32_t entries, ways;
};

Placement place(const TlbSpec& spec, Sharing sharing, std::uint32_t siblings) {
    if (sharing == Sharing::shared) return {1, spec.entries, spec.ways};
    if (sharing == Sharing::private_each) return {siblings, spec.entries, spec.ways};
    // Split by sets; a fully associative array by ways.
    const std::uint32_t entries = std::max(1u, spec.entries / siblings);
    return {siblings, entries, std::min(spec.ways, entries)};
}

// Loads a translation. Only a write can find the tag there already, read-only; it is replaced.
inline void put(Tlb& array, TlbTag tag, const TlbPayload& entry, AccessKind kind, const LiveContexts& live) {
    if (kind == AccessKind::write)
        if (const std::int32_t old = array.probe(tag); old >= 0) {
            array.payload(static_cast<std::uint32_t>(old)) = entry;
            return;
        }
    array.fill(tag, entry, live);
}

} // namespace

Mmu::Mmu(const ProcessorSpec& processor, const Topology& topology, const Sharing* sharing, std::uint64_t seed,
         TlbContext context_limit, const KernelEntries& kernel)
    : fronts_(static_cast<std::size_t>(topology.cpus())), stalls_(fronts_.size()),
      live_(static_cast<std::size_t>(topology.cores())),
      next_context_(static_cast<std::size_t>(topology.cores()), kFirstContext),
      stlb_holds_huge_(processor.stlb.holds_huge), kernel_(kernel), stlb_hit_(processor.costs.stlb_hit),
      context_limit_(context_limit) {
    const auto siblings = static_cast<std::uint32_t>(topology.threads_per_core);
    const TlbSpec* specs[4] = {&processor.dtlb, &processor.dtlb_huge, &processor.itlb, &processor.stlb};
    std::uint32_t Front::*const members[4] = {&Front::dtlb, &Front::dtlb_huge, &Front::itlb, &Front::stlb};
    for (int which = 0; which < 4; ++which)
        sharing_[which] = siblings == 1 ? Sharing::shared : sharing ? *sharing : specs[which]->sharing;

    for (int core = 0; core < topology.cores(); ++core) {
        for (int which = 0; which < 4; ++which) {
            if (!specs[which]->entries) continue;
            const Placement p = place(*specs[which], sharing_[which], siblings);
            const auto first = static_cast<std::uint32_t>(arrays_.size());
            for (std::uint32_t i = 0; i < p.count; ++i)
                arrays_.emplace_back(p.entries, p.ways, specs[which]->replacement,
                                     seed * 0x9e3779b97f4a7c15u + arrays_.size() + 1);
            for (std::uint32_t s = 0; s < siblings; ++s)
                fronts_[topology.cpu_of(core, static_cast<int>(s))].*members[which] =
                    first + (p.count == 1 ? 0 : s);
        }
        LiveContexts& live = live_[static_cast<std::size_t>(core)];
        live.siblings = siblings;
        live.halves = !kernel_.global_text || !kernel_.global_data;
        for (std::uint32_t s = 0; s < siblings; ++s) {
            Front& front = fronts_[topology.cpu_of(core, static_cast<int>(s))];
            front.core = static_cast<std::uint32_t>(core);
            front.sibling = s;
            front.context = live.of_sibling[s] = next_context(front.core);
            if (live.halves) flush_kernel_half(front);
            if (processor.dtlb.holds_huge && front.dtlb_huge == kNoArray) front.dtlb_huge = front.dtlb;
        }
    }
    const Front& any = fronts_[0];
    quick_dtlb_ = arrays_[any.dtlb].quick();
    quick_itlb_ = arrays_[any.itlb].quick();
    if (any.stlb != kNoArray) quick_stlb_ = arrays_[any.stlb].quick();
    const std::uint32_t sizes[3] = {processor.psc_pml4, processor.psc_pdpt, processor.psc_pd};
    for (int i = 0; i < 3; ++i) {
        psc_size_[i] = sizes[i] ? std::bit_floor(sizes[i]) : 0;
        psc_offset_[i] = psc_per_cpu_;
        psc_per_cpu_ += psc_size_[i];
    }
    psc_.resize(std::size_t{psc_per_cpu_} * fronts_.size());
}

TlbContext Mmu::next_context(std::size_t core) {
    TlbContext& next = next_context_[core];
    if (next == context_limit_) {
        // Numbers are used up, after 16 million flushes: drop everything for real and start again.
        for (Front& front : fronts_) {
            if (front.core != core) continue;
            for (std::uint32_t id : {front.dtlb, front.dtlb_huge, front.itlb, front.stlb})
                if (id != kNoArray) arrays_[id].clear(); // dtlb_huge may be dtlb: twice does no harm
            front.context = live_[core].of_sibling[front.sibling] =
                kFirstContext + static_cast<TlbContext>(front.sibling);
            live_[core].kernel_of_sibling[front.sibling] = front.context + live_[core].siblings;
            front.previous = kDeadContext;
            front.full_cause = 0; // nothing it dropped can be seen any more
        }
        live_[core].global = kGlobalContext;
        next = kFirstContext + live_[core].siblings * (live_[core].halves ? 2 : 1);
    }
    return next++;
}

void Mmu::flush_all(CpuId cpu, std::uint32_t cause, Cycles now) {
    Front& front = fronts_[cpu];
    const TlbContext fresh = next_context(front.core);
    front.previous = front.context;
    front.context = live_[front.core].of_sibling[front.sibling] = fresh;
    ++live_[front.core].epoch;
    ++front.psc_generation;
    front.full_cause = cause;
    front.flushed_at = now;
    if (live_[front.core].halves && !kernel_.pcid) flush_kernel_half(front);
}

void Mmu::flush_kernel_half(Front& front) {
    const TlbContext fresh = next_context(front.core);
    live_[front.core].kernel_of_sibling[front.sibling] = fresh;
    ++live_[front.core].epoch;
}

void Mmu::flush_global(CpuId cpu, std::uint32_t cause, Cycles now) {
    Front& front = fronts_[cpu];
    const TlbContext fresh = next_context(front.core);
    live_[front.core].global = fresh;
    if (live_[front.core].halves) flush_kernel_half(front);
    flush_all(cpu, cause, now);
}

void Mmu::invlpg(CpuId cpu, PageNumber page, std::uint32_t cause, Cycles now) {
    Front& front = fronts_[cpu];
    const TlbTag small = tlb_tag(page, front.context);
    arrays_[front.dtlb].invalidate(small, now);
    arrays_[front.itlb].invalidate(small, now);
    if (front.stlb != kNoArray) arrays_[front.stlb].invalidate(small, now);
    const LiveContexts& live = live_[front.core];
    for (const TlbContext context :
         {front.context, live.global, live.halves ? live.kernel_of_sibling[front.sibling] : live.global}) {
        const TlbTag huge = tlb_tag_huge(page, context);
        if (front.dtlb_huge != kNoArray) arrays_[front.dtlb_huge].invalidate(huge, now);
        arrays_[front.itlb].invalidate(huge, now);
        if (front.stlb != kNoArray && stlb_holds_huge_) arrays_[front.stlb].invalidate(huge, now);
    }
    ++front.psc_generation; // SDM 3A 4.10.4.1: INVLPG drops every paging-structure-cache entry
    front.range_cause = cause;
}

bool Mmu::verify(TlbPayload& entry, PageNumber page, const PageTable& table, MmuCounters& count) {
    const PageTable::Leaf leaf = table.leaf(page);
    if (leaf.version <= entry.version) {
        entry.version = table.change_count();
        return false;
    }
    if (leaf.flushed <= entry.version) return false; // changed, and its flush is still under way
    ++count.stale_uses;
    return true;
}

// Reads the page table as far as the paging-structure caches do not know the way. Cache i holds the
// table entry that is read at step i of the walk (pml4, pdpt, pd).
inline Mmu::WalkResult Mmu::walk(CpuId cpu, PageNumber page, bool fetch, const PageTable& table,
                                 CacheHierarchy& caches) {
    const Front& front = fronts_[cpu];
    if (const PscEntry* pd = psc_slot(cpu, page, 2); pd && pd->key == psc_key(front, page, 2)) [[likely]] {
        const PageTable::LastStep step = table.last_step(pd->table, page);
        return {step.pte, false, load_entry(cpu, front.core, step.entry_address, fetch, caches)};
    }
    return walk_tables(cpu, page, fetch, table, caches);
}

Mmu::WalkResult Mmu::walk_tables(CpuId cpu, PageNumber page, bool fetch, const PageTable& table,
                                 CacheHierarchy& caches) {
    const Front& front = fronts_[cpu];
    const PageTable::Walk full = table.walk(page);
    int first = 0;
    for (int i = 1; i >= 0 && first == 0; --i)
        if (const PscEntry* entry = psc_slot(cpu, page, i);
            i + 1 < full.levels && entry && entry->key == psc_key(front, page, i))
            first = i + 1;
    WalkResult result{full.leaf.pte, full.leaf.huge, 0};
    for (int step = first; step < full.levels; ++step) {
        result.cycles +=
            load_entry(cpu, front.core, full.entry_address[static_cast<std::size_t>(step)], fetch, caches);
        if (step + 1 >= full.levels) break; // a leaf is never in these caches
        if (PscEntry* entry = psc_slot(cpu, page, step)) *entry = {psc_key(front, page, step), full.table};
    }
    return result;
}

std::uint32_t Mmu::refill_cause(const Front& front, PageNumber page, bool huge) const {
    const std::uint32_t id = huge && !stlb_holds_huge_ ? front.dtlb_huge
                             : front.stlb != kNoArray  ? front.stlb
                                                       : front.dtlb;
    if (id == kNoArray) return 0;
    if (front.full_cause && arrays_[id].find_dead(page, huge, front.previous) >= 0) return front.full_cause;
    if (front.range_cause && arrays_[id].find_dead(page, huge, kDeadContext) >= 0) return front.range_cause;
    return 0;
}

AccessResult Mmu::access_any(const Access& access) {
    const auto page = access.page;
    const PageTable* const table = access.table;
    const auto cpu = access.cpu;
    const auto kind = access.kind;
    Front& front = fronts_[cpu];
    ++front.count.accesses;
    Tlb& l1 = arrays_[kind == AccessKind::fetch ? front.itlb : front.dtlb];
    if (const std::int32_t slot = l1.lookup(tlb_tag(page, front.context)); slot >= 0) {
        TlbPayload& entry = l1.payload(static_cast<std::uint32_t>(slot));
        if (may(kind, entry)) {
            ++front.count.l1_hits;
            AccessResult result;
            result.frame = entry.frame & ~TlbPayload::kWritable;
            if (entry.version != table->change_count())
                result.stale_use = verify(entry, page, *table, front.count);
            return result;
        }
    }
    if (front.huge_user_pages) return miss_huge(access);
    return miss_small(access);
}

// The 2 MiB entries, which are looked at together with the small ones.
AccessResult Mmu::miss_huge(const Access& access) {
    const auto page = access.page;
    const PageTable* const table = access.table;
    const auto cpu = access.cpu;
    const auto kind = access.kind;
    Front& front = fronts_[cpu];
    const TlbTag tag = tlb_tag_huge(page, front.context);
    const std::uint32_t l1_id = kind == AccessKind::fetch ? front.itlb : front.dtlb_huge;
    Tlb* const l1 = l1_id != kNoArray ? &arrays_[l1_id] : nullptr;
    AccessResult result;
    const auto use = [&](Tlb& array) -> TlbPayload* {
        const std::int32_t slot = array.lookup(tag);
        if (slot < 0) return nullptr;
        TlbPayload& entry = array.payload(static_cast<std::uint32_t>(slot));
        if (!may(kind, entry)) return nullptr;
        result.frame = (entry.frame & ~TlbPayload::kWritable) + static_cast<std::uint32_t>(page & 511);
        if (entry.version != table->change_count())
            result.stale_use = verify(entry, page, *table, front.count);
        return &entry;
    };
    if (l1 && use(*l1)) {
        ++front.count.l1_hits;
        return result;
    }
    if (front.stlb != kNoArray && stlb_holds_huge_)
        if (const TlbPayload* entry = use(arrays_[front.stlb])) {
            ++front.count.stlb_hits;
            result.outcome = AccessOutcome::stlb_hit;
            result.cycles = static_cast<std::uint32_t>(stlb_hit_);
            if (l1) put(*l1, tag, *entry, kind, live_[front.core]);
            return result;
        }
    return miss_small(access);
}

AccessResult Mmu::miss_small(const Access& access) {
    const auto page = access.page;
    const PageTable* const table = access.table;
    const auto cpu = access.cpu;
    const auto kind = access.kind;
    Front& front = fronts_[cpu];
    if (front.stlb == kNoArray) return load(access);
    Tlb& stlb = arrays_[front.stlb];
    const TlbTag tag = tlb_tag(page, front.context);
    const std::int32_t slot = stlb.lookup(tag);
    if (slot < 0) return load(access);
    TlbPayload& entry = stlb.payload(static_cast<std::uint32_t>(slot));
    if (!may(kind, entry)) return load(access);
    ++front.count.stlb_hits;
    AccessResult result;
    result.outcome = AccessOutcome::stlb_hit;
    result.frame = entry.frame & ~TlbPayload::kWritable;
    result.cycles = static_cast<std::uint32_t>(stlb_hit_);
    if (entry.version != table->change_count()) result.stale_use = verify(entry, page, *table, front.count);
    put(arrays_[kind == AccessKind::fetch ? front.itlb : front.dtlb], tag, entry, kind, live_[front.core]);
    return result;
}

// No TLB has it: walk, and fault or load the translation into both levels.
AccessResult Mmu::load(const Access& access) {
    const auto page = access.page;
    const PageTable* const table = access.table;
    auto* const caches = access.caches;
    const auto now = access.now;
    const auto cpu = access.cpu;
    const auto kind = access.kind;
    Front& front = fronts_[cpu];
    MmuCounters& count = front.count;
    const bool fetch = kind == AccessKind::fetch;
    Tlb& l1 = arrays_[fetch ? front.itlb : front.dtlb];
    Tlb* const stlb = front.stlb != kNoArray ? &arrays_[front.stlb] : nullptr;
    AccessResult result;
    const WalkResult walked = walk(cpu, page, fetch, *table, *caches);
    result.cycles = static_cast<std::uint32_t>(walked.cycles);
    if (!(walked.pte & kPtePresent) || (kind == AccessKind::write && !(walked.pte & kPteWrite))) {
        // SDM 3A 4.10.4.1: a page fault drops the entry that caused it.
        const TlbTag tag = tlb_tag(page, front.context);
        l1.invalidate(tag, now);
        if (stlb) stlb->invalidate(tag, now);
        ++count.faults;
        result.outcome = AccessOutcome::fault;
        return result;
    }
    ++count.walks;
    result.outcome = AccessOutcome::walk;
    if (front.full_cause | front.range_cause) {
        result.refill_cause = refill_cause(front, page, walked.huge);
        if (result.refill_cause) ++count.refills;
    }
    result.frame = frame_of(walked.pte) + (walked.huge ? static_cast<std::uint32_t>(page & 511) : 0);
    const TlbPayload entry{now, frame_of(walked.pte) | (walked.pte & kPteWrite ? TlbPayload::kWritable : 0),
                           table->change_count()};
    const TlbTag tag = walked.huge ? tlb_tag_huge(page, front.context) : tlb_tag(page, front.context);
    const LiveContexts& live = live_[front.core];
    if (!walked.huge) {
        put(l1, tag, entry, kind, live);
        if (stlb) put(*stlb, tag, entry, kind, live);
    } else {
        front.huge_user_pages = true;
        if (fetch)
            put(l1, tag, entry, kind, live);
        else if (front.dtlb_huge != kNoArray)
            put(arrays_[front.dtlb_huge], tag, entry, kind, live);
        if (stlb && stlb_holds_huge_) put(*stlb, tag, entry, kind, live);
    }
    return result;
}

AccessResult Mmu::access_kernel(CpuId cpu, PageNumber page, AccessKind kind, const PageTable& table,
                                CacheHierarchy& caches, Cycles now) {
    Front& front = fronts_[cpu];
    MmuCounters& count = front.count;
    ++count.accesses;
    AccessResult result;
    const bool fetch = kind == AccessKind::fetch;
    const LiveContexts& live = live_[front.core];
    const bool global = fetch ? kernel_.global_text : kernel_.global_data;
    const TlbTag tag = tlb_tag_huge(page, global ? live.global : live.kernel_of_sibling[front.sibling]);
    const std::uint32_t l1_id = fetch ? front.itlb : front.dtlb_huge;
    Tlb* const l1 = l1_id != kNoArray ? &arrays_[l1_id] : nullptr;
    if (l1 && l1->lookup(tag) >= 0) {
        ++count.l1_hits;
        return result;
    }
    Tlb* const stlb = front.stlb != kNoArray && stlb_holds_huge_ ? &arrays_[front.stlb] : nullptr;
    if (stlb)
        if (const std::int32_t slot = stlb->lookup(tag); slot >= 0) {
            ++count.stlb_hits;
            result.outcome = AccessOutcome::stlb_hit;
            result.cycles = static_cast<std::uint32_t>(stlb_hit_);
            if (l1) l1->fill(tag, stlb->payload(static_cast<std::uint32_t>(slot)), live_[front.core]);
            return result;
        }
    ++count.walks;
    const WalkResult walked = walk(cpu, page, fetch, table, caches);
    result.outcome = AccessOutcome::walk;
    result.cycles = static_cast<std::uint32_t>(walked.cycles);
    const TlbPayload entry{now, frame_of(walked.pte) | TlbPayload::kWritable, table.change_count()};
    if (l1) l1->fill(tag, entry, live_[front.core]);
    if (stlb) stlb->fill(tag, entry, live_[front.core]);
    return result;
}

Mmu::ArrayIds Mmu::arrays_of(CpuId cpu) const {
    const Front& front = fronts_[cpu];
    return {front.dtlb, front.dtlb_huge == front.dtlb ? kNoArray : front.dtlb_huge, front.itlb, front.stlb};
}

} // namespace tlbscope
