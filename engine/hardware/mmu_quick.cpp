// The common cases of a translation that misses the L1 TLB, for the kinds of array processors have.
#include "engine/hardware/mmu.h"

namespace tlbscope {

// Neither TLB has it. Quick where the lowest table is known: one load, and no 2 MiB page.
template <Tlb::Quick L1, Tlb::Quick Stlb>
AccessResult Mmu::walk_quick(const Access& access) {
    Front& front = fronts_[access.cpu];
    ++front.count.accesses;
    Tlb& l1 = arrays_[access.kind == AccessKind::fetch ? front.itlb : front.dtlb];
    Tlb& stlb = arrays_[front.stlb];
    const TlbTag tag = tlb_tag(access.page, front.context);
    const PscEntry* const pd = psc_slot(access.cpu, access.page, 2);
    const LiveContexts& live = live_[front.core];
    if (!pd || pd->key != psc_key(front, access.page, 2) || !l1.swept(tag, live) || !stlb.swept(tag, live))
        return load(access);
    const PageTable::LastStep step = access.table->last_step(pd->table, access.page);
    if (!(step.pte & kPtePresent) || (access.kind == AccessKind::write && !(step.pte & kPteWrite)))
        return load(access);
    AccessResult result;
    result.cycles = static_cast<std::uint32_t>(load_entry(access.cpu, front.core, step.entry_address,
                                                          access.kind == AccessKind::fetch, *access.caches));
    result.outcome = AccessOutcome::walk;
    ++front.count.walks;
    if (front.full_cause | front.range_cause) {
        result.refill_cause = refill_cause(front, access.page, false);
        if (result.refill_cause) ++front.count.refills;
    }
    result.frame = frame_of(step.pte);
    const TlbPayload loaded{access.now, result.frame | (step.pte & kPteWrite ? TlbPayload::kWritable : 0),
                            access.table->change_count()};
    l1.fill_quick<L1>(tag, loaded);
    stlb.fill_quick<Stlb>(tag, loaded);
    return result;
}

template <Tlb::Quick L1>
AccessResult Mmu::miss_quick(const Access& access) {
    if (quick_stlb_ == Tlb::Quick::four) return miss_quick<L1, Tlb::Quick::four>(access);
    if (quick_stlb_ == Tlb::Quick::eight) return miss_quick<L1, Tlb::Quick::eight>(access);
    return access_any(access);
}

template <Tlb::Quick L1, Tlb::Quick Stlb>
inline AccessResult Mmu::miss_quick(const Access& access) {
    Front& front = fronts_[access.cpu];
    if (front.huge_user_pages) return access_any(access);
    Tlb& stlb = arrays_[front.stlb];
    const TlbTag tag = tlb_tag(access.page, front.context);
    const std::int32_t slot = stlb.lookup_quick<Stlb>(tag);
    Tlb& l1 = arrays_[access.kind == AccessKind::fetch ? front.itlb : front.dtlb];
    if (slot < 0) return walk_quick<L1, Stlb>(access);
    const TlbPayload& entry = stlb.payload(static_cast<std::uint32_t>(slot));
    if (!may(access.kind, entry) || entry.version != access.table->change_count() ||
        !l1.swept(tag, live_[front.core]))
        return access_any(access);
    ++front.count.accesses;
    ++front.count.stlb_hits;
    l1.fill_quick<L1>(tag, entry);
    AccessResult result;
    result.frame = entry.frame & ~TlbPayload::kWritable;
    result.cycles = static_cast<std::uint32_t>(stlb_hit_);
    result.outcome = AccessOutcome::stlb_hit;
    return result;
}

template AccessResult Mmu::miss_quick<Tlb::Quick::four>(const Access&);
template AccessResult Mmu::miss_quick<Tlb::Quick::full>(const Access&);

} // namespace tlbscope
