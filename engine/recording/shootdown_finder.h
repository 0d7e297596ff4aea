// The one pass over a log behind find_shootdowns().
#pragma once

#include "engine/recording/shootdown.h"

#include <unordered_map>

namespace tlbscope {

class ShootdownFinder {
public:
    explicit ShootdownFinder(const EventLog& log);

    ShootdownIndex run();

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    // Targets are found in the order of sends and sorted by shootdown at the end.
    struct Found : ShootdownTarget {
        std::uint32_t shootdown = 0;
    };

    struct Cpu {
        // as target
        std::uint64_t interrupt = kNoEvent;  // open call_function(_single)_entry
        std::vector<std::uint32_t> served;   // targets of this interrupt
        std::vector<std::uint32_t> unpaired; // sends to this CPU that can only be paired by time
        std::uint32_t serving = kNone;       // between csd_function_entry and exit
        std::uint64_t lost_at = kNoEvent;    // last loss
        int other_interrupts = 0;            // nesting of timer, reschedule, …
        // as initiator
        std::uint32_t open = kNone;        // shootdown not yet known to be done
        std::uint64_t decision = kNoEvent; // flush_decision that may or may not become a shootdown
        std::uint64_t decision_flush = kNoEvent;
    };

    Cpu& cpu(CpuId id);
    void visit(std::uint64_t i, const Event& e);
    void flush_event(std::uint64_t i, const Event& e, Cpu& c);
    void remote_flush(std::uint64_t i, const Event& e, Cpu& c);
    void csd_queue(std::uint64_t i, const Event& e, Cpu& c);
    void csd_entry(std::uint64_t i, const Event& e, Cpu& c);
    void csd_exit(std::uint64_t i, const Event& e, Cpu& c);
    void ipi_send(std::uint64_t i, const Event& e, Cpu& c, CpuId target);
    void call_function_entry(std::uint64_t i, Cpu& c);
    void call_function_exit(std::uint64_t i, Cpu& c);
    void by_number(std::uint64_t i, const Event& e); // simulation: id names the shootdown
    void lose(std::uint64_t i, Cpu& c);
    void goes_on(std::uint64_t i, Cpu& c);

    std::uint32_t begin(std::uint64_t i, const Event& e);
    std::uint32_t begin_from_decision(std::uint64_t i, const Event& e, Cpu& c);
    std::uint32_t add_target(std::uint32_t shootdown, CpuId target);
    std::uint32_t unsent(std::uint64_t i, const Event& e); // a receive without a send
    std::uint32_t target_of(std::uint32_t shootdown, CpuId target) const;
    void expect_by_time(std::uint32_t target);
    bool over(std::uint32_t shootdown, std::int64_t time) const;
    bool lost_since(std::uint64_t send, const Cpu& target) const;
    void own_step(std::uint64_t i, std::uint32_t shootdown);
    void join(std::uint64_t i, std::uint32_t shootdown); // event i belongs to it
    bool in_interrupt(const Cpu& c) const { return c.interrupt != kNoEvent || c.other_interrupts > 0; }
    void assemble();

    const EventLog& log_;
    std::vector<bool> flush_function_; // by number in Names::strings
    bool csd_entries_ = false;         // the log has csd_function_entry with pointers
    ShootdownIndex index_;
    std::vector<Found> found_;
    std::vector<Cpu> cpus_;
    std::unordered_map<std::int64_t, std::uint32_t> by_pointer_; // csd -> target waiting for it
    std::unordered_map<std::uint32_t, std::uint32_t> by_number_; // simulated number -> shootdown
    std::unordered_map<std::uint32_t, std::uint64_t> syscalls_;  // task -> open sys_enter
};

} // namespace tlbscope
