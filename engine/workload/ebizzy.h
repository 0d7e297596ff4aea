// ebizzy 0.2/0.3: copy a random chunk into fresh memory, search it, free it.
#pragma once

#include "engine/core/random.h"
#include "engine/workload/touch.h"
#include "engine/workload/workload_config.h"

#include <vector>

namespace tlbscope {

// Per thread, endless, without locks of its own: choose one of the chunks; allocate a copy (one mmap
// of flush_pages; with `madvise` an arena that stays mapped); memcpy, which faults on every page of
// the copy; bsearch for a random key, about 16 probes; free (munmap, or madvise(MADV_DONTNEED)).
// 129 pages: a malloc of 512 KiB plus its 16-byte header. Sequence from the benchmark's source.
class Ebizzy {
public:
    Ebizzy(const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed);

    Kernel::Next run(Kernel& kernel, CpuId cpu);
    void configure(const WorkloadConfig& config, Kernel& kernel);
    std::uint64_t records() const { return records_; }

private:
    enum class Phase : std::uint8_t { choose, allocated, copy, search, free, done };
    struct Thread {
        Random random;
        Phase phase = Phase::choose;
        bool madvise = false;     // how this operation gives its memory back
        bool mapping = false;     // this operation has asked for a new arena
        std::uint32_t pages = 0;  // of this operation
        std::uint32_t copied = 0; // pages
        PageNumber source = 0, copy = 0;
        PageNumber arena = 0;          // what madvise() empties; stays mapped
        std::uint32_t arena_pages = 0; // 0: none yet
    };
    static constexpr int kProbes = 16;

    void add_threads(Kernel& kernel);

    WorkloadConfig config_;
    MmId mm_ = 0;
    TaskId first_task_ = 0;
    PageNumber code_ = 0;   // one page of text, for the iTLB
    PageNumber region_ = 0; // all chunks, one after the other
    std::uint32_t region_pages_ = 0, chunks_ = 0;
    std::vector<Thread> threads_;
    std::uint64_t seed_ = 0;
    std::uint64_t records_ = 0;
};

} // namespace tlbscope
