#include "engine/session/observe_cells.h"

#include <algorithm>

namespace tlbscope {

namespace {

// How long a mark stays, in simulated seconds: long enough to be seen at the speeds at which single
// shootdowns are watched (1:1000 and slower).
constexpr double kRefilledFor = 5e-6, kFlushedFor = 15e-6;

struct Owner {
    const PageTable* table = nullptr; // of the mm the sibling has loaded
    TlbContext previous = kDeadContext;
    Cycles flushed_at = -1;
};

} // namespace

void observe_cells(const Simulation& simulation, const MachineDescription& machine, Snapshot& out) {
    const Kernel& kernel = simulation.kernel();
    const Mmu& mmu = kernel.mmu();
    const Topology& topology = kernel.topology();
    const Cycles now = kernel.now();
    const auto refilled = static_cast<Cycles>(machine.hz * kRefilledFor);
    const auto flushed = static_cast<Cycles>(machine.hz * kFlushedFor);
    out.cells.assign(static_cast<std::size_t>(topology.cores()) * machine.cells_per_core, {});

    for (int core = 0; core < topology.cores(); ++core) {
        const LiveContexts& live = mmu.live(core);
        std::array<Owner, 8> owners;
        for (int s = 0; s < topology.threads_per_core; ++s) {
            const CpuId cpu = topology.cpu_of(core, s);
            Owner& owner = owners[static_cast<std::size_t>(s)];
            owner.table = &kernel.mm(kernel.cpu(cpu).active_mm).page_table;
            owner.previous = mmu.previous_context(cpu);
            owner.flushed_at = mmu.last_flush(cpu);
        }
        for (const TlbArray& array : machine.arrays) {
            const CpuId user = topology.cpu_of(core, std::max<int>(0, array.sibling));
            const Mmu::ArrayIds ids = mmu.arrays_of(user);
            const std::uint32_t id = array.level == TlbLevel::dtlb        ? ids.dtlb
                                     : array.level == TlbLevel::dtlb_huge ? ids.dtlb_huge
                                     : array.level == TlbLevel::itlb      ? ids.itlb
                                                                          : ids.stlb;
            const Tlb& tlb = mmu.array(id);
            TlbCell* cells =
                out.cells.data() + static_cast<std::size_t>(core) * machine.cells_per_core + array.first_cell;
            std::uint32_t shared_valid = 0;
            const bool ages = tlb.ways() <= 16;
            for (std::uint32_t slot = 0; slot < tlb.entries(); ++slot) {
                const TlbTag tag = tlb.tag(slot);
                const TlbContext context = context_of(tag);
                if (context == kInvalidContext) continue;
                TlbCell& cell = cells[slot];
                const TlbPayload& payload = tlb.payload(slot);
                if (tag & kHugeBit) cell.flags |= TlbCell::kHuge;
                if (context == kDeadContext) {
                    if (now - payload.filled <= flushed) cell.mark = EntryMark::just_flushed;
                    if (array.sibling > 0) cell.sibling = static_cast<std::uint8_t>(array.sibling);
                    continue;
                }
                bool alive = context == live.global;
                if (alive) cell.flags |= TlbCell::kGlobal;
                for (std::uint32_t s = 0; s < live.siblings; ++s) {
                    const Owner& owner = owners[s];
                    if (live.halves && live.kernel_of_sibling[s] == context) {
                        alive = true;
                        cell.sibling = static_cast<std::uint8_t>(s);
                    } else if (live.of_sibling[s] == context) {
                        alive = true;
                        cell.sibling = static_cast<std::uint8_t>(s);
                        if (payload.version != owner.table->change_count() &&
                            owner.table->leaf(page_of(tag)).version > payload.version)
                            cell.flags |= TlbCell::kStale;
                    } else if (owner.previous == context && now - owner.flushed_at <= flushed) {
                        cell.sibling = static_cast<std::uint8_t>(s);
                        cell.mark = EntryMark::just_flushed;
                    }
                }
                if (!alive) continue;
                cell.flags |= TlbCell::kValid;
                ++shared_valid;
                if (ages)
                    cell.age =
                        static_cast<std::uint8_t>(tlb.recency(slot) * 255 / std::max(1u, tlb.ways() - 1));
                if (now - payload.filled <= refilled) cell.mark = EntryMark::just_refilled;
            }
            for (int s = 0; s < topology.threads_per_core; ++s)
                if (array.sibling < 0 || array.sibling == s)
                    out.cpus[topology.cpu_of(core, s)].valid_entries += shared_valid;
        }
    }
}

} // namespace tlbscope
