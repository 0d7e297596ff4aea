// A log of shootdown chains, faults, ticks and switches as the event record defines them.
#include "tests/views/synthetic.h"

#include <algorithm>

namespace tlbscope::synthetic {

namespace {

class Writer {
public:
    explicit Writer(const Spec& spec)
        : spec_(spec), random_{spec.seed}, cpus_(spec.topology.cpus()),
          busy_(spec.busy_cpus > 0 ? std::min(spec.busy_cpus, cpus_)
                                   : std::max(std::min(2, cpus_), cpus_ / 2)),
          unit_(spec.recorded ? 1 : 3), free_at_(static_cast<std::size_t>(cpus_), 0) {}

    std::vector<Event> write() {
        for (int c = 0; c < busy_; ++c)
            switch_to(c, 0, c + 1);
        while (events_.size() < spec_.events) {
            const int cpu = random_.below(busy_);
            const double what = random_.unit();
            clock_ += (200 + random_.below(2500)) * unit_ / busy_ + 1;
            if (what < 0.22)
                shootdown(cpu);
            else if (what < 0.7)
                fault(cpu);
            else if (what < 0.85)
                tick(cpu);
            else if (what < 0.97)
                record(cpu);
            else
                nap(cpu);
        }
        std::stable_sort(events_.begin(), events_.end(),
                         [](const Event& a, const Event& b) { return a.time < b.time; });
        if (events_.size() > spec_.events) events_.resize(spec_.events);
        return std::move(events_);
    }

private:
    Event& put(std::int64_t time, int cpu, EventKind kind) {
        Event event;
        event.time = time;
        event.cpu = static_cast<CpuId>(cpu);
        event.task = cpu < busy_ ? static_cast<std::uint32_t>(cpu + 1) : 0;
        event.kind = kind;
        return events_.emplace_back(event);
    }
    std::int64_t begin(int cpu) {
        auto& free = free_at_[static_cast<std::size_t>(cpu)];
        return free = std::max(free, clock_) + 1;
    }
    std::int64_t after(int cpu, int ns) {
        return free_at_[static_cast<std::size_t>(cpu)] += std::int64_t{ns} * unit_ + random_.below(40);
    }
    void switch_to(int cpu, int from, int to) {
        Event& e = put(begin(cpu), cpu, EventKind::sched_switch);
        e.task = static_cast<std::uint32_t>(from);
        e.aux = static_cast<std::uint32_t>(to);
        e.sub = from ? 'S' : 'R';
    }
    void fault(int cpu) {
        const auto address = 0x7f0000000000 + random_.below(4096) * 4096LL;
        put(begin(cpu), cpu, EventKind::page_fault_user).arg = address;
        put(after(cpu, 600), cpu, EventKind::page_fault_exit);
    }
    void tick(int cpu) {
        put(begin(cpu), cpu, EventKind::local_timer_entry).arg = 236;
        put(after(cpu, 400), cpu, EventKind::local_timer_exit).arg = 236;
    }
    void record(int cpu) { put(begin(cpu), cpu, EventKind::workload_record).arg = ++records_; }
    void nap(int cpu) {
        switch_to(cpu, cpu + 1, 0);
        free_at_[static_cast<std::size_t>(cpu)] += 4000 * unit_;
        put(free_at_[static_cast<std::size_t>(cpu)], cpu, EventKind::sched_switch).aux =
            static_cast<std::uint32_t>(cpu + 1);
        events_.back().task = 0;
    }
    void shootdown(int cpu) {
        const std::uint32_t number = ++shootdowns_;
        const std::int64_t pages = random_.below(4) == 0 ? kTlbFlushAll : 129;
        const std::int64_t address = 0x7f1234560000;
        const std::int64_t start = begin(cpu);
        Event& enter = put(start, cpu, EventKind::sys_enter);
        enter.arg = address;
        enter.aux = 129 * 4096;
        enter.sub = static_cast<std::uint8_t>(Syscall::munmap);
        const int targets = std::min(busy_ - 1, 3 + random_.below(3));
        Event& decision = put(after(cpu, 300), cpu, EventKind::flush_decision);
        decision.arg = 129;
        decision.sub = pages < 0;
        decision.id = number;
        decision.aux = static_cast<std::uint32_t>(targets);
        std::vector<int> to;
        for (int i = 1; i <= targets; ++i)
            to.push_back((cpu + i) % busy_);
        flush(cpu, after(cpu, 20), FlushReason::remote_send_ipi, pages);
        for (const int target : to) {
            Event& send = put(after(cpu, 60), cpu, EventKind::csd_queue_cpu);
            send.arg = csdOf(number, target);
            send.id = number;
            send.aux = static_cast<std::uint32_t>(target);
        }
        flush(cpu, after(cpu, 80), FlushReason::local_mm_shootdown, pages);
        Event& wait = put(after(cpu, pages < 0 ? 250 : 1700), cpu, EventKind::shootdown_wait);
        wait.id = number;
        wait.aux = static_cast<std::uint32_t>(targets);
        std::int64_t last = wait.time;
        for (const int target : to) {
            const std::int64_t entry =
                std::max(free_at_[static_cast<std::size_t>(target)], start + 700 * unit_) + 1;
            free_at_[static_cast<std::size_t>(target)] = entry;
            put(entry, target, EventKind::call_function_single_entry).arg = 251;
            flush(target, after(target, 150), FlushReason::remote_shootdown, pages);
            const std::int64_t exit = after(target, pages < 0 ? 250 : 1700);
            Event& ack = put(exit, target, EventKind::ipi_ack);
            ack.id = number;
            ack.aux = static_cast<std::uint32_t>(cpu);
            put(after(target, 100), target, EventKind::call_function_single_exit).arg = 251;
            last = std::max(last, exit);
        }
        free_at_[static_cast<std::size_t>(cpu)] = last;
        Event& done = put(after(cpu, 60), cpu, EventKind::shootdown_done);
        done.id = number;
        done.aux = static_cast<std::uint32_t>(targets);
        put(after(cpu, 200), cpu, EventKind::sys_exit).sub = static_cast<std::uint8_t>(Syscall::munmap);
    }
    // As the simulation numbers them.
    static std::int64_t csdOf(std::uint32_t shootdown, int to) {
        return std::int64_t{shootdown} * 4096 + to + 1;
    }
    void flush(int cpu, std::int64_t time, FlushReason reason, std::int64_t pages) {
        Event& e = put(time, cpu, EventKind::tlb_flush);
        e.sub = static_cast<std::uint8_t>(reason);
        e.arg = pages;
    }

    const Spec& spec_;
    Random random_;
    int cpus_, busy_;
    int unit_; // ticks a nanosecond, roughly
    std::int64_t clock_ = 1000;
    std::int64_t records_ = 0;
    std::uint32_t shootdowns_ = 0;
    std::vector<std::int64_t> free_at_;
    std::vector<Event> events_;
};

} // namespace

EventLog log(const Spec& spec) {
    const std::vector<Event> events = Writer(spec).write();
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    for (std::size_t at = 0; at < events.size(); at += EventLog::kBlock) {
        const std::size_t end = std::min(events.size(), at + EventLog::kBlock);
        blocks.push_back(
            std::make_shared<const EventLog::Block>(events.begin() + static_cast<std::ptrdiff_t>(at),
                                                    events.begin() + static_cast<std::ptrdiff_t>(end)));
    }
    auto names = std::make_shared<Names>();
    for (int c = 0; c < spec.topology.cpus(); ++c)
        names->tasks.emplace_back(static_cast<std::uint32_t>(c + 1), "ebizzy");
    return EventLog(std::move(blocks), 0, spec.recorded ? 1e9 : 3.4e9, std::move(names));
}

} // namespace tlbscope::synthetic
