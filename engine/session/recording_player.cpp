#include "engine/session/recording_player.h"

#include "engine/core/error.h"

#include <algorithm>
#include <numeric>

namespace tlbscope {
namespace {

constexpr int kMaxCpus = 1024;
constexpr std::size_t kStateBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxIpis = 2048;
constexpr double kWindowSeconds = 1e-3;

int count_cpus(const EventLog& log) {
    int most = 0;
    for (std::uint64_t i = log.first_index(); i < log.end_index(); ++i) {
        const Event& e = log[i];
        if (e.cpu != kNoCpu) most = std::max<int>(most, e.cpu);
        if ((e.kind == EventKind::csd_queue_cpu || e.kind == EventKind::ipi_send_cpu) && e.aux < kMaxCpus)
            most = std::max<int>(most, static_cast<int>(e.aux));
    }
    for (const auto& mask : log.names().masks)
        for (CpuId cpu : mask)
            most = std::max<int>(most, cpu);
    return std::min(most + 1, kMaxCpus);
}

std::uint64_t first_event(const ShootdownIndex& index, const Shootdown& s) {
    std::uint64_t first = std::min({s.decision, s.local_flush});
    for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t) {
        const ShootdownTarget& target = index.targets[t];
        first = std::min({first, target.send, target.entry, target.flush, target.exit});
    }
    return std::min(first, s.done);
}

} // namespace

std::shared_ptr<Recording> Recording::prepare(EventLog log, std::string title, std::string summary,
                                              const std::function<bool(double)>& progress) {
    if (log.empty()) throw Error(title, "there is no event in it");
    const auto go_on = [&](double share) { return !progress || progress(share); };
    auto r = std::make_shared<Recording>();
    r->log = std::move(log);
    r->title = std::move(title);
    r->summary = std::move(summary);
    r->cpus = count_cpus(r->log);
    if (!go_on(0.2)) return nullptr;

    auto machine = std::make_shared<MachineDescription>();
    machine->processor = "recorded machine";
    machine->topology = {1, r->cpus, 1};
    machine->hz = 1e9;
    machine->recorded = true;
    r->machine = machine;

    auto index = std::make_shared<ShootdownIndex>(find_shootdowns(r->log));
    r->shootdowns = index;
    if (!go_on(0.6)) return nullptr;
    const std::size_t count = index->shootdowns.size();
    std::vector<std::uint64_t> first(count);
    for (std::size_t i = 0; i < count; ++i)
        first[i] = first_event(*index, index->shootdowns[i]);
    r->start_of.resize(count);
    std::iota(r->start_of.begin(), r->start_of.end(), 0u);
    std::stable_sort(r->start_of.begin(), r->start_of.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; });
    std::erase_if(r->start_of, [&](std::uint32_t i) { return first[i] == kNoEvent; });
    for (std::uint32_t i : r->start_of)
        r->starts.push_back(first[i]);
    r->latest_end.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        r->latest_end[i] =
            std::max(index->shootdowns[i].end, i ? r->latest_end[i - 1] : index->shootdowns[i].end);

    const std::uint64_t events = r->log.end_index() - r->log.first_index();
    const std::uint64_t state_bytes = static_cast<std::uint64_t>(r->cpus) * RecordedState::bytes_a_cpu();
    while (events / r->stride * state_bytes > kStateBytes)
        r->stride *= 2;
    RecordedState state(r->cpus);
    for (std::uint64_t i = 0; i < events; ++i) {
        if (i % r->stride == 0) {
            r->states.push_back(state);
            if (!go_on(0.7 + 0.3 * static_cast<double>(i) / static_cast<double>(events))) return nullptr;
        }
        state.take(r->log[r->log.first_index() + i], r->log.names());
    }
    r->totals = std::make_shared<const CounterView>(state.counters());
    return r;
}

RecordingPlayer::RecordingPlayer(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), cursor_(recording_->log.first_index()) {
    seek(cursor_);
}

