#include "engine/hardware/cache.h"

namespace tlbscope {

Cache::Cache(const CacheSpec& spec) : ways_(spec.ways) {
    if (!ways_) return;
    const auto sets = static_cast<std::uint32_t>(spec.bytes / 64 / spec.ways);
    set_mask_ = sets - 1;
    tags_.assign(std::size_t{sets} * ways_, 0);
    order_.assign(sets, recency::kIdentity);
}

CacheHierarchy::CacheHierarchy(const ProcessorSpec& processor, const Topology& topology)
    : l1d_(static_cast<std::size_t>(topology.cores()), Cache(processor.l1d)),
      l2_(static_cast<std::size_t>(topology.cores()), Cache(processor.l2)),
      l3_(static_cast<std::size_t>(topology.sockets), Cache(processor.l3)),
      cores_per_socket_(static_cast<std::size_t>(topology.cores_per_socket)) {
    latency_[0] = processor.l1d.latency;
    latency_[1] = processor.l2.latency;
    latency_[2] = processor.l3.latency;
    latency_[3] = processor.costs.memory;
    stream_[0] = processor.l1d.stream;
    stream_[1] = processor.l2.stream;
    stream_[2] = processor.l3.stream;
    stream_[3] = processor.costs.memory_stream;
}

} // namespace tlbscope
