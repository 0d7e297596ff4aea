// A shootdown reassembled from its events: system call, decision, sends, entries, flushes, return.
// Works on simulated and recorded events alike.
#pragma once

#include "engine/recording/event_log.h"

#include <optional>

namespace tlbscope {

// How a send was matched with its receive.
enum class Pairing : std::uint8_t {
    unmatched, // no receive found (or the receive has no send): shown as such, not an error
    by_csd,    // same csd pointer: exact
    by_time,   // first call-function interrupt on that CPU after the send: likely
};

inline constexpr std::uint64_t kNoEvent = ~std::uint64_t{0};

// One target CPU. Indices into the log; kNoEvent where the event is missing. Times are derived:
// delivery = entry - send, service = exit - entry.
struct ShootdownTarget {
    CpuId cpu = kNoCpu;
    Pairing pairing = Pairing::unmatched;
    std::uint64_t send = kNoEvent;  // csd_queue_cpu or ipi_send_cpu
    std::uint64_t entry = kNoEvent; // call_function(_single)_entry
    std::uint64_t flush = kNoEvent; // tlb_flush remote shootdown / wrong CPU on the target
    std::uint64_t exit = kNoEvent;  // call_function(_single)_exit, or ipi_ack in a simulation
};

struct Shootdown {
    CpuId initiator = kNoCpu; // kNoCpu: a receive without a send in the log
    std::uint32_t task = 0;
    std::uint64_t syscall = kNoEvent;  // sys_enter it belongs to, if any
    std::uint64_t decision = kNoEvent; // flush_decision, or tlb_flush remote_send_ipi
    std::uint64_t local_flush = kNoEvent;
    std::uint64_t done = kNoEvent;   // shootdown_done, or the initiator's next event that shows it went on
    std::int64_t pages = 0;          // sender's 4 KiB pages; -1 full
    std::int64_t begin = 0, end = 0; // ticks; end = last known event of it
    std::uint32_t first_target = 0, target_count = 0; // range in ShootdownIndex::targets
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

// Linear in the log. `lost` events break pairing on their CPU.
ShootdownIndex find_shootdowns(const EventLog& log);

} // namespace tlbscope
