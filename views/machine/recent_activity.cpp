#include "views/machine/recent_activity.h"

#include <algorithm>

namespace tlbscope {

RecentActivity RecentActivity::of(const Snapshot& s, std::uint64_t most) {
    RecentActivity out;
    const int cpus = s.machine->topology.cpus();
    out.cpus.resize(static_cast<std::size_t>(cpus));
    const EventLog& log = s.log;
    if (most == 0) most = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(cpus) * 64, 256, 4096);
    const std::uint64_t last = std::clamp(s.cursor + 1, log.first_index(), log.end_index());
    const std::uint64_t first = std::max(log.first_index(), last - std::min(last, most));
    if (first >= last) return out;
    out.begin = log[first].time;
    out.end = std::max(log[last - 1].time, out.begin + 1);
    bool ipisSeen = false;
    std::vector<int> queued(out.cpus.size());
    for (std::uint64_t i = first; i < last; ++i) {
        const Event& e = log[i];
        if (e.cpu >= cpus) continue;
        CpuActivity& cpu = out.cpus[e.cpu];
        switch (e.kind) {
        case EventKind::tlb_flush:
            cpu.lastFlush = i;
            if (e.sub == static_cast<std::uint8_t>(FlushReason::remote_send_ipi)) break;
            ++cpu.flushes;
            cpu.fullFlushes += e.arg < 0;
            break;
        case EventKind::ipi_send_cpu:
        case EventKind::ipi_send_cpumask:
        case EventKind::ipi_raise:
            ++cpu.sent;
            ipisSeen = true;
            break;
        case EventKind::csd_queue_cpu: // what an IPI is sent for
            ++queued[e.cpu];
            break;
        case EventKind::call_function_single_entry:
        case EventKind::call_function_entry:
        case EventKind::ipi_entry:
            ++cpu.received;
            break;
        default:
            break;
        }
    }
    if (!ipisSeen) // the IPI events were not recorded
        for (std::size_t c = 0; c < queued.size(); ++c)
            out.cpus[c].sent = queued[c];
    out.lanes = build_lanes(log, cpus, first, last);
    return out;
}

} // namespace tlbscope
