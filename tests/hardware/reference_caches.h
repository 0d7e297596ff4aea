// Caches as a reader would write them: a vector of ways a set, time stamps, linear search.
#pragma once

#include "engine/hardware/cache.h"

#include <algorithm>
#include <vector>

namespace tlbscope {

class PlainCache {
public:
    explicit PlainCache(const CacheSpec& spec) : spec_(spec) {
        if (spec.bytes) sets_.resize(spec.bytes / 64 / spec.ways, std::vector<Way>(spec.ways));
    }
    bool exists() const { return !sets_.empty(); }

    bool holds(LineNumber line) { return exists() && find(line) != set_of(line).end(); }
    bool access(LineNumber line, std::uint32_t linear) {
        if (!exists()) return false;
        auto way = find(line);
        const bool hit = way != set_of(line).end();
        if (!hit) {
            way = victim(line, linear % 1024);
            *way = {true, line, linear % 1024, 0};
        }
        way->used = ++now_;
        return hit;
    }

private:
    struct Way {
        bool valid = false;
        LineNumber line = 0;
        std::uint32_t linear = 0;
        std::uint64_t used = 0;
    };
    using Ways = std::vector<Way>;

    Ways& set_of(LineNumber line) { return sets_[line % sets_.size()]; }
    Ways::iterator find(LineNumber line) {
        Ways& set = set_of(line);
        return std::find_if(set.begin(), set.end(), [&](const Way& w) { return w.valid && w.line == line; });
    }
    Ways::iterator victim(LineNumber line, std::uint32_t linear) {
        Ways& set = set_of(line);
        if (spec_.alias_64k) {
            const auto same = std::find_if(set.begin(), set.end(),
                                           [&](const Way& w) { return w.valid && w.linear == linear; });
            if (same != set.end()) return same;
        }
        const auto empty = std::find_if(set.begin(), set.end(), [](const Way& w) { return !w.valid; });
        if (empty != set.end()) return empty;
        if (spec_.replacement == Replacement::lru) return oldest(set.begin(), set.end());
        // A node of the tree points to the half whose latest use is longer ago.
        auto first = set.begin(), last = set.end();
        while (last - first > 1) {
            const auto middle = first + (last - first) / 2;
            (newest(first, middle) <= newest(middle, last) ? last : first) = middle;
        }
        return first;
    }
    static bool older(const Way& a, const Way& b) { return a.used < b.used; }
    static Ways::iterator oldest(Ways::iterator first, Ways::iterator last) {
        return std::min_element(first, last, older);
    }
    static std::uint64_t newest(Ways::iterator first, Ways::iterator last) {
        return std::max_element(first, last, older)->used;
    }

    CacheSpec spec_;
    std::vector<Ways> sets_;
    std::uint64_t now_ = 0;
};

class PlainPrefetcher {
public:
    PlainPrefetcher(std::size_t streams, std::uint32_t step) : streams_(streams), step_(step) {}
    bool miss(LineNumber line) {
        if (streams_.empty()) return false;
        Stream* chosen = nullptr;
        for (Stream& s : streams_)
            if (s.misses && s.last / 64 == line / 64 && s.last < line && line <= s.last + step_ &&
                (!chosen || s.used > chosen->used))
                chosen = &s;
        if (!chosen) {
            chosen = &*std::min_element(streams_.begin(), streams_.end(),
                                        [](const Stream& a, const Stream& b) { return a.used < b.used; });
            chosen->misses = 0;
        }
        chosen->last = line;
        chosen->used = ++now_;
        return ++chosen->misses > 2;
    }

private:
    struct Stream {
        LineNumber last = 0;
        std::uint64_t misses = 0, used = 0;
    };
    std::vector<Stream> streams_;
    std::uint32_t step_;
    std::uint64_t now_ = 0;
};

class PlainHierarchy {
public:
    PlainHierarchy(const ProcessorSpec& spec, const Topology& topology)
        : spec_(spec), topology_(topology),
          l1_(static_cast<std::size_t>(topology.cores()), PlainCache(spec.l1d)),
          l2_(static_cast<std::size_t>(topology.cores()), PlainCache(spec.l2)),
          l3_(static_cast<std::size_t>(topology.sockets), PlainCache(spec.l3)),
          prefetchers_(static_cast<std::size_t>(topology.cores()),
                       PlainPrefetcher(spec.prefetch_streams, spec.l2.sector_lines)) {}

    CacheHierarchy::Result touch(int core, LineNumber line, std::uint32_t linear, bool write) {
        const auto c = static_cast<std::size_t>(core);
        const MemoryLevel level = where(core, line, linear, write);
        Cycles cycles = level == MemoryLevel::l1d  ? spec_.l1d.latency
                        : level == MemoryLevel::l2 ? spec_.l2.latency
                        : level == MemoryLevel::l3 ? spec_.l3.latency
                                                   : spec_.costs.memory;
        if (level == MemoryLevel::memory && prefetchers_[c].miss(line)) cycles = spec_.costs.memory_stream;
        return {static_cast<std::uint32_t>(cycles), level};
    }
    Cycles stream(int core, LineNumber first, std::uint32_t lines) {
        Cycles cost = 0;
        for (LineNumber line = first; line < first + lines; ++line)
            switch (where(core, line, line, false)) {
            case MemoryLevel::l1d:
                cost += spec_.l1d.stream;
                break;
            case MemoryLevel::l2:
                cost += spec_.l2.stream;
                break;
            case MemoryLevel::l3:
                cost += spec_.l3.stream;
                break;
            case MemoryLevel::memory:
                cost += spec_.costs.memory_stream;
            }
        return cost;
    }

private:
    MemoryLevel where(int core, LineNumber line, std::uint32_t linear, bool write) {
        const auto c = static_cast<std::size_t>(core);
        PlainCache& l3 = l3_[c / static_cast<std::size_t>(topology_.cores_per_socket)];
        if (l1_[c].access(line, linear)) return MemoryLevel::l1d;
        if (l2_[c].access(line, line)) return MemoryLevel::l2;
        const bool in_l3 = l3.access(line, line);
        const LineNumber other = line % 2 ? line - 1 : line + 1;
        if (spec_.l2.sector_lines == 2 && !write && !l2_[c].holds(other)) {
            l2_[c].access(other, other);
            l3.access(other, other);
        }
        return in_l3 ? MemoryLevel::l3 : MemoryLevel::memory;
    }

    ProcessorSpec spec_;
    Topology topology_;
    std::vector<PlainCache> l1_, l2_, l3_;
    std::vector<PlainPrefetcher> prefetchers_;
};

} // namespace tlbscope
