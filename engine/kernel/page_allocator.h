// Physical pages: which frame the kernel hands out next, by one of the placements.
#pragma once

#include "engine/core/random.h"
#include "engine/core/types.h"
#include "engine/kernel/frame_set.h"
#include "engine/kernel/page_placement.h"

#include <array>
#include <vector>

namespace tlbscope {

// Memory is 1 GB, of which the first 16 MiB are the kernel's; where that is used up, it grows.
class PageAllocator {
public:
    // Same arguments, same pages. `colours`: of the L2, its bytes / ways / 4096, for `coloured`.
    // `highmem`, for PagePlacement::zones: the kernel maps no more than 896 MiB, the rest is a zone for user pages.
    explicit PageAllocator(int cpus, PagePlacement placement = PagePlacement::lists, std::uint64_t seed = 1,
                           std::uint32_t colours = 16, bool highmem = false);

    // A frame for the user's virtual page. Never fails.
    std::uint32_t alloc(CpuId cpu, PageNumber page);
    // A frame for the kernel itself: page tables.
    std::uint32_t alloc(CpuId cpu);
    void free(CpuId cpu, std::uint32_t frame);

    static constexpr std::uint32_t kFirstFrame = 0x1000, kFrames = 0x40000, kHighmemFrame = 0x38000;

private:
    // A zone's buddy lists: free blocks of 2^order frames that boot left behind, and behind them memory
    // never used, which is handed out in order. A block is split from its lower end (expand() in
    // mm/page_alloc.c); freed frames come first again, and blocks are not merged.
    struct Zone {
        std::uint32_t next = 0, end = 0;
        std::array<std::vector<std::uint32_t>, 10> blocks;
    };

    std::uint32_t alloc_lists(CpuId cpu);
    std::uint32_t take_lowest(std::uint32_t first, std::uint32_t step);
    std::uint32_t take_random();
    std::uint32_t grow();
    // Leaves `pages` frames a list at random places of the zone, their order random too.
    void scatter(Zone& zone, std::uint32_t pages);
    bool take_from(Zone& zone, std::uint32_t& frame);

    PagePlacement placement_;
    std::uint32_t colours_;
    Random random_;
    // lists: models the order-0 path of mm/page_alloc.c, per_cpu_pages with batch 31 and high 186, the
    // sizes zone_batchsize() gives on machines with more than 512 MB.
    static constexpr int kBatch = 31;
    static constexpr std::size_t kHigh = 186;
    std::vector<std::vector<std::uint32_t>> lists_; // by CPU
    std::vector<std::uint32_t> pool_;  // freed; but for lists and reuse only those beyond kFrames
    std::uint32_t next_ = kFirstFrame; // lists: never used yet; else: beyond kFrames
    FrameSet frames_;
    std::vector<std::uint32_t> from_; // coloured, contiguous: nothing below is free, by colour
    Zone lowmem_, highmem_;
};

} // namespace tlbscope
