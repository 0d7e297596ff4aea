// mummap: Alex Shi's munmap benchmark of 2012, in mmtests as "tlbflush".
#pragma once

#include "engine/core/random.h"
#include "engine/workload/touch.h"
#include "engine/workload/workload_config.h"

#include <vector>

namespace tlbscope {

// Thread 0 maps batches of flush_pages-page mappings, touches the first page of each, and unmaps
// them back to back. All other threads read a region of working_set_pages at 4096 random offsets
// chosen beforehand. Alone, thread 0 does 512 reads after each munmap itself.
class Mummap {
public:
    Mummap(const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed);

    Kernel::Next run(Kernel& kernel, CpuId cpu);
    void configure(const WorkloadConfig& config, Kernel& kernel);
    std::uint64_t records() const { return records_; }

private:
    enum class Phase : std::uint8_t { map, mapped, touch, unmap, unmapped, read };
    struct Thread {
        Phase phase = Phase::read;
        std::uint32_t next_offset = 0;
        std::uint32_t reads_left = 0;
    };
    static constexpr std::uint32_t kOffsets = 4096;
    static constexpr std::uint32_t kBatch = 64;
    static constexpr std::uint32_t kReadsAlone = 512;
    static constexpr int kReadsABurst = 16;

    Kernel::Next read(Kernel& kernel, CpuId cpu, Thread& thread);

    WorkloadConfig config_;
    MmId mm_ = 0;
    TaskId first_task_ = 0;
    PageNumber code_ = 0, region_ = 0;
    std::uint32_t region_pages_ = 0;
    struct Offset {
        PageNumber page = 0;
        std::uint32_t line = 0;
    };
    std::vector<Offset> offsets_;
    std::vector<Thread> threads_;
    std::vector<PageNumber> mapped_;
    std::uint32_t pages_ = 0; // of the mappings of this batch
    Random random_;
    std::uint64_t records_ = 0;
};

} // namespace tlbscope
