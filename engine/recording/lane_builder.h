// What one CPU is doing, event by event; build_lanes() feeds it.
#pragma once

#include "engine/recording/spans.h"

#include <unordered_set>

namespace tlbscope {

// What spans across CPUs: tasks migrate inside system calls and while they are blocked.
struct LaneTasks {
    std::unordered_set<std::uint32_t> in_syscall;
    bool fault_ends_known = false; // the log has page_fault_exit
};

class LaneBuilder {
public:
    explicit LaneBuilder(CpuId cpu) { lane_.cpu = cpu; }

    // Events of this CPU in order. `wait_until`: when a shootdown announced by this event stops waiting,
    // if known.
    void take(std::uint64_t index, const Event& e, LaneTasks& tasks, std::int64_t wait_until,
              bool service_ipi);
    void block(std::uint64_t index, std::int64_t time, int change); // tasks of this CPU waiting for mmap_sem
    void lose(std::uint64_t index, std::int64_t time, std::int64_t log_begin);
    Lane finish(std::int64_t end);

private:
    struct Activity {
        SpanKind kind = SpanKind::idle;
        std::uint64_t event = 0;
        std::int64_t pages = 0;
    };

    void change(std::int64_t time); // close the current span if the activity is another now
    void emit(std::int64_t end);
    Activity activity() const;
    void goes_on();
    bool interrupted() const { return !interrupts_.empty(); }
    void enter(SpanKind kind, std::uint64_t index) { interrupts_.push_back({kind, index, 0}); }
    void leave() {
        if (!interrupts_.empty()) interrupts_.pop_back();
    }
    void flush(std::uint64_t index, const Event& e, std::int64_t wait_until);

    Lane lane_;
    bool seen_ = false;
    std::int64_t since_ = 0, last_time_ = 0;
    Activity current_;
    Activity base_;               // user, kernel or idle
    Activity fault_;              // kind idle: none
    Activity shooting_;           // flush or wait_acks; kind idle: none
    std::int64_t wait_until_ = 0; // of shooting_, 0: unknown
    std::vector<Activity> interrupts_;
    std::uint32_t task_ = 0;
    int blocked_ = 0;
    std::uint64_t blocked_since_ = 0;
    bool local_flush_was_last_ = false, flushed_first_ = false;
    bool decided_ = false; // shooting_ began with a simulation's flush_decision
};

} // namespace tlbscope
