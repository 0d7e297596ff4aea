#include "engine/recording/spans.h"

#include "engine/recording/lane_builder.h"

#include <algorithm>
#include <unordered_map>

namespace tlbscope {

std::vector<Lane> build_lanes(const EventLog& log, int cpus, std::uint64_t first, std::uint64_t last,
                              const ShootdownIndex* shootdowns) {
    first = std::max(first, log.first_index());
    last = std::min(last, log.end_index());
    std::vector<LaneBuilder> builders;
    for (int cpu = 0; cpu < cpus; ++cpu)
        builders.emplace_back(static_cast<CpuId>(cpu));

    LaneTasks tasks;
    for (std::uint64_t i = first; i < last && !tasks.fault_ends_known; ++i)
        tasks.fault_ends_known = log[i].kind == EventKind::page_fault_exit;

    const auto wait_until = [&](std::uint64_t i, const Event& e) -> std::int64_t {
        if (!shootdowns || e.kind != EventKind::tlb_flush ||
            static_cast<FlushReason>(e.sub) != FlushReason::remote_send_ipi)
            return 0;
        const auto number = shootdowns->of_event(i);
        if (!number) return 0;
        const Shootdown& s = shootdowns->shootdowns[*number];
        if (s.target_count == 0 && s.wait != kNoEvent) return log[s.wait].time;
        const auto wait = wait_time(log, *shootdowns, s);
        return wait ? log[s.wait].time + *wait : 0;
    };
    std::unordered_map<std::uint32_t, CpuId> blocked; // task -> CPU it left
    const std::int64_t begin = first < last ? log[first].time : 0;
    for (std::uint64_t i = first; i < last; ++i) {
        const Event& e = log[i];
        if (e.kind == EventKind::lost) {
            for (std::size_t cpu = 0; cpu < builders.size(); ++cpu)
                if (e.cpu == kNoCpu || e.cpu == cpu) builders[cpu].lose(i, e.time, begin);
            continue;
        }
        if (e.cpu >= builders.size()) continue;
        if (e.kind == EventKind::mmap_sem_blocked) {
            if (blocked.try_emplace(e.task, e.cpu).second) builders[e.cpu].block(i, e.time, 1);
        } else if (e.kind == EventKind::mmap_sem_acquired) {
            if (const auto at = blocked.find(e.task); at != blocked.end()) {
                builders[at->second].block(i, e.time, -1);
                blocked.erase(at);
            }
        }
        const bool service =
            e.kind == EventKind::ipi_entry && log.names().string(e.id).starts_with("Function call");
        builders[e.cpu].take(i, e, tasks, wait_until(i, e), service);
    }
    std::vector<Lane> lanes;
    const std::int64_t end = first < last ? log[last - 1].time : 0;
    for (auto& builder : builders)
        lanes.push_back(builder.finish(end));
    return lanes;
}

const char* to_string(SpanKind kind) {
    switch (kind) {
    case SpanKind::user:
        return "user";
    case SpanKind::kernel:
        return "kernel";
    case SpanKind::fault:
        return "fault";
    case SpanKind::flush:
        return "flush";
    case SpanKind::wait_acks:
        return "wait_acks";
    case SpanKind::service:
        return "service";
    case SpanKind::interrupt:
        return "interrupt";
    case SpanKind::blocked:
        return "blocked";
    case SpanKind::idle:
        return "idle";
    case SpanKind::gap:
        return "gap";
    }
    return "invalid";
}

} // namespace tlbscope
