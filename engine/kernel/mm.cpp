#include "engine/kernel/mm.h"

#include <algorithm>

namespace tlbscope {

PageNumber Mm::mmap(std::uint64_t pages) {
    PageNumber top = mmap_top;
    auto at = vmas.rbegin();
    for (; at != vmas.rend(); ++at) {
        if (at->end <= top && top - at->end >= pages) break;
        top = std::min(top, at->start);
    }
    const PageNumber start = top - pages;
    vmas.insert(at.base(), Vma{start, top, true});
    total_vm += pages;
    merge();
    return start;
}

void Mm::split_at(PageNumber page) {
    for (std::size_t i = 0; i < vmas.size(); ++i)
        if (vmas[i].start < page && page < vmas[i].end) {
            Vma upper = vmas[i];
            upper.start = page;
            vmas[i].end = page;
            vmas.insert(vmas.begin() + static_cast<std::ptrdiff_t>(i) + 1, upper);
            return;
        }
}

void Mm::merge() {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < vmas.size(); ++i) {
        if (vmas[kept].end == vmas[i].start && vmas[kept].writable == vmas[i].writable)
            vmas[kept].end = vmas[i].end;
        else
            vmas[++kept] = vmas[i];
    }
    if (!vmas.empty()) vmas.resize(kept + 1);
}

std::uint64_t Mm::munmap(PageNumber start, std::uint64_t pages) {
    split_at(start);
    split_at(start + pages);
    std::uint64_t mapped = 0;
    std::erase_if(vmas, [&](const Vma& vma) {
        if (vma.start < start || vma.end > start + pages) return false;
        mapped += vma.end - vma.start;
        return true;
    });
    return mapped;
}

void Mm::mprotect(PageNumber start, std::uint64_t pages, bool writable) {
    split_at(start);
    split_at(start + pages);
    for (Vma& vma : vmas)
        if (vma.start >= start && vma.end <= start + pages) vma.writable = writable;
    merge();
}

const Vma* Mm::find_vma(PageNumber page) const {
    const auto at =
        std::partition_point(vmas.begin(), vmas.end(), [page](const Vma& v) { return v.end <= page; });
    return at != vmas.end() && at->start <= page ? &*at : nullptr;
}

} // namespace tlbscope
