// A shootdown reassembled from its events: system call, decision, sends, entries, flushes, return.
// Works on simulated and recorded events alike.
#pragma once

#include "engine/recording/event_log.h"

#include <optional>
#include <string_view>

namespace tlbscope {

// How a send was matched with its receive.
enum class Pairing : std::uint8_t {
    unmatched, // no receive found (or the receive has no send): shown as such, not an error
    by_csd,    // same csd pointer: exact
    by_time,   // first call-function interrupt on that CPU after the send: likely
};

inline constexpr std::uint64_t kNoEvent = ~std::uint64_t{0};

// One target CPU. Indices into the log; kNoEvent where the event is missing.
struct ShootdownTarget {
    CpuId cpu = kNoCpu;
    Pairing pairing = Pairing::unmatched;
    std::uint64_t send = kNoEvent;  // csd_queue_cpu, or ipi_send_cpu(mask) where csd is not recorded
    std::uint64_t ipi = kNoEvent;   // ipi_send_cpu; none if the target's queue was not empty
    std::uint64_t entry = kNoEvent; // call_function(_single)_entry; else csd_function_entry
    std::uint64_t flush = kNoEvent; // tlb_flush remote shootdown / wrong CPU on the target, or leave_mm
    std::uint64_t ack = kNoEvent;   // csd_function_exit, or ipi_ack in a simulation: the csd is unlocked
    std::uint64_t exit = kNoEvent;  // call_function(_single)_exit; else ack
};

struct Shootdown {
    CpuId initiator = kNoCpu; // kNoCpu: a receive without a send in the log
    std::uint32_t task = 0;
    std::uint64_t syscall = kNoEvent;  // sys_enter it belongs to, if any
    std::uint64_t decision = kNoEvent; // flush_decision, or tlb_flush remote_send_ipi
    std::uint64_t announce = kNoEvent; // tlb_flush remote_send_ipi: the kernel begins to send
    std::uint64_t local_flush = kNoEvent;
    std::uint64_t wait = kNoEvent;   // shootdown_wait, or the initiator's last own step before it waits
    std::uint64_t done = kNoEvent;   // shootdown_done, or the initiator's next event that shows it went on
    std::int64_t pages = 0;          // sender's 4 KiB pages; -1 full
    std::int64_t begin = 0, end = 0; // ticks; end = last known event of it
    // Range in ShootdownIndex::targets. 0 targets: the kernel announced IPIs and then found every CPU of
    // the mask lazy (on_each_cpu_cond_mask), so it sent none.
    std::uint32_t first_target = 0, target_count = 0;
};

// All shootdowns of a log in order of `begin`. Flushes without IPI (task switch, purely local) are
// not in here; they are plain events.
struct ShootdownIndex {
    std::vector<Shootdown> shootdowns;
    std::vector<ShootdownTarget> targets;

    std::uint64_t sends = 0, matched_by_csd = 0, matched_by_time = 0;
    std::uint64_t sends_unmatched = 0, receives_unmatched = 0;

    // The shootdown that event `index` belongs to.
    std::optional<std::uint32_t> of_event(std::uint64_t index) const;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_event; // sorted (event, shootdown)
};

// From the announcement of the IPIs (else the send) to the interrupt on the target, in ticks. None when
// either end is missing.
std::optional<std::int64_t> delivery_time(const EventLog& log, const Shootdown& s, const ShootdownTarget& t);
// From the interrupt's entry to its exit.
std::optional<std::int64_t> service_time(const EventLog& log, const ShootdownTarget& t);
// How long the initiator waited: shootdown_wait to shootdown_done in a simulation; in a recording from
// its last own step to the last target's acknowledgement, if all targets are known.
std::optional<std::int64_t> wait_time(const EventLog& log, const ShootdownIndex& index, const Shootdown& s);

// The csd event is a simulation's: its id is the shootdown's number, not a name
// (csd pointer = number * 4096 + target CPU + 1).
bool is_simulated_csd(const Event& e);
// flush_tlb_func and its kin, do_flush_tlb_all, do_kernel_range_flush.
bool is_flush_function(std::string_view name);

// Linear in the log. Function calls that flush no TLB (wakeups, text_poke, nohz kicks) are left out.
// `lost` events break pairing on their CPU.
ShootdownIndex find_shootdowns(const EventLog& log);

} // namespace tlbscope
