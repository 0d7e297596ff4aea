#include "engine/recording/shootdown_finder.h"

#include <algorithm>

namespace tlbscope {
namespace {

using Kind = EventKind;

constexpr double kClockSkewSeconds = 10e-6;

} // namespace

ShootdownFinder::ShootdownFinder(const EventLog& log) : log_(log) {
    for (const std::string& name : log.names().strings)
        flush_function_.push_back(is_flush_function(name));
    for (std::uint64_t i = log.first_index(); i < log.end_index() && !csd_entries_; ++i)
        csd_entries_ = log[i].kind == Kind::csd_function_entry && log[i].arg != 0;
}

ShootdownIndex ShootdownFinder::run() {
    for (std::uint64_t i = log_.first_index(); i < log_.end_index(); ++i)
        visit(i, log_[i]);
    assemble();
    return std::move(index_);
}

ShootdownFinder::Cpu& ShootdownFinder::cpu(CpuId id) {
    if (id >= cpus_.size()) cpus_.resize(id + std::size_t{1});
    return cpus_[id];
}

void ShootdownFinder::visit(std::uint64_t i, const Event& e) {
    if (e.cpu == kNoCpu) {
        if (e.kind == Kind::lost)
            for (Cpu& c : cpus_)
                lose(i, c);
        return;
    }
    Cpu& c = cpu(e.cpu);
    switch (e.kind) {
    case Kind::tlb_flush:
        flush_event(i, e, c);
        break;
    case Kind::csd_queue_cpu:
        csd_queue(i, e, c);
        break;
    case Kind::csd_function_entry:
        csd_entry(i, e, c);
        break;
    case Kind::csd_function_exit:
        csd_exit(i, e, c);
        break;
    case Kind::ipi_send_cpu:
        ipi_send(i, e, c, static_cast<CpuId>(std::min<std::uint32_t>(e.aux, kNoCpu)));
        break;
    case Kind::ipi_send_cpumask: {
        const auto& masks = log_.names().masks;
        const auto number = static_cast<std::size_t>(e.arg);
        if (number < masks.size())
            for (const CpuId target : masks[number])
                ipi_send(i, e, cpu(e.cpu), target);
        break;
    }
    case Kind::call_function_single_entry:
    case Kind::call_function_entry:
        call_function_entry(i, c);
        break;
    case Kind::call_function_single_exit:
    case Kind::call_function_exit:
        call_function_exit(i, c);
        break;
    case Kind::reschedule_entry:
    case Kind::local_timer_entry:
    case Kind::irq_vector_entry:
    case Kind::ipi_entry:
        ++c.other_interrupts;
        break;
    case Kind::reschedule_exit:
    case Kind::local_timer_exit:
    case Kind::irq_vector_exit:
    case Kind::ipi_exit:
        c.other_interrupts = std::max(0, c.other_interrupts - 1);
        break;
    case Kind::sys_enter:
        goes_on(i, c);
        syscalls_[e.task] = i;
        break;
    case Kind::sys_exit:
        goes_on(i, c);
        syscalls_.erase(e.task);
        break;
    case Kind::sched_switch:
        c.other_interrupts = 0; // no kernel switches tasks inside an interrupt: an exit is missing
        c.interrupt = kNoEvent;
        c.serving = kNone;
        goes_on(i, c);
        break;
    case Kind::page_fault_user:
        goes_on(i, c);
        break;
    case Kind::flush_decision:
        goes_on(i, c);
        c.decision = i;
        c.decision_flush = kNoEvent;
        break;
    case Kind::shootdown_wait:
    case Kind::shootdown_done:
    case Kind::ipi_ack:
    case Kind::leave_mm:
        by_number(i, e);
        break;
    case Kind::lost:
        lose(i, c);
        break;
    default:
        break;
    }
}

// The initiator does something it could not do while it waited.
void ShootdownFinder::goes_on(std::uint64_t i, Cpu& c) {
    if (c.open == kNone || in_interrupt(c)) return;
    Shootdown& s = index_.shootdowns[c.open];
    if (s.done == kNoEvent) {
        s.done = i;
        join(i, c.open);
    }
    c.open = kNone;
}

void ShootdownFinder::by_number(std::uint64_t i, const Event& e) {
    const auto at = by_number_.find(e.id);
    if (at == by_number_.end()) return;
    Shootdown& s = index_.shootdowns[at->second];
    join(i, at->second);
    switch (e.kind) {
    case Kind::shootdown_wait:
        s.wait = i;
        return;
    case Kind::shootdown_done:
        s.done = i;
        if (cpu(s.initiator).open == at->second) cpu(s.initiator).open = kNone;
        return;
    default:
        break;
    }
    const std::uint32_t t = target_of(at->second, e.cpu);
    if (t == kNone) return;
    if (e.kind == Kind::leave_mm && found_[t].flush == kNoEvent) found_[t].flush = i;
    if (e.kind == Kind::ipi_ack) found_[t].ack = i;
}

void ShootdownFinder::lose(std::uint64_t i, Cpu& c) {
    c.lost_at = i;
    c.interrupt = kNoEvent;
    c.served.clear();
    c.unpaired.clear();
    c.serving = kNone;
    c.other_interrupts = 0;
    c.open = kNone; // when it went on is not known
    c.decision = kNoEvent;
}

// An initiator waits for its targets, so what is received after it went on answers somebody else's send
// (of a task that was not recorded). CPU clocks may disagree a little.
bool ShootdownFinder::over(std::uint32_t shootdown, std::int64_t time) const {
    const std::uint64_t done = index_.shootdowns[shootdown].done;
    const auto slack = static_cast<std::int64_t>(log_.ticks_per_second() * kClockSkewSeconds);
    return done != kNoEvent && time - log_[done].time > slack;
}

bool ShootdownFinder::lost_since(std::uint64_t send, const Cpu& target) const {
    return target.lost_at != kNoEvent && send != kNoEvent && send < target.lost_at;
}

std::uint32_t ShootdownFinder::begin(std::uint64_t i, const Event& e) {
    const auto number = static_cast<std::uint32_t>(index_.shootdowns.size());
    Shootdown& s = index_.shootdowns.emplace_back();
    s.initiator = e.cpu;
    s.task = e.task;
    s.begin = s.end = log_[i].time;
    s.first_target = kNone;
    const auto call = syscalls_.find(e.task);
    if (call != syscalls_.end()) s.syscall = call->second;
    return number;
}

std::uint32_t ShootdownFinder::begin_from_decision(std::uint64_t i, const Event& e, Cpu& c) {
    if (c.open != kNone && index_.shootdowns[c.open].decision != kNoEvent &&
        index_.shootdowns[c.open].announce == kNoEvent)
        return c.open;
    const bool decided = c.decision != kNoEvent;
    c.open = begin(decided ? c.decision : i, e);
    Shootdown& s = index_.shootdowns[c.open];
    if (decided) {
        const Event& decision = log_[c.decision];
        s.decision = c.decision;
        s.local_flush = c.decision_flush;
        s.pages = decision.sub ? kTlbFlushAll : decision.arg;
        by_number_[decision.id] = c.open;
        join(c.decision, c.open);
        if (s.local_flush != kNoEvent) join(s.local_flush, c.open);
        c.decision = kNoEvent;
    } else if (e.kind == Kind::tlb_flush) {
        s.decision = i;
    }
    return c.open;
}

std::uint32_t ShootdownFinder::add_target(std::uint32_t shootdown, CpuId target) {
    const auto number = static_cast<std::uint32_t>(found_.size());
    Found& t = found_.emplace_back();
    t.cpu = target;
    t.shootdown = shootdown;
    Shootdown& s = index_.shootdowns[shootdown];
    if (s.target_count++ == 0) s.first_target = number; // of found_, until assemble()
    return number;
}

std::uint32_t ShootdownFinder::unsent(std::uint64_t i, const Event& e) {
    const std::uint32_t s = begin(i, e);
    index_.shootdowns[s].initiator = kNoCpu;
    index_.shootdowns[s].syscall = kNoEvent;
    return add_target(s, e.cpu);
}

// A shootdown's targets are found one after the other, other CPUs' in between: look from its first on.
std::uint32_t ShootdownFinder::target_of(std::uint32_t shootdown, CpuId target) const {
    const Shootdown& s = index_.shootdowns[shootdown];
    std::uint32_t left = s.target_count;
    for (std::uint32_t t = s.first_target; left > 0 && t < found_.size(); ++t) {
        if (found_[t].shootdown != shootdown) continue;
        if (found_[t].cpu == target) return t;
        --left;
    }
    return kNone;
}

// An initiator waits for its last call before it makes another, so an older one of its own is over.
void ShootdownFinder::expect_by_time(std::uint32_t target) {
    Cpu& c = cpu(found_[target].cpu);
    const CpuId initiator = index_.shootdowns[found_[target].shootdown].initiator;
    std::erase_if(c.unpaired, [&](std::uint32_t t) {
        return index_.shootdowns[found_[t].shootdown].initiator == initiator;
    });
    c.unpaired.push_back(target);
}

void ShootdownFinder::own_step(std::uint64_t i, std::uint32_t shootdown) {
    Shootdown& s = index_.shootdowns[shootdown];
    if (s.wait == kNoEvent || log_[s.wait].kind != Kind::shootdown_wait) s.wait = i;
    join(i, shootdown);
}

void ShootdownFinder::join(std::uint64_t i, std::uint32_t shootdown) {
    index_.by_event.emplace_back(i, shootdown);
    Shootdown& s = index_.shootdowns[shootdown];
    s.end = std::max(s.end, log_[i].time);
}

void ShootdownFinder::assemble() {
    auto& all = index_.shootdowns;
    // In order of begin; a receive without a send begins at an interrupt seen before.
    std::vector<std::uint32_t> order(all.size()), place(all.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return all[a].begin < all[b].begin; });
    std::vector<Shootdown> sorted;
    sorted.reserve(all.size());
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        Shootdown& s = sorted.emplace_back(all[order[i]]);
        s.first_target = first;
        first += s.target_count;
    }
    all = std::move(sorted);

    index_.targets.resize(found_.size());
    std::vector<std::uint32_t> filled(all.size());
    for (const Found& t : found_) {
        const std::uint32_t s = place[t.shootdown];
        ShootdownTarget& target = index_.targets[all[s].first_target + filled[s]++];
        target = t;
        if (target.exit == kNoEvent) target.exit = target.ack;
        if (all[s].initiator == kNoCpu)
            ++index_.receives_unmatched;
        else if (target.pairing == Pairing::by_csd)
            ++index_.matched_by_csd;
        else if (target.pairing == Pairing::by_time)
            ++index_.matched_by_time;
        else
            ++index_.sends_unmatched;
    }
    for (auto& entry : index_.by_event)
        entry.second = place[entry.second];
    std::sort(index_.by_event.begin(), index_.by_event.end());
    index_.by_event.erase(std::unique(index_.by_event.begin(), index_.by_event.end()), index_.by_event.end());
}

} // namespace tlbscope
