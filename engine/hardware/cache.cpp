#include "engine/hardware/cache.h"

#include <algorithm>
#include <bit>

namespace tlbscope {

namespace {

// Writes first, first + 1, … Mostly a whole page, which the compiler knows how to do at once.
void count_up(LineNumber* to, LineNumber first, std::uint32_t count) {
    if (count == 64)
        for (std::uint32_t i = 0; i < 64; ++i)
            to[i] = first + i;
    else
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = first + i;
}

} // namespace

CacheHierarchy::CacheHierarchy(const ProcessorSpec& processor, const Topology& topology)
    : has_l1d_(processor.l1d.bytes != 0), has_l3_(processor.l3.bytes != 0),
      sectors_(processor.l2.bytes != 0 && processor.l2.sector_lines == 2),
      fetches_(sectors_ || processor.prefetch_streams != 0),
      cores_(static_cast<std::size_t>(topology.cores()),
             {CacheLevel(processor.l1d), CacheLevel(processor.l2),
              CachePrefetcher(processor.prefetch_streams, processor.l2.sector_lines)}),
      l3_(static_cast<std::size_t>(topology.sockets), CacheLevel(processor.l3)),
      cores_per_socket_(static_cast<std::size_t>(topology.cores_per_socket)) {
    latency_[0] = processor.l1d.latency;
    latency_[1] = processor.l2.latency;
    latency_[2] = processor.l3.latency;
    latency_[3] = processor.costs.memory;
    stream_[0] = processor.l1d.stream;
    stream_[1] = processor.l2.stream;
    stream_[2] = processor.l3.stream;
    stream_[3] = processor.costs.memory_stream;
    hit_ = {static_cast<std::uint32_t>(latency_[0]), Level::l1d};
    l2_hit_ = {static_cast<std::uint32_t>(latency_[1]), Level::l2};
    l3_hit_ = {static_cast<std::uint32_t>(latency_[2]), Level::l3};
    memory_ = {static_cast<std::uint32_t>(latency_[3]), Level::memory};
    quick_ = cores_[0].l1d.is_quick();
    lists_8_ = cores_[0].l1d.is_list_8() && cores_[0].l2.is_list_8();
    front_mask_ = cores_[0].l1d.set_mask();
    front_bits_ = static_cast<std::uint32_t>(std::bit_width(front_mask_));
    fronts_.assign(cores_.size() << front_bits_, 0);
}

CacheHierarchy::Result CacheHierarchy::miss_quick(int core, LineNumber line, std::uint32_t linear,
                                                  bool write) {
    Core& c = cores_[static_cast<std::size_t>(core)];
    c.l1d.load_quick(line, linear);
    if (c.l2.access(line, line)) return l2_hit_;
    return fetches_ ? fetch(c, core, line, write) : fetch_plain(core, line);
}

CacheHierarchy::Result CacheHierarchy::touch_lists(int core, LineNumber line, std::uint32_t linear,
                                                   bool write) {
    return find_lists(core, line, linear, write);
}

MemoryLevel CacheHierarchy::fill(Core& c, int core, LineNumber line, bool write) {
    const bool in_l3 = has_l3_ && l3_of(core).access(line, line);
    if (sectors_ && !write && c.l2.add(line ^ 1) && has_l3_) l3_of(core).access(line ^ 1, line ^ 1);
    return in_l3 ? Level::l3 : Level::memory;
}

CacheHierarchy::Result CacheHierarchy::fetch(Core& c, int core, LineNumber line, bool write) {
    if (fill(c, core, line, write) == Level::l3) return l3_hit_;
    Result result = memory_;
    if (c.prefetcher.miss(line)) result.cycles = static_cast<std::uint32_t>(stream_[3]);
    return result;
}

void CacheHierarchy::set_fronts(int core, LineNumber first, std::uint32_t lines) {
    if (quick_ || !has_l1d_) return;
    while (lines) {
        const std::uint32_t piece = std::min(lines, front_mask_ + 1 - (first & front_mask_));
        count_up(&front_of(core, first), first + 1, piece);
        first += piece;
        lines -= piece;
    }
}

Cycles CacheHierarchy::stream_sectors(Core& c, int core, LineNumber first, std::uint32_t lines,
                                      std::array<Cycles, kMemoryLevels>& data) {
    Cycles cost = 0;
    for (LineNumber line = first; line != first + lines; ++line) {
        const Level level = c.l1d.access(line, line)  ? Level::l1d
                            : c.l2.access(line, line) ? Level::l2
                                                      : fill(c, core, line, false);
        cost += stream_[static_cast<int>(level)];
        data[static_cast<std::size_t>(level)] += stream_[static_cast<int>(level)];
    }
    return cost;
}

// Level by level: what a level does depends on the order of the lines it sees, not on the others.
Cycles CacheHierarchy::stream(int core, LineNumber first, std::uint32_t lines,
                              std::array<Cycles, kMemoryLevels>& data) {
    Core& c = cores_[static_cast<std::size_t>(core)];
    set_fronts(core, first, lines);
    if (sectors_) return stream_sectors(c, core, first, lines, data);
    constexpr std::uint32_t kPiece = 64;
    Cycles cost = 0;
    LineNumber line[kPiece];
    while (lines) {
        const std::uint32_t piece = std::min(lines, kPiece);
        count_up(line, first, piece);
        const std::uint32_t l1 = c.l1d.filter(line, piece, line);
        const std::uint32_t l2 = c.l2.filter(line, l1, line);
        const std::uint32_t l3 = l3_of(core).filter(line, l2, line);
        const std::uint32_t found[kMemoryLevels] = {piece - l1, l1 - l2, l2 - l3, l3};
        for (std::size_t level = 0; level < kMemoryLevels; ++level) {
            const Cycles cycles = found[level] * stream_[level];
            data[level] += cycles;
            cost += cycles;
        }
        first += piece;
        lines -= piece;
    }
    return cost;
}

} // namespace tlbscope
