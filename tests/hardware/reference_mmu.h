// Translation in a machine as a reader would write it, from ReferenceTlb and std::vector.
#pragma once

#include "engine/hardware/mmu.h"
#include "tests/hardware/reference_tlb.h"

#include <optional>
#include <vector>

namespace tlbscope {

class ReferenceMmu {
public:
    ReferenceMmu(const ProcessorSpec& spec, const Topology& topology, const Sharing* sharing,
                 std::uint64_t seed, TlbContext context_limit)
        : spec_(spec), topology_(topology), cpus_(static_cast<std::size_t>(topology.cpus())),
          flushes_(static_cast<std::size_t>(topology.cores()), topology.threads_per_core),
          flushes_until_wrap_(static_cast<int>(context_limit - kFirstContext)) {
        const auto siblings = static_cast<std::uint32_t>(topology.threads_per_core);
        const TlbSpec* specs[4] = {&spec.dtlb, &spec.dtlb_huge, &spec.itlb, &spec.stlb};
        for (int core = 0; core < topology.cores(); ++core)
            for (int which = 0; which < 4; ++which) {
                const TlbSpec& t = *specs[which];
                if (!t.entries) continue;
                Sharing how = sharing ? *sharing : t.sharing;
                if (siblings == 1) how = Sharing::shared;
                const std::uint32_t entries =
                    how == Sharing::split ? std::max(1u, t.entries / siblings) : t.entries;
                for (std::uint32_t s = 0; s < siblings; ++s) {
                    if (s == 0 || how != Sharing::shared) {
                        arrays.emplace_back(entries, std::min(t.ways, entries), t.replacement,
                                            seed * 0x9e3779b97f4a7c15u + arrays.size() + 1);
                    }
                    cpu(core, static_cast<int>(s)).array[which] = static_cast<int>(arrays.size()) - 1;
                }
            }
        for (Cpu& c : cpus_)
            forget_tables(c);
    }

