#include "views/timeline/lane_data.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

constexpr std::uint64_t kBefore = 4096; // events before the stretch
constexpr std::uint64_t kChunk = 65536; // events a step of the coverage
constexpr std::size_t kBuckets2k = 2048;

std::pair<std::uint64_t, std::uint64_t> eventRange(const LaneRequest& r) {
    const auto clampTime = [](double t) { return static_cast<std::int64_t>(std::clamp(t, -9e18, 9e18)); };
    const std::uint64_t first = r.log.lower_bound(clampTime(std::floor(r.begin)));
    const std::uint64_t last = r.log.lower_bound(clampTime(std::ceil(r.end) + 1));
    const std::uint64_t from = first - std::min(first - r.log.first_index(), kBefore);
    // One more event a CPU would be needed to end the last spans exactly; a few suffice in practice.
    return {from, std::min(last + 256, r.log.end_index())};
}

EventLog cut(const EventLog& log, std::uint64_t first, std::uint64_t last) {
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    for (std::uint64_t i = first; i < last;) {
        auto block = std::make_shared<EventLog::Block>();
        const std::uint64_t end = std::min<std::uint64_t>(last, i + EventLog::kBlock);
        block->reserve(end - i);
        for (; i < end; ++i)
            block->push_back(log[i]);
        blocks.push_back(std::move(block));
    }
    return EventLog(std::move(blocks), first, log.ticks_per_second(), log.shared_names());
}

class CoverageBuilder {
public:
    CoverageBuilder(const LaneRequest& request, std::uint64_t first, std::uint64_t last)
        : request_(request), first_(first), last_(last) {
        coverage_.begin = request.begin;
        coverage_.buckets = kBuckets2k;
        coverage_.bucketTicks = std::max(1e-9, (request.end - request.begin) / double(kBuckets2k));
        const std::size_t lanes = static_cast<std::size_t>(request.cpus);
        sums_.assign(lanes * kBuckets2k * kSpanKinds, 0);
        known_.assign(lanes, SpanKind::idle);
        until_.assign(lanes, request.begin);
    }

    bool build(const std::atomic<bool>& cancel) {
        for (std::uint64_t at = first_; at < last_; at += kChunk) {
            if (cancel) return false;
            const std::uint64_t end = std::min(last_, at + kChunk);
            const std::uint64_t from = at - std::min(at - first_, kBefore);
            for (const Lane& lane : build_lanes(request_.log, request_.cpus, from, end))
                add(lane);
        }
        finish();
        return true;
    }
    Coverage take() { return std::move(coverage_); }

private:
    void add(const Lane& lane) {
        const std::size_t l = lane.cpu;
        if (l >= until_.size()) return;
        for (const Span& span : lane.spans) {
            if (double(span.end) <= until_[l]) continue;
            if (double(span.begin) > until_[l]) put(l, until_[l], double(span.begin), known_[l]); // as it was
            put(l, std::max(until_[l], double(span.begin)), double(span.end), span.kind);
            until_[l] = std::max(until_[l], double(span.end));
            known_[l] = span.kind;
        }
    }
    void put(std::size_t lane, double begin, double end, SpanKind kind) {
        const double b = (begin - coverage_.begin) / coverage_.bucketTicks,
                     e = (end - coverage_.begin) / coverage_.bucketTicks;
        if (e <= 0 || b >= double(kBuckets2k)) return;
        const auto firstBucket = static_cast<std::size_t>(std::max(0.0, b));
        const auto lastBucket = std::min(kBuckets2k - 1, static_cast<std::size_t>(std::max(0.0, e)));
        for (std::size_t i = firstBucket; i <= lastBucket; ++i) {
            const double share = std::min(e, double(i) + 1) - std::max(b, double(i));
            if (share > 0)
                sums_[(lane * kBuckets2k + i) * kSpanKinds + static_cast<std::size_t>(kind)] +=
                    static_cast<float>(share);
        }
    }
    void finish() {
        coverage_.shares.resize(sums_.size() / kSpanKinds);
        for (std::size_t i = 0; i < coverage_.shares.size(); ++i)
            for (std::size_t k = 0; k < kSpanKinds; ++k) {
                const float share = sums_[i * kSpanKinds + k];
                // What is there at all stays visible.
                coverage_.shares[i][k] =
                    share <= 0 ? std::uint8_t{0}
                               : static_cast<std::uint8_t>(std::clamp(share * 255.0f, 1.0f, 255.0f));
            }
    }

    const LaneRequest& request_;
    std::uint64_t first_, last_;
    Coverage coverage_;
    std::vector<float> sums_;
    std::vector<SpanKind> known_;
    std::vector<double> until_;
};

} // namespace

std::uint64_t eventsNeeded(const LaneRequest& request) {
    const auto [first, last] = eventRange(request);
    return last - first;
}

std::shared_ptr<const LaneData> makeLaneData(const LaneRequest& request, const std::atomic<bool>& cancel) {
    auto data = std::make_shared<LaneData>();
    const auto [first, last] = eventRange(request);
    data->run = request.run;
    data->firstEvent = first;
    data->lastEvent = last;
    data->begin = request.begin;
    data->end = request.end;
    data->exact = last - first <= kExactEvents;
    if (data->exact) {
        data->lanes = build_lanes(request.log, request.cpus, first, last);
        if (last > first) data->shootdowns = find_shootdowns(cut(request.log, first, last));
        return data;
    }
    CoverageBuilder builder(request, first, last);
    if (!builder.build(cancel)) return nullptr;
    data->coverage = builder.take();
    return data;
}

} // namespace tlbscope
