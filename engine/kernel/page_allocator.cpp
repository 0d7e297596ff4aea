#include "engine/kernel/page_allocator.h"

#include <algorithm>

namespace tlbscope {

namespace {

// Frames in the buddy list of each order after boot: an assumption, after what /proc/buddyinfo of a
// freshly booted machine looks like, where every order holds about as much memory. Only user programs
// have used highmem by then, and most of that has merged again.
constexpr std::uint32_t kLowmemScatter = 128, kHighmemScatter = 16;

bool is_zoned(PagePlacement placement) {
    return placement == PagePlacement::zones || placement == PagePlacement::highmem ||
           placement == PagePlacement::lowmem;
}

} // namespace

PageAllocator::PageAllocator(int cpus, PagePlacement placement, std::uint64_t seed, std::uint32_t colours,
                             bool highmem)
    : placement_(is_zoned(placement) ? PagePlacement::zones : placement), colours_(std::max(1u, colours)),
      random_(seed * 0x9e3779b97f4a7c15u + 5), lists_(static_cast<std::size_t>(cpus)) {
    if (placement == PagePlacement::lists) return;
    next_ = kFrames;
    frames_ = FrameSet(kFirstFrame, kFrames);
    from_.assign(placement == PagePlacement::coloured ? colours_ : 1, kFirstFrame);
    if (placement_ == PagePlacement::zones) {
        if (placement != PagePlacement::zones) highmem = placement == PagePlacement::highmem;
        lowmem_.next = kFirstFrame;
        lowmem_.end = highmem ? kHighmemFrame : kFrames;
        scatter(lowmem_, kLowmemScatter);
        highmem_.next = lowmem_.end;
        highmem_.end = kFrames;
        if (highmem) scatter(highmem_, kHighmemScatter);
    }
}

void PageAllocator::scatter(Zone& zone, std::uint32_t pages) {
    for (std::size_t order = zone.blocks.size(); order-- > 0;) {
        const std::uint32_t size = 1u << order;
        const std::uint32_t first = (zone.next + size - 1) / size;
        for (std::uint32_t i = 0; i < std::max(1u, pages / size); ++i) {
            const auto block = first + static_cast<std::uint32_t>(random_.below(zone.end / size - first));
            bool free = true;
            for (std::uint32_t frame = block * size; frame < (block + 1) * size; ++frame)
                free = free && frames_.is_free(frame);
            if (!free) continue;
            for (std::uint32_t frame = block * size; frame < (block + 1) * size; ++frame)
                frames_.take(frame);
            zone.blocks[order].push_back(block * size);
        }
    }
}

bool PageAllocator::take_from(Zone& zone, std::uint32_t& frame) {
    for (std::size_t order = 0; order < zone.blocks.size(); ++order) {
        if (zone.blocks[order].empty()) continue;
        frame = zone.blocks[order].back();
        zone.blocks[order].pop_back();
        while (order-- > 0)
            zone.blocks[order].push_back(frame + (1u << order));
        return true;
    }
    const std::optional<std::uint32_t> found = frames_.lowest(zone.next);
    if (!found || *found >= zone.end) return false;
    frame = *found;
    frames_.take(frame);
    zone.next = frame + 1;
    return true;
}

std::uint32_t PageAllocator::alloc_lists(CpuId cpu) {
    auto& list = lists_[cpu];
    if (list.empty())
        for (int i = 0; i < kBatch; ++i) {
            if (pool_.empty()) {
                list.push_back(next_++);
            } else {
                list.push_back(pool_.back());
                pool_.pop_back();
            }
        }
    const std::uint32_t frame = list.back();
    list.pop_back();
    return frame;
}

// The lowest free frame that is `first` + a multiple of `step`.
std::uint32_t PageAllocator::take_lowest(std::uint32_t first, std::uint32_t step) {
    std::uint32_t& from = from_[step == 1 ? 0 : first % step];
    std::uint32_t frame = from + (first + step - from % step) % step;
    if (step == 1) {
        frame = frames_.lowest(from).value_or(kFrames);
    } else {
        while (frame < kFrames && !frames_.is_free(frame))
            frame += step;
    }
    if (frame >= kFrames) return grow();
    from = frame + 1;
    frames_.take(frame);
    return frame;
}

std::uint32_t PageAllocator::grow() {
    if (pool_.empty()) return next_++;
    const std::uint32_t frame = pool_.back();
    pool_.pop_back();
    return frame;
}

std::uint32_t PageAllocator::take_random() {
    const std::optional<std::uint32_t> frame = frames_.any(random_);
    if (!frame) return grow();
    frames_.take(*frame);
    return *frame;
}

std::uint32_t PageAllocator::alloc(CpuId cpu, PageNumber page) {
    if (placement_ == PagePlacement::coloured) {
        const auto colour = static_cast<std::uint32_t>(page % colours_);
        return take_lowest(colour, colours_);
    }
    std::uint32_t frame = 0;
    if (placement_ == PagePlacement::zones && take_from(highmem_, frame)) return frame;
    return alloc(cpu);
}

std::uint32_t PageAllocator::alloc(CpuId cpu) {
    std::uint32_t frame = 0;
    switch (placement_) {
    case PagePlacement::lists:
        return alloc_lists(cpu);
    case PagePlacement::contiguous:
        return take_lowest(0, 1);
    case PagePlacement::coloured: // page tables have no colour; they come in turn
        return take_lowest(static_cast<std::uint32_t>(random_.below(colours_)), colours_);
    case PagePlacement::random:
        return take_random();
    case PagePlacement::zones:
    case PagePlacement::highmem: // zones by now
    case PagePlacement::lowmem:
        return take_from(lowmem_, frame) ? frame : grow();
    case PagePlacement::reuse:
        return pool_.empty() ? take_random() : grow();
    }
    return grow();
}

void PageAllocator::free(CpuId cpu, std::uint32_t frame) {
    if (placement_ == PagePlacement::lists) {
        auto& list = lists_[cpu];
        list.push_back(frame);
        if (list.size() > kHigh) {
            pool_.insert(pool_.end(), list.begin(), list.begin() + kBatch); // the coldest
            list.erase(list.begin(), list.begin() + kBatch);
        }
    } else if (placement_ == PagePlacement::reuse || frame >= kFrames) {
        pool_.push_back(frame);
    } else if (placement_ == PagePlacement::zones) {
        (frame < lowmem_.end ? lowmem_ : highmem_).blocks[0].push_back(frame);
    } else {
        frames_.release(frame);
        if (placement_ == PagePlacement::random) return;
        std::uint32_t& from = from_[placement_ == PagePlacement::coloured ? frame % colours_ : 0];
        from = std::min(from, frame);
    }
}

} // namespace tlbscope
