// Data caches that page-table loads and data go through: tags only, physically indexed.
#pragma once

#include "engine/core/bucket.h"
#include "engine/core/types.h"
#include "engine/hardware/cache_level.h"
#include "engine/hardware/cache_prefetcher.h"
#include "engine/hardware/processor.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tlbscope {

// L1D and L2 of every core, one L3 a socket. Fills every level on the way (no victim caches, no
// inclusion victims, no coherence misses: frames are mostly reused by the CPU that freed them).
class CacheHierarchy {
public:
    using Level = MemoryLevel;
    // Load-to-use of one access and where it hit. A miss of the last level that continues a stream of
    // misses costs a line of a prefetched walk; its level is memory all the same.
    struct Result {
        std::uint32_t cycles = 0;
        Level level = Level::l1d;
    };

    CacheHierarchy() = default;
    // The caches, memory and prefetcher of `processor`.
    CacheHierarchy(const ProcessorSpec& processor, const Topology& topology);

    // One user access to a line whose linear address divided by 64 is `linear` (its low ten bits count).
    // A read that misses an L2 with sectors fetches the other line of the sector too, a write does not.
    // Accessing a line again at once changes nothing.
    Result touch(int core, LineNumber line, std::uint32_t linear, bool write) {
        if (!quick_) return touch_lists(core, line, linear, write);
        return cores_[static_cast<std::size_t>(core)].l1d.hit_quick(line)
                   ? hit_
                   : miss_quick(core, line, linear, write);
    }
    // A page-table load or one of the kernel's own data, whose linear address is that of the direct map.
    Result find(int core, LineNumber line) {
        return quick_ ? touch(core, line, line, false) : find_lists(core, line, line, false);
    }
    Cycles load(int core, LineNumber line) { return find(core, line).cycles; }
    Level access(int core, LineNumber line) { return find(core, line).level; }
    // Cost beyond L1 of `lines` sequential lines from `first`, prefetched.
    Cycles stream(int core, LineNumber first, std::uint32_t lines) {
        std::array<Cycles, kMemoryLevels> data{};
        return stream(core, first, lines, data);
    }
    // The same, added to `data` by where the lines were.
    Cycles stream(int core, LineNumber first, std::uint32_t lines, std::array<Cycles, kMemoryLevels>& data);
    Cycles l1d_latency() const { return hit_.cycles; }

private:
    struct Core {
        CacheLevel l1d, l2;
        CachePrefetcher prefetcher;
    };

    // The line + 1 that was used last in the L1D set of `line`: using it again changes nothing. Only
    // where looking it up costs more than this.
    LineNumber& front_of(int core, LineNumber line) {
        return fronts_[(static_cast<std::size_t>(core) << front_bits_) + (line & front_mask_)];
    }
    void set_fronts(int core, LineNumber first, std::uint32_t lines);
    // touch() after a quick L1D has missed.
    Result miss_quick(int core, LineNumber line, std::uint32_t linear, bool write);
    // touch() with any other L1D.
    Result touch_lists(int core, LineNumber line, std::uint32_t linear, bool write);
    Result find_lists(int core, LineNumber line, std::uint32_t linear, bool write) {
        Core& c = cores_[static_cast<std::size_t>(core)];
        LineNumber& front = front_of(core, line);
        if (front == line + 1) return hit_;
        front = has_l1d_ ? line + 1 : 0;
        if (lists_8_) {
            const unsigned level = avx2::move_to_front_8_8(c.l1d.set_8(line), c.l2.set_8(line), line + 1);
            if (level < 2) return level ? l2_hit_ : hit_;
        } else {
            if (c.l1d.access(line, linear)) return hit_;
            if (c.l2.access(line, line)) return l2_hit_;
        }
        return fetches_ ? fetch(c, core, line, write) : fetch_plain(core, line);
    }
    // What lies behind the L2, without and with sectors and prefetching.
    Result fetch_plain(int core, LineNumber line) {
        return has_l3_ && l3_of(core).access(line, line) ? l3_hit_ : memory_;
    }
    CacheLevel& l3_of(int core) { return l3_[static_cast<std::size_t>(core) / cores_per_socket_]; }
    // L1D and L2 have missed, and hold the line now.
    Level fill(Core& c, int core, LineNumber line, bool write);
    Result fetch(Core& c, int core, LineNumber line, bool write);
    Cycles stream_sectors(Core& c, int core, LineNumber first, std::uint32_t lines,
                          std::array<Cycles, kMemoryLevels>& data);

    Result hit_, l2_hit_, l3_hit_, memory_;
    std::uint32_t front_mask_ = 0, front_bits_ = 0;
    bool quick_ = false;   // L1D is_quick(): there are no fronts
    bool lists_8_ = false; // L1D and L2 is_list_8()
    bool has_l1d_ = false, has_l3_ = false;
    bool sectors_ = false, fetches_ = false; // fetches_: sectors or a prefetcher, or both
    std::vector<LineNumber> fronts_;         // by core and set
    std::vector<Core> cores_;
    std::vector<CacheLevel> l3_;
    std::size_t cores_per_socket_ = 1;
    Cycles latency_[4] = {}, stream_[4] = {}; // by MemoryLevel
};

} // namespace tlbscope
