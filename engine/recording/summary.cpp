#include "engine/recording/summary.h"

#include "engine/recording/line_head.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_map>

namespace tlbscope {
namespace {

using Kind = EventKind;
constexpr std::size_t kListed = 20;

// Ticks of the log in the summary's unit.
class Clock {
public:
    explicit Clock(const EventLog& log)
        : scale_(log.ticks_per_second() > 0 ? 1e9 / log.ticks_per_second() : 1.0), exact_(scale_ == 1.0) {}
    std::int64_t operator()(std::int64_t ticks) const {
        if (exact_) return ticks;
        const double ns = static_cast<double>(ticks) * scale_;
        return static_cast<std::int64_t>(ns < 0 ? ns - 0.5 : ns + 0.5);
    }

private:
    double scale_;
    bool exact_;
};

// Times of a damaged file may lie 292 years apart; a sum of such durations stops at the largest number.
void add(std::int64_t& sum, std::int64_t value) {
    if (__builtin_add_overflow(sum, value, &sum))
        sum = value < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

class EventCounter {
public:
    EventCounter(const EventLog& log, Summary& summary) : log_(log), summary_(summary), clock_(log) {
        summary.per_cpu.resize(static_cast<std::size_t>(summary.cpus));
        for (int cpu = 0; cpu < summary.cpus; ++cpu)
            summary.per_cpu[static_cast<std::size_t>(cpu)].cpu = cpu;
        switched_at_.assign(summary.per_cpu.size(), kNever);
        reasons_.resize(6);
        for (int code = 0; code < 6; ++code)
            reasons_[static_cast<std::size_t>(code)].code = code;
    }

    void run() {
        std::array<std::uint64_t, 256> kinds{};
        for (std::uint64_t i = log_.first_index(); i < log_.end_index(); ++i) {
            const Event& e = log_[i];
            ++kinds[static_cast<std::size_t>(e.kind)];
            visit(e, e.cpu < summary_.per_cpu.size() ? &summary_.per_cpu[e.cpu] : nullptr);
        }
        for (std::size_t k = 0; k < kinds.size(); ++k)
            if (kinds[k]) summary_.kinds.emplace_back(static_cast<Kind>(k), kinds[k]);
        for (const ReasonCount& r : reasons_)
            if (r.code < 6 || r.count) summary_.reasons.push_back(r);
        for (auto& [name, count] : syscalls_) {
            count.name = name;
            summary_.syscalls.push_back(count);
        }
        for (auto& [name, count] : callbacks_) {
            count.function = name;
            summary_.callbacks.push_back(count);
        }
        std::stable_sort(summary_.callbacks.begin(), summary_.callbacks.end(),
                         [](const auto& a, const auto& b) {
                             return a.queued + a.ipis + a.executed > b.queued + b.ipis + b.executed;
                         });
        const auto received = reasons_[1].count + reasons_[5].count;
        summary_.announced_without_receive = reasons_[4].count > received ? reasons_[4].count - received : 0;
        summary_.switch_to_flush = distribution(std::move(switch_to_flush_));
    }

    std::string syscall_name(const Event& e) const {
        const auto call = static_cast<Syscall>(e.sub);
        const std::string& name = log_.names().string(e.id);
        return call == Syscall::other && !name.empty() ? name : to_string(call);
    }

private:
    static constexpr std::int64_t kNever = INT64_MIN;

    void visit(const Event& e, CpuCount* cpu) {
        CpuCount none;
        CpuCount& c = cpu ? *cpu : none;
        if (e.kind != Kind::lost) ++c.events;
        switch (e.kind) {
        case Kind::tlb_flush:
            flush(e, c);
            break;
        case Kind::csd_queue_cpu:
            ++callback(e).queued;
            break;
        case Kind::csd_function_entry:
            if (e.arg == 0)
                ++callback(e).executed_locally;
            else
                ++callback(e).executed;
            break;
        case Kind::ipi_send_cpu:
        case Kind::ipi_send_cpumask:
            ++callbacks_[log_.names().string(e.id)].ipis;
            ++c.ipis_sent;
            break;
        case Kind::ipi_raise:
            ++c.ipis_sent;
            break;
        case Kind::call_function_single_entry:
        case Kind::call_function_entry:
            ++c.function_call_interrupts;
            break;
        case Kind::ipi_entry:
        case Kind::reschedule_entry:
        case Kind::local_timer_entry:
        case Kind::irq_vector_entry:
            ++c.interrupts;
            break;
        case Kind::sched_switch:
            ++c.switches;
            if (cpu) switched_at_[e.cpu] = e.time;
            break;
        case Kind::sys_enter:
            ++syscalls_[syscall_name(e)].enters;
            break;
        case Kind::sys_exit:
            ++syscalls_[syscall_name(e)].exits;
            break;
        case Kind::page_fault_user:
        case Kind::page_fault_kernel:
            ++c.faults;
            break;
        case Kind::lost:
            ++c.lost;
            if (cpu) switched_at_[e.cpu] = kNever;
            break;
        default:
            break;
        }
    }

    void flush(const Event& e, CpuCount& c) {
        ++c.flushes;
        ++summary_.flushes;
        if (e.sub >= reasons_.size()) {
            const auto known = reasons_.size();
            reasons_.resize(e.sub + std::size_t{1});
            for (std::size_t code = known; code < reasons_.size(); ++code)
                reasons_[code].code = static_cast<int>(code);
        }
        ReasonCount& r = reasons_[e.sub];
        ++r.count;
        if (e.arg == kTlbFlushAll) {
            ++r.full;
            ++summary_.full_flushes;
        } else if (e.arg == 0) {
            ++r.nothing_to_do;
            ++summary_.flushes_of_nothing;
        } else {
            r.pages += static_cast<std::uint64_t>(e.arg);
        }
        if (e.sub == static_cast<int>(FlushReason::task_switch) && e.cpu < switched_at_.size() &&
            switched_at_[e.cpu] != kNever) {
            switch_to_flush_.push_back(clock_(e.time - switched_at_[e.cpu]));
            switched_at_[e.cpu] = kNever;
        }
    }

    CallbackCount& callback(const Event& e) {
        return callbacks_[is_simulated_csd(e) ? std::string("flush_tlb_func") : log_.names().string(e.id)];
    }

    const EventLog& log_;
    Summary& summary_;
    const Clock clock_;
    std::vector<ReasonCount> reasons_;
    std::map<std::string, SyscallCount> syscalls_;
    std::map<std::string, CallbackCount> callbacks_;
    std::vector<std::int64_t> switched_at_, switch_to_flush_;
};

void count_shootdowns(const EventLog& log, const ShootdownIndex& index, Summary& summary) {
    const Clock clock(log);
    std::unordered_map<std::uint32_t, InitiatorCount> initiators;
    std::unordered_map<std::uint32_t, VictimCount> victims;
    std::map<std::string, std::uint64_t> calls;
    std::vector<std::int64_t> delivery, service, wait;
    const auto lane = [&](CpuId cpu) {
        return cpu < summary.per_cpu.size() ? &summary.per_cpu[cpu] : nullptr;
    };

    for (const Shootdown& s : index.shootdowns) {
        CpuCount* sender = lane(s.initiator);
        if (s.initiator != kNoCpu) {
            ++summary.shootdowns;
            summary.without_target += s.target_count == 0;
            InitiatorCount& who = initiators[s.task];
            ++who.shootdowns;
            who.full += s.pages == kTlbFlushAll;
            who.targets += s.target_count;
            if (sender) ++sender->shootdowns_sent;
            if (const auto waited = wait_time(log, index, s)) {
                wait.push_back(clock(*waited));
                add(who.wait, wait.back());
                if (sender) add(sender->wait, wait.back());
            }
            if (s.syscall != kNoEvent) {
                const Event& e = log[s.syscall];
                const bool other = static_cast<Syscall>(e.sub) == Syscall::other;
                ++calls[other ? log.names().string(e.id) : to_string(static_cast<Syscall>(e.sub))];
            }
        }
        for (std::uint32_t i = s.first_target; i < s.first_target + s.target_count; ++i) {
            const ShootdownTarget& t = index.targets[i];
            CpuCount* receiver = lane(t.cpu);
            if (t.entry == kNoEvent && t.flush == kNoEvent) continue;
            if (receiver) ++receiver->shootdowns_received;
            const std::uint32_t task = log[t.entry != kNoEvent ? t.entry : t.flush].task;
            VictimCount& who = victims[task];
            ++who.interrupts;
            if (s.initiator != kNoCpu)
                if (const auto d = delivery_time(log, s, t)) delivery.push_back(clock(*d));
            if (const auto d = service_time(log, t)) {
                service.push_back(clock(*d));
                add(who.service, service.back());
                if (receiver) add(receiver->service, service.back());
            }
        }
    }
    summary.sends = index.matched_by_csd + index.matched_by_time + index.sends_unmatched;
    summary.matched_by_csd = index.matched_by_csd;
    summary.matched_by_time = index.matched_by_time;
    summary.sends_unmatched = index.sends_unmatched;
    summary.receives_unmatched = index.receives_unmatched;
    summary.delivery = distribution(std::move(delivery));
    summary.service = distribution(std::move(service));
    summary.wait = distribution(std::move(wait));

    const auto comm = [&](std::uint32_t task) -> std::string {
        return task == kNoTask ? std::string("(not recorded)") : log.names().comm(task);
    };
    for (auto& [task, count] : initiators) {
        count.task = task;
        count.comm = comm(task);
        summary.initiators.push_back(std::move(count));
    }
    for (auto& [task, count] : victims) {
        count.task = task;
        count.comm = comm(task);
        summary.victims.push_back(std::move(count));
    }
    std::sort(summary.initiators.begin(), summary.initiators.end(), [](const auto& a, const auto& b) {
        return a.shootdowns != b.shootdowns ? a.shootdowns > b.shootdowns : a.task < b.task;
    });
    std::sort(summary.victims.begin(), summary.victims.end(), [](const auto& a, const auto& b) {
        return a.interrupts != b.interrupts ? a.interrupts > b.interrupts : a.task < b.task;
    });
    summary.initiators.resize(std::min(summary.initiators.size(), kListed));
    summary.victims.resize(std::min(summary.victims.size(), kListed));
    for (SyscallCount& call : summary.syscalls)
        if (const auto at = calls.find(call.name); at != calls.end()) call.shootdowns = at->second;
}

} // namespace

Distribution distribution(std::vector<std::int64_t> values) {
    Distribution d;
    d.count = values.size();
    if (values.empty()) return d;
    std::sort(values.begin(), values.end());
    const auto rank = [&](std::size_t percent) { // nearest rank: the smallest with percent at or below it
        const std::size_t n = (values.size() * percent + 99) / 100;
        return values[std::max<std::size_t>(n, 1) - 1];
    };
    d.min = values.front();
    d.median = rank(50);
    d.p95 = rank(95);
    d.p99 = rank(99);
    d.max = values.back();
    for (const std::int64_t v : values)
        add(d.total, v);
    d.mean = static_cast<double>(d.total) / static_cast<double>(values.size());
    return d;
}

Summary summarize(const EventLog& log, int cpus, const ShootdownIndex& index, const std::string& file) {
    Summary summary;
    summary.file = file;
    summary.format = "simulation";
    summary.clock = "cycles of the simulated processor";
    summary.nanoseconds = log.ticks_per_second() > 0;
    summary.cpus = cpus;
    summary.events = log.end_index() - log.first_index();
    if (!log.empty()) {
        const Clock clock(log);
        summary.first_time = clock(log[log.first_index()].time);
        summary.last_time = clock(log[log.end_index() - 1].time);
    }
    EventCounter(log, summary).run();
    count_shootdowns(log, index, summary);
    return summary;
}

Summary summarize(const ImportedRecording& recording, const ShootdownIndex& index, const std::string& file) {
    Summary summary = summarize(recording.log, recording.cpus, index, file);
    summary.format = importer(recording.report.format).key;
    summary.clock = recording.report.clock;
    summary.lanes_are_threads = recording.report.lanes_are_threads;
    summary.import = recording.report;
    return summary;
}

} // namespace tlbscope
