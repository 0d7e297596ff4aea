// What a snapshot shows of a simulated run.
#include "engine/session/simulation_track.h"

namespace tlbscope {
namespace {

// The shares of "where the cycles go" are over about this much simulated time.
constexpr double kWindowSeconds = 1e-3;
constexpr std::size_t kMaxSamples = 256;

} // namespace

void SimulationTrack::fill(const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out) {
    out.machine = machine_->description();
    machine_->observe(needs, shootdown, out);
    out.now = machine_->now();
    out.event_count = shown_;
    out.scenario = scenario_;
    out.moving = moving();
    if (needs.history) {
        if (log_version_ != history_.version()) {
            log_ = history_.log(out.machine->hz, machine_->names());
            log_version_ = history_.version();
        }
        out.log = log_;
    }
    out.cursor = std::max(out.event_count > 0 ? out.event_count - 1 : 0, history_.first_index());
    fill_window(out);

    Cycles since = 0;
    std::uint64_t records = 0;
    if (current_.journal > 0) {
        const Change& change = journal_[current_.journal - 1];
        since = change.at.time;
        records = change.records;
    }
    if (out.now > since && out.counters.records >= records)
        out.records_per_second = static_cast<double>(out.counters.records - records) * out.machine->hz /
                                 static_cast<double>(out.now - since);
}

void SimulationTrack::fill_window(Snapshot& out) {
    BucketSample here{out.now, {}};
    for (const CpuView& cpu : out.cpus)
        for (std::size_t b = 0; b < kBuckets; ++b)
            here.sum[b] += cpu.buckets[b];

    while (!samples_.empty() && samples_.back().now > here.now)
        samples_.pop_back();
    const Cycles window = static_cast<Cycles>(out.machine->hz * kWindowSeconds);
    // The newest sample that is a whole window old; none: everything since the start.
    while (samples_.size() > 1 && samples_[1].now <= here.now - window)
        samples_.pop_front();
    const BucketSample from =
        !samples_.empty() && samples_.front().now < here.now ? samples_.front() : BucketSample{};
    for (std::size_t b = 0; b < kBuckets; ++b)
        out.buckets_window[b] = here.sum[b] - from.sum[b];
    out.window_cycles = here.now - from.now;

    if (sampling_ && (samples_.empty() || here.now - samples_.back().now >= window / 64))
        samples_.push_back(here);
    if (samples_.size() > kMaxSamples) samples_.pop_front();
}

} // namespace tlbscope