void RecordingPlayer::seek(std::uint64_t event_index) {
    const EventLog& log = recording_->log;
    cursor_ = std::clamp(event_index, log.first_index(), log.end_index() - 1);
    now_ = log[cursor_].time;
}

void RecordingPlayer::seek_time(std::int64_t ticks) {
    const EventLog& log = recording_->log;
    now_ = std::clamp(ticks, log[log.first_index()].time, log[log.end_index() - 1].time);
    const std::uint64_t after = log.lower_bound(now_ + 1);
    cursor_ = after > log.first_index() ? after - 1 : log.first_index();
}

void RecordingPlayer::step_events(std::int64_t n) {
    const std::uint64_t first = recording_->log.first_index();
    const std::uint64_t back = static_cast<std::uint64_t>(-n);
    if (n < 0)
        seek(cursor_ - first > back ? cursor_ - back : first);
    else
        seek(cursor_ + static_cast<std::uint64_t>(n));
}

void RecordingPlayer::step_shootdowns(std::int64_t n) {
    const auto& starts = recording_->starts;
    if (starts.empty() || n == 0) return;
    const auto after = std::upper_bound(starts.begin(), starts.end(), cursor_) - starts.begin();
    const auto before = std::lower_bound(starts.begin(), starts.end(), cursor_) - starts.begin();
    const std::int64_t want = n > 0 ? after + n - 1 : before + n;
    const std::int64_t last = static_cast<std::int64_t>(starts.size()) - 1;
    if ((n > 0 && after > last) || (n < 0 && before == 0)) return;
    seek(starts[static_cast<std::size_t>(std::clamp<std::int64_t>(want, 0, last))]);
}

void RecordingPlayer::go_to_next_flush() {
    const EventLog& log = recording_->log;
    for (std::uint64_t i = cursor_ + 1; i < log.end_index(); ++i)
        if (log[i].kind == EventKind::tlb_flush) return seek(i);
}

double RecordingPlayer::ticks_per_second() const {
    const double ticks = recording_->log.ticks_per_second();
    return ticks > 0 ? ticks : 1e5;
}

const RecordedState& RecordingPlayer::state_at(std::uint64_t count) {
    const EventLog& log = recording_->log;
    const std::uint64_t base = count / recording_->stride;
    Cached* best = nullptr;
    for (Cached& c : cached_)
        if (c.taken <= count && c.taken / recording_->stride == base && (!best || c.taken > best->taken))
            best = &c;
    if (!best) {
        best = &cached_[next_cached_++ % 2];
        const std::uint64_t from = std::min<std::uint64_t>(base, recording_->states.size() - 1);
        best->state = recording_->states[from];
        best->taken = from * recording_->stride;
    }
    for (; best->taken < count; ++best->taken)
        best->state.take(log[log.first_index() + best->taken], log.names());
    return best->state;
}

void RecordingPlayer::fill(const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out) {
    const EventLog& log = recording_->log;
    out.machine = recording_->machine;
    out.now = now_;
    // A playing cursor may stand before the first event's time only at the very beginning.
    out.event_count = cursor_ + 1;
    out.cursor = cursor_;
    if (needs.history) out.log = log;
    out.shootdowns = recording_->shootdowns;
    out.totals = recording_->totals;
    out.title = recording_->title;
    out.subtitle = recording_->summary;

    fill_window(out);
    fill_ipis(out);
    if (needs.decision) {
        const auto& starts = recording_->starts;
        const auto after = std::upper_bound(starts.begin(), starts.end(), cursor_) - starts.begin();
        if (shootdown == 0 && after > 0)
            shootdown = recording_->start_of[static_cast<std::size_t>(after - 1)] + 1;
        out.decision = describe_recorded(*recording_, shootdown, now_);
    }
}

