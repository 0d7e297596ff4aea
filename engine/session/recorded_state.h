// What each CPU of a recorded machine is doing, as far as the events up to some place tell.
#pragma once

#include "engine/session/snapshot.h"

namespace tlbscope {

// A value: copy it to remember a place. `take` must see the events in the order of the log.
class RecordedState {
public:
    RecordedState() = default;
    explicit RecordedState(int cpus);

    void take(const Event& event, const Names& names);
    const CounterView& counters() const { return counters_; }
    int cpus() const { return static_cast<int>(cpus_.size()); }
    // State, task and cycles by owner (ticks) of one CPU at `now`, not before the last event taken.
    // Time in which nothing is known has no owner.
    void view(CpuId cpu, std::int64_t now, CpuView& out) const;
    static std::size_t bytes_a_cpu() { return sizeof(Cpu); }

private:
    enum class Base : std::uint8_t { unknown, idle, user };
    enum class Irq : std::uint8_t { none, call_function, other };
    struct Cpu {
        std::int64_t since = 0; // when the state was entered
        std::int64_t pages = 0; // of the flush being done
        std::uint32_t task = 0;
        Base base = Base::unknown;
        Irq irq = Irq::none;
        bool syscall = false, fault = false, waiting = false, blocked = false;
        BucketCycles buckets{};
    };

    static CpuState state_of(const Cpu& cpu);
    static void account(Cpu& cpu, std::int64_t now);
    void count(const Event& event, const Names& names);

    std::vector<Cpu> cpus_;
    CounterView counters_;
};

} // namespace tlbscope
