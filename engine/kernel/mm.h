// An address space: struct mm_struct with its VMAs, page table, cpumask and mmap_sem.
#pragma once

#include "engine/hardware/page_table.h"
#include "engine/kernel/cpumask.h"
#include "engine/kernel/rwsem.h"

#include <vector>

namespace tlbscope {

// [start, end) in pages.
struct Vma {
    PageNumber start = 0, end = 0;
    bool writable = true;
};

// First page above the mmap area: 0x7ffff7fff000, and 0xb7fff000 of a 32-bit process.
inline constexpr PageNumber kMmapTop = 0x7ffff7fff, kMmapTop32 = 0xb7fff;

struct Mm {
    MmId id = 0;
    PageTable page_table;
    std::vector<Vma> vmas;      // sorted, not overlapping, neighbours alike are merged
    std::uint64_t total_vm = 0; // pages of the whole address space, not of resident memory
    CpuMask cpumask;
    RwSem mmap_sem;
    int mmap_sem_core = -1; // core whose cache holds the semaphore's line
    PageNumber mmap_top = kMmapTop;

    // Top-down first fit below the stack, as arch_get_unmapped_area_topdown(); maps and returns it.
    PageNumber mmap(std::uint64_t pages);
    // Removes [start, start + pages) from the VMAs; returns how many pages were mapped in them, which
    // the caller takes from total_vm once they are flushed, as remove_vma_list() does.
    std::uint64_t munmap(PageNumber start, std::uint64_t pages);
    // Splits and merges as needed.
    void mprotect(PageNumber start, std::uint64_t pages, bool writable);
    const Vma* find_vma(PageNumber page) const; // null: a fault there would be SIGSEGV

private:
    void split_at(PageNumber page);
    void merge();
};

} // namespace tlbscope
