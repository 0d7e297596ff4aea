// One shootdown as lines of text: what inspect prints and what is copied to the clipboard.
#pragma once

#include "engine/recording/shootdown.h"

#include <string>
#include <vector>

namespace tlbscope {

// The first shootdown that begins at or after `time`, else the last one. None in an empty index.
std::optional<std::uint32_t> shootdown_at(const ShootdownIndex& index, std::int64_t time);

// Number of the shootdown after or before the one that holds, or that began last before, `event`.
std::optional<std::uint32_t> next_shootdown(const EventLog& log, const ShootdownIndex& index,
                                            std::uint64_t event);
std::optional<std::uint32_t> previous_shootdown(const EventLog& log, const ShootdownIndex& index,
                                                std::uint64_t event);
// The event a shootdown begins with.
std::uint64_t first_event(const ShootdownIndex& index, std::uint32_t shootdown);

// A heading, one line an event with its distance from the first, and one line a target:
//   shootdown 1 of 19 at 612.189734: tlb main-17709 on CPU 0, sys_madvise, 1 page, 1 target
//     +0 us      CPU 0  tlb main-17709  tlb_flush: pages:1 reason:remote ipi send (4)
//     …
//   CPU 1: delivered after 20 us, served in 2 us, paired by csd pointer
//   the initiator waited 5 us and went on after 23 us
std::vector<std::string> describe_chain(const EventLog& log, const ShootdownIndex& index,
                                        std::uint32_t shootdown);

} // namespace tlbscope