void RecordingPlayer::fill_window(Snapshot& out) {
    const EventLog& log = recording_->log;
    const std::int64_t begin = log[log.first_index()].time;
    const std::int64_t window =
        std::min<std::int64_t>(static_cast<std::int64_t>(ticks_per_second() * kWindowSeconds), now_ - begin);
    const std::int64_t from = now_ - window;
    const RecordedState& then = state_at(log.lower_bound(from) - log.first_index());
    BucketCycles before{};
    CpuView view;
    for (int c = 0; c < recording_->cpus; ++c) {
        then.view(static_cast<CpuId>(c), from, view);
        for (std::size_t b = 0; b < kBuckets; ++b)
            before[b] += view.buckets[b];
    }
    const RecordedState& state = state_at(cursor_ + 1 - log.first_index());
    out.cpus.resize(static_cast<std::size_t>(recording_->cpus));
    BucketCycles after{};
    for (int c = 0; c < recording_->cpus; ++c) {
        CpuView& cpu = out.cpus[static_cast<std::size_t>(c)];
        state.view(static_cast<CpuId>(c), now_, cpu);
        for (std::size_t b = 0; b < kBuckets; ++b)
            after[b] += cpu.buckets[b];
    }
    for (std::size_t b = 0; b < kBuckets; ++b)
        out.buckets_window[b] = after[b] - before[b];
    out.window_cycles = window;
    out.counters = state.counters();
}

void RecordingPlayer::fill_ipis(Snapshot& out) const {
    const ShootdownIndex& index = *recording_->shootdowns;
    const EventLog& log = recording_->log;
    const auto time = [&](std::uint64_t event) { return log[event].time; };
    const auto upper = std::upper_bound(index.shootdowns.begin(), index.shootdowns.end(), now_,
                                        [](std::int64_t t, const Shootdown& s) { return t < s.begin; });
    for (std::size_t i = static_cast<std::size_t>(upper - index.shootdowns.begin()); i-- > 0;) {
        if (recording_->latest_end[i] < now_ || out.ipis.size() >= kMaxIpis) break;
        const Shootdown& s = index.shootdowns[i];
        if (s.end < now_) continue;
        std::uint32_t acked = 0;
        for (std::uint32_t t = s.first_target; t < s.first_target + s.target_count; ++t) {
            const ShootdownTarget& target = index.targets[t];
            const bool exited = target.exit != kNoEvent && target.exit <= cursor_;
            const bool entered = target.entry != kNoEvent && target.entry <= cursor_;
            acked += exited;
            if (target.cpu < out.cpus.size() && entered && !exited) {
                CpuView& cpu = out.cpus[target.cpu];
                cpu.shootdown = static_cast<std::uint32_t>(i) + 1;
                cpu.pages_total = s.pages;
            }
            if (s.initiator >= out.cpus.size() || target.cpu >= out.cpus.size()) continue;
            if (target.send == kNoEvent || target.send > cursor_) continue;
            IpiView ipi{
                s.initiator,      target.cpu, IpiPhase::travelling, 0, static_cast<std::uint32_t>(i) + 1,
                time(target.send)};
            std::int64_t from = ipi.sent, to = s.end;
            if (exited) {
                ipi.phase = IpiPhase::acknowledging;
                from = time(target.exit);
            } else if (entered) {
                ipi.phase = IpiPhase::servicing;
                from = time(target.entry);
                to = target.exit != kNoEvent ? time(target.exit) : s.end;
            } else if (target.entry != kNoEvent) {
                to = time(target.entry);
            }
            ipi.progress =
                to > from
                    ? std::clamp(static_cast<float>(now_ - from) / static_cast<float>(to - from), 0.f, 1.f)
                    : 1.f;
            out.ipis.push_back(ipi);
        }
        if (s.initiator < out.cpus.size() && s.decision != kNoEvent && s.decision <= cursor_ &&
            now_ < s.end) {
            CpuView& cpu = out.cpus[s.initiator];
            if (cpu.shootdown == 0) {
                cpu.shootdown = static_cast<std::uint32_t>(i) + 1;
                cpu.pages_total = s.pages;
                cpu.acks_needed = static_cast<std::uint8_t>(std::min<std::uint32_t>(s.target_count, 255));
                cpu.acks_got = static_cast<std::uint8_t>(std::min<std::uint32_t>(acked, 255));
            }
        }
    }
}

} // namespace tlbscope