    AccessResult access(CpuId id, PageNumber page, AccessKind kind, const PageTable& table,
                        CacheHierarchy& caches) {
        Cpu& c = cpus_[id];
        const int sibling = topology_.sibling_of(id);
        ++c.count.accesses;
        const bool fetch = kind == AccessKind::fetch;
        const int l1 = c.array[fetch ? 2 : 0], huge_l1 = c.array[fetch ? 2 : 1], stlb = c.array[3];
        const PageNumber huge_page = page & ~PageNumber{511};
        const auto find = [&](int array, bool huge) -> ReferenceTlb::Entry* {
            if (array < 0) return nullptr;
            const int slot = at(array).lookup(huge ? huge_page : page, huge, sibling);
            if (slot < 0) return nullptr;
            ReferenceTlb::Entry& e = at(array).entry(slot);
            return kind == AccessKind::write && !e.writable ? nullptr : &e;
        };
        const auto put = [&](int array, bool huge, const ReferenceTlb::Entry& what) {
            if (array < 0) return;
            int slot = at(array).find(huge ? huge_page : page, huge, sibling);
            if (slot < 0) slot = at(array).fill(huge ? huge_page : page, huge, sibling);
            ReferenceTlb::Entry& e = at(array).entry(slot);
            e.frame = what.frame;
            e.loaded = what.loaded;
            e.writable = what.writable;
        };
        AccessResult result;
        const auto hit = [&](const ReferenceTlb::Entry& e, bool in_stlb) {
            result.frame = e.frame + static_cast<std::uint32_t>(page - (e.huge ? huge_page : page));
            result.outcome = in_stlb ? AccessOutcome::stlb_hit : AccessOutcome::l1_hit;
            result.cycles = in_stlb ? static_cast<std::uint32_t>(spec_.costs.stlb_hit) : 0;
            ++(in_stlb ? c.count.stlb_hits : c.count.l1_hits);
            const PageTable::Leaf leaf = table.leaf(page);
            result.stale_use = leaf.version > e.loaded && leaf.flushed > e.loaded;
            c.count.stale_uses += result.stale_use;
            return result;
        };
        if (const auto* e = find(l1, false)) return hit(*e, false);
        if (c.huge_user_pages) {
            if (const auto* e = find(huge_l1, true)) return hit(*e, false);
            if (spec_.stlb.holds_huge)
                if (const auto* e = find(stlb, true)) {
                    const ReferenceTlb::Entry found = *e;
                    put(huge_l1, true, found);
                    return hit(found, true);
                }
        }
        if (const auto* e = find(stlb, false)) {
            const ReferenceTlb::Entry found = *e;
            put(l1, false, found);
            return hit(found, true);
        }
        const PageTable::Leaf leaf = table.leaf(page);
        result.cycles = static_cast<std::uint32_t>(walk(id, page, table, caches));
        if (!(leaf.pte & kPtePresent) || (kind == AccessKind::write && !(leaf.pte & kPteWrite))) {
            at(l1).invalidate(page, false, sibling);
            if (stlb >= 0) at(stlb).invalidate(page, false, sibling);
            ++c.count.faults;
            result.outcome = AccessOutcome::fault;
            return result;
        }
        ++c.count.walks;
        result.outcome = AccessOutcome::walk;
        const bool huge = leaf.huge;
        const int memory = huge && !spec_.stlb.holds_huge ? c.array[1] : stlb >= 0 ? stlb : c.array[0];
        if (memory >= 0) {
            const PageNumber key = huge ? huge_page : page;
            if (c.full_cause && at(memory).shows_dead(key, huge, sibling, c.flushes))
                result.refill_cause = c.full_cause;
            // Large fully associative arrays do not find what INVLPG dropped.
            else if (c.range_cause && at(memory).ways() <= 16 &&
                     at(memory).shows_dead(key, huge, sibling, ReferenceTlb::kInvlpg))
                result.refill_cause = c.range_cause;
        }
        c.count.refills += result.refill_cause != 0;
        ReferenceTlb::Entry loaded;
        loaded.frame = frame_of(leaf.pte);
        loaded.writable = leaf.pte & kPteWrite;
        loaded.loaded = table.change_count();
        result.frame = loaded.frame + static_cast<std::uint32_t>(page - (huge ? huge_page : page));
        if (huge) c.huge_user_pages = true;
        put(huge ? huge_l1 : l1, huge, loaded);
        if (!huge || spec_.stlb.holds_huge) put(stlb, huge, loaded);
        return result;
    }

    AccessResult access_kernel(CpuId id, PageNumber page, AccessKind kind, const PageTable& table,
                               CacheHierarchy& caches) {
        Cpu& c = cpus_[id];
        ++c.count.accesses;
        const int l1 = c.array[kind == AccessKind::fetch ? 2 : 1];
        const int stlb = spec_.stlb.holds_huge ? c.array[3] : -1;
        const PageNumber huge = page & ~PageNumber{511};
        AccessResult result;
        if (l1 >= 0 && at(l1).lookup(huge, true, ReferenceTlb::kGlobal) >= 0) {
            ++c.count.l1_hits;
            return result;
        }
        if (stlb >= 0 && at(stlb).lookup(huge, true, ReferenceTlb::kGlobal) >= 0) {
            ++c.count.stlb_hits;
            result.outcome = AccessOutcome::stlb_hit;
            result.cycles = static_cast<std::uint32_t>(spec_.costs.stlb_hit);
            if (l1 >= 0) at(l1).fill(huge, true, ReferenceTlb::kGlobal);
            return result;
        }
        ++c.count.walks;
        result.outcome = AccessOutcome::walk;
        result.cycles = static_cast<std::uint32_t>(walk(id, page, table, caches));
        if (l1 >= 0) at(l1).fill(huge, true, ReferenceTlb::kGlobal);
        if (stlb >= 0) at(stlb).fill(huge, true, ReferenceTlb::kGlobal);
        return result;
    }

