// Between user mode and the kernel: CR3 loads of an address-space split, and what an entry touches.
#include "engine/kernel/kernel.h"

namespace tlbscope {

// The kernel's image lies from 1 MiB up; each kind of entry has lines of its own in it.
constexpr std::uint32_t kImageFrame = 0x100, kImagePart = 16; // pages

PageNumber Kernel::kernel_page(PageNumber page, CpuId cpu) {
    page &= ~PageNumber{kPagesPerHugePage - 1};
    if (kernel_table_.leaf(page).pte == 0) {
        const bool text = paging_ == Paging::four_level && page >= text_page();
        const PageNumber frame = text ? 0 : page - direct_map();
        kernel_table_.set_huge(
            page, make_pte(static_cast<std::uint32_t>(frame), kPtePresent | kPteWrite | kPteGlobal),
            [this, cpu] { return pages_.alloc(cpu); });
    }
    return page;
}

Cycles Kernel::touch_kernel(CpuId cpu, Entry entry) {
    const KernelFootprint& footprint = processor_->footprint;
    for (std::uint32_t i = 0; i < footprint.text_pages; ++i)
        pending_kernel_walk_ += mmu_.access_kernel(cpu, kernel_page(text_page() + i * kPagesPerHugePage, cpu),
                                                   AccessKind::fetch, kernel_table_, caches_, now_)
                                    .cycles;
    // The image itself, then per-CPU data and stacks further up.
    for (std::uint32_t i = 0; i < footprint.data_pages; ++i)
        pending_kernel_walk_ +=
            mmu_.access_kernel(cpu, kernel_page(direct_map() + i * 8 * kPagesPerHugePage, cpu),
                               AccessKind::read, kernel_table_, caches_, now_)
                .cycles;
    const std::uint32_t bytes = entry == Entry::timer       ? footprint.timer
                                : entry == Entry::interrupt ? footprint.interrupt
                                                            : footprint.syscall;
    const auto first = static_cast<LineNumber>(
        (kImageFrame + kImagePart * static_cast<std::uint32_t>(entry)) * (kPageBytes / 64));
    const int core = topology_.core_of(cpu);
    const Cycles hit = caches_.l1d_latency();
    Cycles misses = 0;
    for (std::uint32_t line = 0; line < bytes / 64; ++line)
        misses += caches_.load(core, first + line) - hit;
    return misses;
}

Cycles Kernel::cr3_cost() const {
    const Costs& costs = processor_->costs;
    if (config_.split->pcid) return costs.cr3_write_noflush;
    return paging_ == Paging::pae ? costs.cr3_write_pae : costs.cr3_write;
}

// User mode is what the interrupt came upon: no system call or fault is under way, or it has just left.
bool Kernel::interrupts_user(CpuId id) const {
    const Cpu& cpu = cpus_[id];
    if (cpu.current == 0) return false;
    const OpStep step = tasks_[cpu.current].op.step;
    return step == OpStep::none || step == OpStep::trap || step == OpStep::finish;
}

Cycles Kernel::write_cr3(CpuId id, bool entry) {
    Cpu& cpu = cpus_[id];
    ++entries_[id].cr3_loads;
    const bool keeps = config_.split->pcid && !(cpu.flush_user_half && !entry);
    emit(EventKind::cr3_load, id, keeps ? 0 : kTlbFlushAll, entry);
    Cycles cycles = cr3_cost();
    if (!config_.split->pcid) {
        mmu_.flush_all(id, 0, now_);
    } else if (!entry && cpu.flush_user_half) { // its entries are gone already, see local_flush()
        cpu.flush_user_half = false;
        cycles = processor_->costs.cr3_write;
    }
    return cycles;
}

Cycles Kernel::enter_from_user(CpuId cpu) {
    return config_.split->switches_cr3 ? write_cr3(cpu, true) : 0;
}

Cycles Kernel::leave_to_user(CpuId cpu) {
    return config_.split->switches_cr3 ? write_cr3(cpu, false) : 0;
}

Cycles Kernel::flush_in_irq(CpuId cpu) {
    if (!config_.split->flushes_in_irq) return 0;
    const Costs& costs = processor_->costs;
    ++entries_[cpu].cr3_loads;
    emit(EventKind::cr3_load, cpu, kTlbFlushAll, 2);
    if (!config_.split->flushes_global) {
        mmu_.flush_all(cpu, 0, now_);
        return cr3_cost();
    }
    mmu_.flush_global(cpu, 0, now_);
    return cr3_cost() + (costs.global_flush ? costs.global_flush : 2 * costs.cr3_write);
}

} // namespace tlbscope
