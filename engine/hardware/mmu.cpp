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

} // namespace

Mmu::Mmu(const ProcessorSpec& processor, const Topology& topology, const Sharing* sharing, std::uint64_t seed)
    : fronts_(static_cast<std::size_t>(topology.cpus())), live_(static_cast<std::size_t>(topology.cores())),
      next_context_(static_cast<std::size_t>(topology.cores()), kFirstContext),
      counters_(static_cast<std::size_t>(topology.cpus())), stlb_holds_huge_(processor.stlb.holds_huge),
      stlb_hit_(processor.costs.stlb_hit) {
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
        for (std::uint32_t s = 0; s < siblings; ++s) {
            Front& front = fronts_[topology.cpu_of(core, static_cast<int>(s))];
            front.core = static_cast<std::uint32_t>(core);
            front.sibling = s;
            front.context = live.of_sibling[s] = next_context(front.core);
        }
    }
    const std::uint32_t sizes[3] = {processor.psc_pml4, processor.psc_pdpt, processor.psc_pd};
    for (int i = 0; i < 3; ++i) {
        psc_size_[i] = sizes[i] ? std::bit_floor(sizes[i]) : 0;
        psc_per_cpu_ += psc_size_[i];
    }
    psc_.resize(std::size_t{psc_per_cpu_} * fronts_.size());
}

