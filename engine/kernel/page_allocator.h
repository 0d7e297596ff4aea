// Physical pages: per-CPU lists in front of one pool, last freed first.
#pragma once

#include "engine/core/types.h"

#include <vector>

namespace tlbscope {

// Models the order-0 path of mm/page_alloc.c: per_cpu_pages with batch 31 and high 186, the sizes
// zone_batchsize() gives on machines with more than 512 MB.
class PageAllocator {
public:
    explicit PageAllocator(int cpus) : lists_(static_cast<std::size_t>(cpus)) {}

    // Never fails: physical memory is as large as needed.
    std::uint32_t alloc(CpuId cpu) {
        auto& list = lists_[cpu];
        if (list.empty())
            for (int i = 0; i < kBatch; ++i)
                list.push_back(take());
        const std::uint32_t frame = list.back();
        list.pop_back();
        return frame;
    }

    void free(CpuId cpu, std::uint32_t frame) {
        auto& list = lists_[cpu];
        list.push_back(frame);
        if (list.size() > kHigh) {
            pool_.insert(pool_.end(), list.begin(), list.begin() + kBatch); // the coldest
            list.erase(list.begin(), list.begin() + kBatch);
        }
    }

private:
    static constexpr int kBatch = 31;
    static constexpr std::size_t kHigh = 186;

    std::uint32_t take() {
        if (pool_.empty()) return next_++;
        const std::uint32_t frame = pool_.back();
        pool_.pop_back();
        return frame;
    }

    std::vector<std::vector<std::uint32_t>> lists_;
    std::vector<std::uint32_t> pool_;
    std::uint32_t next_ = 0x1000; // the first 16 MiB belong to the kernel
};

} // namespace tlbscope