    void flush_all(CpuId id, std::uint32_t cause) {
        Cpu& c = cpus_[id];
        const int core = topology_.core_of(id);
        int& flushes = flushes_[static_cast<std::size_t>(core)];
        if (flushes == flushes_until_wrap_) {
            // Out of numbers: everything of this core goes, global entries too.
            for (int s = 0; s < topology_.threads_per_core; ++s)
                for (const int array : cpu(core, s).array)
                    if (array >= 0) at(array).clear();
            flushes = topology_.threads_per_core;
        }
        ++flushes;
        ++c.flushes;
        for (const int array : c.array)
            if (array >= 0) at(array).flush(topology_.sibling_of(id), c.flushes);
        c.full_cause = cause;
        forget_tables(c);
    }

    void invlpg(CpuId id, PageNumber page, std::uint32_t cause) {
        Cpu& c = cpus_[id];
        const int sibling = topology_.sibling_of(id);
        for (int which = 0; which < 4; ++which) {
            if (c.array[which] < 0) continue;
            ReferenceTlb& array = at(c.array[which]);
            array.invalidate(page, false, sibling);
            array.invalidate(page & ~PageNumber{511}, true, sibling);
            array.invalidate(page & ~PageNumber{511}, true, ReferenceTlb::kGlobal);
        }
        c.range_cause = cause;
        forget_tables(c);
    }

    const MmuCounters& counters(CpuId id) const { return cpus_[id].count; }

    std::vector<ReferenceTlb> arrays;

private:
    struct Cpu {
        int array[4] = {-1, -1, -1, -1}; // dtlb, dtlb_huge, itlb, stlb
        std::uint32_t flushes = 0, full_cause = 0, range_cause = 0;
        bool huge_user_pages = false;
        std::vector<std::optional<PageNumber>> tables[3]; // page-structure caches, by level read
        MmuCounters count;
    };

    ReferenceTlb& at(int array) { return arrays[static_cast<std::size_t>(array)]; }
    Cpu& cpu(int core, int sibling) { return cpus_[topology_.cpu_of(core, sibling)]; }

    void forget_tables(Cpu& c) {
        const std::uint32_t sizes[3] = {spec_.psc_pml4, spec_.psc_pdpt, spec_.psc_pd};
        for (int i = 0; i < 3; ++i)
            c.tables[i].assign(sizes[i] ? std::bit_floor(sizes[i]) : 0, {});
    }

    // Loads what the paging-structure caches do not know, top first; returns the cycles.
    Cycles walk(CpuId id, PageNumber page, const PageTable& table, CacheHierarchy& caches) {
        Cpu& c = cpus_[id];
        const PageTable::Walk steps = table.walk(page);
        const auto prefix = [&](int i) { return page >> (27 - 9 * i); };
        const auto place = [&](int i) -> std::optional<PageNumber>* {
            return c.tables[i].empty() ? nullptr : &c.tables[i][prefix(i) % c.tables[i].size()];
        };
        int first = 0;
        for (int i = 0; i < 3 && i + 1 < steps.levels; ++i)
            if (place(i) && *place(i) == prefix(i)) first = i + 1;
        Cycles cycles = 0;
        for (int step = first; step < steps.levels; ++step) {
            cycles += caches.load(
                topology_.core_of(id),
                static_cast<LineNumber>(steps.entry_address[static_cast<std::size_t>(step)] >> 6));
            if (step + 1 < steps.levels && place(step)) *place(step) = prefix(step);
        }
        return cycles;
    }

    ProcessorSpec spec_;
    Topology topology_;
    std::vector<Cpu> cpus_;
    std::vector<int> flushes_; // context numbers used, per core
    int flushes_until_wrap_;
};

} // namespace tlbscope
