#include "engine/recording/lane_builder.h"

#include "engine/recording/line_head.h"

#include <algorithm>

namespace tlbscope {

using Kind = EventKind;

LaneBuilder::Activity LaneBuilder::activity() const {
    if (!interrupts_.empty()) return interrupts_.back();
    if (shooting_.kind != SpanKind::idle) return shooting_;
    if (fault_.kind != SpanKind::idle) return fault_;
    if (base_.kind == SpanKind::idle && blocked_ > 0) return {SpanKind::blocked, blocked_since_, 0};
    return base_;
}

void LaneBuilder::emit(std::int64_t end) {
    if (end > since_)
        lane_.spans.push_back({since_, end, current_.event, current_.pages, task_, current_.kind});
    since_ = end;
}

void LaneBuilder::change(std::int64_t time) {
    const Activity now = activity();
    if (seen_ && now.kind == current_.kind && now.event == current_.event) {
        current_.pages = now.pages;
        return;
    }
    if (seen_) emit(time);
    seen_ = true;
    since_ = time;
    current_ = now;
}

void LaneBuilder::goes_on() {
    if (!interrupted()) shooting_ = {};
}

void LaneBuilder::flush(std::uint64_t index, const Event& e, std::int64_t wait_until) {
    switch (static_cast<FlushReason>(e.sub)) {
    case FlushReason::remote_send_ipi:
        if (shooting_.kind == SpanKind::idle || shooting_.kind == SpanKind::wait_acks) {
            shooting_ = {SpanKind::flush, index, e.arg};
            // Old kernels flush before they send; a simulation says itself when the wait begins (and its
            // tlb_flush carries the shootdown's number).
            flushed_first_ = local_flush_was_last_ && e.id == 0;
        }
        decided_ = false;
        wait_until_ = wait_until;
        break;
    case FlushReason::local_mm_shootdown:
    case FlushReason::local_shootdown:
        if (!interrupted() && shooting_.kind == SpanKind::flush) {
            if (decided_)
                shooting_ = {}; // the announcement follows at once, if there are targets
            else
                shooting_ = {SpanKind::wait_acks, index, 0};
            decided_ = false;
        }
        local_flush_was_last_ = true;
        break;
    case FlushReason::remote_shootdown:
    case FlushReason::remote_wrong_cpu:
        if (interrupted()) interrupts_.back().pages = e.arg;
        break;
    default:
        break;
    }
}

void LaneBuilder::take(std::uint64_t index, const Event& e, LaneTasks& tasks, std::int64_t wait_until,
                       bool service_ipi) {
    if (shooting_.kind == SpanKind::wait_acks && wait_until_ > 0 && wait_until_ <= e.time && !interrupted()) {
        const std::int64_t stop = std::max(wait_until_, last_time_);
        shooting_ = {};
        change(stop);
    }
    const std::uint32_t task_before = task_;
    const bool local_before = local_flush_was_last_;
    local_flush_was_last_ = false;
    std::uint32_t task = e.kind == Kind::sched_switch ? e.aux : e.task;
    if (task == kNoTask) task = task_before;

    switch (e.kind) {
    case Kind::sched_switch:
        interrupts_.clear(); // no switch inside an interrupt: an exit is missing
        goes_on();
        fault_ = {};
        break;
    case Kind::sys_enter:
        goes_on();
        tasks.in_syscall.insert(e.task);
        break;
    case Kind::sys_exit:
        goes_on();
        tasks.in_syscall.erase(e.task);
        break;
    case Kind::page_fault_user:
        goes_on();
        if (tasks.fault_ends_known) fault_ = {SpanKind::fault, index, 0};
        break;
    case Kind::page_fault_exit:
        fault_ = {};
        break;
    case Kind::flush_decision:
        goes_on();
        shooting_ = {SpanKind::flush, index, e.sub ? kTlbFlushAll : e.arg};
        wait_until_ = 0;
        decided_ = true;
        break;
    case Kind::shootdown_wait:
        shooting_ = {SpanKind::wait_acks, index, 0};
        break;
    case Kind::shootdown_done:
        shooting_ = {};
        break;
    case Kind::tlb_flush:
        local_flush_was_last_ = local_before;
        flush(index, e, wait_until);
        break;
    case Kind::csd_function_exit:
        if (e.arg == 0 && !interrupted() && shooting_.kind == SpanKind::flush)
            shooting_ = {SpanKind::wait_acks, index, 0};
        break;
    case Kind::ipi_send_cpu:
    case Kind::ipi_send_cpumask:
        if (flushed_first_ && !interrupted() && shooting_.kind == SpanKind::flush)
            shooting_ = {SpanKind::wait_acks, index, 0};
        break;
    case Kind::call_function_single_entry:
    case Kind::call_function_entry:
        enter(SpanKind::service, index);
        break;
    case Kind::ipi_entry:
        enter(service_ipi ? SpanKind::service : SpanKind::interrupt, index);
        break;
    case Kind::reschedule_entry:
    case Kind::local_timer_entry:
    case Kind::irq_vector_entry:
        enter(SpanKind::interrupt, index);
        break;
    case Kind::call_function_single_exit:
    case Kind::call_function_exit:
    case Kind::ipi_exit:
    case Kind::reschedule_exit:
    case Kind::local_timer_exit:
    case Kind::irq_vector_exit:
        leave();
        break;
    default:
        break;
    }

    const SpanKind base = task == 0                         ? SpanKind::idle
                          : tasks.in_syscall.contains(task) ? SpanKind::kernel
                                                            : SpanKind::user;
    if (!seen_ || base != base_.kind || task != task_before) base_ = {base, index, 0};
    change(e.time);
    task_ = task;
    last_time_ = e.time;
}

void LaneBuilder::block(std::uint64_t index, std::int64_t time, int change_by) {
    if (blocked_ == 0) blocked_since_ = index;
    blocked_ = std::max(0, blocked_ + change_by);
    if (seen_) change(time);
}

void LaneBuilder::lose(std::uint64_t index, std::int64_t time, std::int64_t log_begin) {
    if (seen_) emit(last_time_);
    const std::int64_t from = seen_ ? last_time_ : log_begin;
    if (time > from) lane_.spans.push_back({from, time, index, 0, 0, SpanKind::gap});
    interrupts_.clear();
    shooting_ = fault_ = {};
    seen_ = false;
    since_ = last_time_ = time;
}

Lane LaneBuilder::finish(std::int64_t end) {
    if (shooting_.kind == SpanKind::wait_acks && wait_until_ > 0 && wait_until_ <= end && !interrupted()) {
        const std::int64_t stop = std::max(wait_until_, last_time_);
        shooting_ = {};
        change(stop);
    }
    if (seen_) emit(end);
    return std::move(lane_);
}

} // namespace tlbscope