TlbContext Mmu::next_context(std::size_t core) {
    TlbContext& next = next_context_[core];
    if (next == kDeadContext) {
        // Numbers are used up after 16 million flushes: drop everything for real and start again.
        for (Front& front : fronts_) {
            if (front.core != core) continue;
            for (std::uint32_t id : {front.dtlb, front.dtlb_huge, front.itlb, front.stlb})
                if (id != kNoArray) arrays_[id].clear();
            front.context = live_[core].of_sibling[front.sibling] =
                kFirstContext + static_cast<TlbContext>(front.sibling);
            front.previous = kDeadContext;
        }
        next = kFirstContext + live_[core].siblings;
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
}

void Mmu::invlpg(CpuId cpu, PageNumber page, std::uint32_t cause, Cycles now) {
    Front& front = fronts_[cpu];
    const TlbTag small = tlb_tag(page, front.context);
    arrays_[front.dtlb].invalidate(small, now);
    arrays_[front.itlb].invalidate(small, now);
    if (front.stlb != kNoArray) arrays_[front.stlb].invalidate(small, now);
    for (const TlbContext context : {front.context, kGlobalContext}) {
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

Cycles Mmu::walk_cost(CpuId cpu, PageNumber page, const PageTable::Walk& walk, CacheHierarchy& caches) {
    const Front& front = fronts_[cpu];
    PscEntry* const base = psc_.data() + std::size_t{psc_per_cpu_} * cpu;
    // Cache i holds the table entry that is read at step i of the walk (pml4, pdpt, pd).
    PscEntry* slots[3];
    std::uint64_t prefixes[3];
    std::uint32_t offset = 0;
    int first = 0;
    for (int i = 0; i < 3; ++i) {
        prefixes[i] = page >> (27 - 9 * i);
        slots[i] = psc_size_[i] ? base + offset + (prefixes[i] & (psc_size_[i] - 1)) : nullptr;
        offset += psc_size_[i];
        const bool inner = i + 1 < walk.levels; // a leaf is never in these caches
        if (slots[i] && inner && slots[i]->generation == front.psc_generation &&
            slots[i]->prefix == prefixes[i])
            first = i + 1;
    }
    Cycles cost = 0;
    for (int step = first; step < walk.levels; ++step) {
        const std::uint64_t address = walk.entry_address[static_cast<std::size_t>(step)];
        cost += caches.load(static_cast<int>(front.core), static_cast<LineNumber>(address >> 6));
        if (step < 3 && slots[step] && step + 1 < walk.levels)
            *slots[step] = {prefixes[step], front.psc_generation};
    }
    return cost;
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

AccessResult Mmu::miss(CpuId cpu, PageNumber page, AccessKind kind, const PageTable& table,
                       CacheHierarchy& caches, Cycles now) {
    Front& front = fronts_[cpu];
    MmuCounters& count = counters_[cpu];
    const LiveContexts& live = live_[front.core];
    AccessResult result;
    const bool fetch = kind == AccessKind::fetch;
    const TlbTag tag = tlb_tag(page, front.context), huge_tag = tlb_tag_huge(page, front.context);

    const auto usable = [&](const TlbPayload& e) {
        return kind != AccessKind::write || (e.frame & TlbPayload::kWritable);
    };
    const auto hit = [&](TlbPayload& e, AccessOutcome outcome, bool huge_page) {
        result.outcome = outcome;
        result.frame =
            (e.frame & ~TlbPayload::kWritable) + (huge_page ? static_cast<std::uint32_t>(page & 511) : 0);
        if (e.version != table.change_count()) result.stale_use = verify(e, page, table, count);
    };
    // 2 MiB pages: L1 array of their own, or the iTLB for code.
    Tlb* const huge_l1 = fetch                         ? &arrays_[front.itlb]
                         : front.dtlb_huge != kNoArray ? &arrays_[front.dtlb_huge]
                                                       : nullptr;
    if (huge_l1)
        if (const std::int32_t slot = huge_l1->lookup(huge_tag); slot >= 0) {
            TlbPayload& entry = huge_l1->payload(static_cast<std::uint32_t>(slot));
            if (usable(entry)) {
                ++count.l1_hits;
                hit(entry, AccessOutcome::l1_hit, true);
                return result;
            }
        }
    Tlb& l1 = arrays_[fetch ? front.itlb : front.dtlb];
    Tlb* const stlb = front.stlb != kNoArray ? &arrays_[front.stlb] : nullptr;
    if (stlb) {
        const std::int32_t slot = stlb->lookup(tag);
        if (slot >= 0) {
            TlbPayload& entry = stlb->payload(static_cast<std::uint32_t>(slot));
            if (usable(entry)) {
                ++count.stlb_hits;
                result.stlb = stlb_hit_;
                hit(entry, AccessOutcome::stlb_hit, false);
                if (l1.probe(tag) < 0) l1.fill(tag, entry, live);
                return result;
            }
        }
        if (stlb_holds_huge_)
            if (const std::int32_t huge_slot = stlb->lookup(huge_tag); huge_slot >= 0) {
                TlbPayload& entry = stlb->payload(static_cast<std::uint32_t>(huge_slot));
                if (usable(entry)) {
                    ++count.stlb_hits;
                    result.stlb = stlb_hit_;
                    hit(entry, AccessOutcome::stlb_hit, true);
                    if (huge_l1 && huge_l1->probe(huge_tag) < 0) huge_l1->fill(huge_tag, entry, live);
                    return result;
                }
            }
    }

    const PageTable::Walk walk = table.walk(page);
    result.walk = walk_cost(cpu, page, walk, caches);
    const Pte pte = walk.leaf.pte;
    if (!(pte & kPtePresent) || (kind == AccessKind::write && !(pte & kPteWrite))) {
        // SDM 3A 4.10.4.1: a page fault drops the entry that caused it.
        l1.invalidate(tag, now);
        if (stlb) stlb->invalidate(tag, now);
        ++count.faults;
        result.outcome = AccessOutcome::fault;
        return result;
    }
    ++count.walks;
    result.outcome = AccessOutcome::walk;
    const bool huge = walk.leaf.huge;
    result.refill_cause = refill_cause(front, page, huge);
    if (result.refill_cause) ++count.refills;
    result.frame = frame_of(pte & ~Pte{0xfff}) + (huge ? static_cast<std::uint32_t>(page & 511) : 0);
    const TlbPayload entry{now, frame_of(pte) | (pte & kPteWrite ? TlbPayload::kWritable : 0),
                           table.change_count()};
    const TlbTag loaded = huge ? huge_tag : tag;
    const auto load = [&](Tlb* array) {
        if (!array) return;
        const std::int32_t old = array->probe(loaded); // read-only entry being upgraded
        if (old >= 0)
            array->payload(static_cast<std::uint32_t>(old)) = entry;
        else
            array->fill(loaded, entry, live);
    };
    load(huge ? huge_l1 : &l1);
    if (!huge || stlb_holds_huge_) load(stlb);
    return result;
}

AccessResult Mmu::access_kernel(CpuId cpu, PageNumber page, AccessKind kind, const PageTable& table,
                                CacheHierarchy& caches, Cycles now) {
    Front& front = fronts_[cpu];
    MmuCounters& count = counters_[cpu];
    ++count.accesses;
    AccessResult result;
    const TlbTag tag = tlb_tag_huge(page, kGlobalContext);
    const std::uint32_t l1_id = kind == AccessKind::fetch ? front.itlb : front.dtlb_huge;
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
            result.stlb = stlb_hit_;
            if (l1) l1->fill(tag, stlb->payload(static_cast<std::uint32_t>(slot)), live_[front.core]);
            return result;
        }
    ++count.walks;
    const PageTable::Walk walk = table.walk(page);
    result.outcome = AccessOutcome::walk;
    result.walk = walk_cost(cpu, page, walk, caches);
    const TlbPayload entry{now, frame_of(walk.leaf.pte) | TlbPayload::kWritable, table.change_count()};
    if (l1) l1->fill(tag, entry, live_[front.core]);
    if (stlb) stlb->fill(tag, entry, live_[front.core]);
    return result;
}

Mmu::ArrayIds Mmu::arrays_of(CpuId cpu) const {
    const Front& front = fronts_[cpu];
    return {front.dtlb, front.dtlb_huge, front.itlb, front.stlb};
}

} // namespace tlbscope
