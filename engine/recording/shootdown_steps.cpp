// How the finder reads the single steps: flushes, function calls, IPIs and the interrupts they raise.
#include "engine/recording/shootdown_finder.h"

#include <algorithm>

namespace tlbscope {

using Kind = EventKind;

void ShootdownFinder::flush_event(std::uint64_t i, const Event& e, Cpu& c) {
    switch (static_cast<FlushReason>(e.sub)) {
    case FlushReason::remote_send_ipi: {
        if (c.open != kNone && index_.shootdowns[c.open].announce != kNoEvent) goes_on(i, c);
        const std::uint32_t s = begin_from_decision(i, e, c);
        index_.shootdowns[s].announce = i;
        index_.shootdowns[s].pages = e.arg;
        own_step(i, s);
        return;
    }
    case FlushReason::remote_shootdown:
        return remote_flush(i, e, c);
    case FlushReason::remote_wrong_cpu:
        // on the initiator itself: its own mm is no longer loaded (exec)
        if (c.open != kNone && !in_interrupt(c) && c.serving == kNone) break;
        return remote_flush(i, e, c);
    case FlushReason::local_mm_shootdown:
    case FlushReason::local_shootdown:
        break;
    default:
        return;
    }
    if (in_interrupt(c)) return;
    if (c.open != kNone && index_.shootdowns[c.open].local_flush == kNoEvent) {
        index_.shootdowns[c.open].local_flush = i;
        own_step(i, c.open);
    } else if (c.decision != kNoEvent) {
        c.decision_flush = i;
    }
}

void ShootdownFinder::remote_flush(std::uint64_t i, const Event& e, Cpu& c) {
    const auto attach = [&](std::uint32_t t) {
        found_[t].flush = i;
        join(i, found_[t].shootdown);
    };
    if (c.serving != kNone) return attach(c.serving);
    if (c.interrupt != kNoEvent) {
        for (const std::uint32_t t : c.served)
            if (found_[t].flush == kNoEvent) return attach(t);
        const std::uint32_t t = unsent(c.interrupt, log_[c.interrupt]);
        found_[t].entry = c.interrupt;
        c.served.push_back(t);
        return attach(t);
    }
    // No interrupt recorded. First a send to this CPU that is still open …
    while (!c.unpaired.empty()) {
        const std::uint32_t t = c.unpaired.front();
        c.unpaired.erase(c.unpaired.begin());
        if (index_.shootdowns[found_[t].shootdown].done != kNoEvent || lost_since(found_[t].send, c))
            continue;
        found_[t].pairing = Pairing::by_time;
        return attach(t);
    }
    // … else the latest announcement on another CPU whose targets nobody recorded.
    std::uint32_t best = kNone;
    for (const Cpu& other : cpus_) {
        if (&other == &c || other.open == kNone) continue;
        const Shootdown& s = index_.shootdowns[other.open];
        if (s.announce == kNoEvent || target_of(other.open, e.cpu) != kNone || lost_since(s.announce, c))
            continue;
        const bool sends_known = s.target_count > 0 && found_[s.first_target].send != kNoEvent;
        if (!sends_known && (best == kNone || s.announce > index_.shootdowns[best].announce))
            best = other.open;
    }
    if (best == kNone) return attach(unsent(i, e));
    const std::uint32_t t = add_target(best, e.cpu);
    found_[t].pairing = Pairing::by_time;
    attach(t);
}

void ShootdownFinder::csd_queue(std::uint64_t i, const Event& e, Cpu& c) {
    const bool simulated = is_simulated_csd(e);
    const bool named = e.id < flush_function_.size() && e.id != 0;
    const bool flushes = simulated || (named ? flush_function_[e.id] : c.open != kNone);
    by_pointer_.erase(e.arg); // the csd was free again, whatever happened to its last user
    if (!flushes || e.aux >= kNoCpu || in_interrupt(c)) return;
    const auto target = static_cast<CpuId>(e.aux);
    std::uint32_t s = c.open;
    if (s != kNone && target_of(s, target) != kNone) goes_on(i, c);
    // do_flush_tlb_all and its like announce nothing
    const bool announced = simulated || !named || log_.names().strings[e.id].starts_with("flush_tlb");
    if (c.open == kNone || (!announced && index_.shootdowns[c.open].announce != kNoEvent)) {
        s = begin_from_decision(i, e, c);
        if (index_.shootdowns[s].decision == kNoEvent) index_.shootdowns[s].pages = kTlbFlushAll;
    } else {
        s = c.open;
    }
    if (simulated) by_number_[e.id] = s;
    const std::uint32_t t = add_target(s, target);
    found_[t].send = i;
    ++index_.sends;
    own_step(i, s);
    if (csd_entries_)
        by_pointer_[e.arg] = t;
    else
        expect_by_time(t);
}

void ShootdownFinder::ipi_send(std::uint64_t i, const Event& e, Cpu& c, CpuId target) {
    if (target == kNoCpu || in_interrupt(c) || target == e.cpu) return;
    const auto& strings = log_.names().strings;
    const std::string_view callback = e.id < strings.size() ? strings[e.id] : std::string_view{};
    if (c.open != kNone) {
        const std::uint32_t t = target_of(c.open, target);
        if (t != kNone) {
            if (found_[t].ipi != kNoEvent) return; // a wakeup while it waits
            found_[t].ipi = i;
            return own_step(i, c.open);
        }
    }
    const bool generic = callback.starts_with("generic_smp_call_function");
    if (!is_flush_function(callback) && !(generic && c.open != kNone)) return;
    if (generic) {
        const auto number = static_cast<std::size_t>(e.kind == Kind::ipi_send_cpu ? e.arg : 0);
        const std::string_view callsite = number < strings.size() ? strings[number] : std::string_view{};
        if (callsite.starts_with("ttwu") || callsite.starts_with("try_to_wake")) return;
        if (index_.shootdowns[c.open].announce == kNoEvent) return;
    }
    if (c.open == kNone) {
        begin_from_decision(i, e, c);
        index_.shootdowns[c.open].pages = kTlbFlushAll;
    }
    const std::uint32_t t = add_target(c.open, target);
    found_[t].send = found_[t].ipi = i;
    ++index_.sends;
    own_step(i, c.open);
    expect_by_time(t);
}

void ShootdownFinder::call_function_entry(std::uint64_t i, Cpu& c) {
    c.interrupt = i;
    c.served.clear();
    c.serving = kNone;
    for (const std::uint32_t t : c.unpaired) {
        if (index_.shootdowns[found_[t].shootdown].done != kNoEvent || lost_since(found_[t].send, c))
            continue;
        found_[t].pairing = Pairing::by_time;
        found_[t].entry = i;
        c.served.push_back(t);
        join(i, found_[t].shootdown);
    }
    c.unpaired.clear();
}

void ShootdownFinder::csd_entry(std::uint64_t i, const Event& e, Cpu& c) {
    if (e.arg == 0) { // the initiator's own call
        if (c.open != kNone && !in_interrupt(c)) own_step(i, c.open);
        return;
    }
    std::uint32_t t = kNone;
    const auto sent = by_pointer_.find(e.arg);
    if (sent != by_pointer_.end()) {
        t = sent->second;
        by_pointer_.erase(sent);
        if (found_[t].cpu != e.cpu || lost_since(found_[t].send, c) || over(found_[t].shootdown, e.time))
            t = kNone;
        if (t != kNone) found_[t].pairing = Pairing::by_csd;
    }
    if (t == kNone) { // paired by time at the interrupt, its csd_queue not recorded
        for (const std::uint32_t s : c.served)
            if (found_[s].pairing == Pairing::by_time && found_[s].ack == kNoEvent && t == kNone) t = s;
    }
    if (t == kNone) {
        const bool named = e.id < flush_function_.size() && flush_function_[e.id];
        if (!named && !is_simulated_csd(e)) return;
        t = unsent(c.interrupt != kNoEvent ? c.interrupt : i, e);
    }
    c.serving = t;
    join(i, found_[t].shootdown);
    if (found_[t].entry != kNoEvent) return;
    found_[t].entry = c.interrupt != kNoEvent ? c.interrupt : i; // an idle CPU may look by itself
    if (c.interrupt != kNoEvent) {
        c.served.push_back(t);
        join(c.interrupt, found_[t].shootdown);
    }
}

void ShootdownFinder::csd_exit(std::uint64_t i, const Event& e, Cpu& c) {
    if (c.serving != kNone && e.arg != 0) {
        Found& t = found_[c.serving];
        t.ack = i;
        if (c.interrupt == kNoEvent) t.exit = i;
        join(i, t.shootdown);
        c.serving = kNone;
    } else if (e.arg == 0 && c.open != kNone && !in_interrupt(c)) {
        own_step(i, c.open);
    }
}

void ShootdownFinder::call_function_exit(std::uint64_t i, Cpu& c) {
    for (const std::uint32_t t : c.served) {
        found_[t].exit = i;
        join(i, found_[t].shootdown);
    }
    c.served.clear();
    c.interrupt = kNoEvent;
    c.serving = kNone;
}

} // namespace tlbscope
