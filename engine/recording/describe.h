// Events in words: the kernel's own format, for simulated events too.
#pragma once

#include "engine/recording/event_log.h"

#include <string>

namespace tlbscope {

// "tlb_flush: pages:1 reason:remote shootdown (1)". Events without a tracepoint read alike
// ("shootdown_wait: shootdown=7 targets=3"). One line; control bytes of names and texts become blanks.
std::string describe(const Event& e, const EventLog& log);

// "tlb main-17709 [000] 612.189734: tlb_flush: …".
std::string describe_line(const Event& e, const EventLog& log);

// Name of the event as the kernel prints it: "sys_munmap" for a system call, the recorded name of an
// event of kind other or of an interrupt vector without a kind of its own.
std::string event_name(const Event& e, const EventLog& log);

// "612.189734" or "612.189734123" in nanosecond logs, plain ticks in others.
std::string format_time(std::int64_t time, const EventLog& log);
// "20 us", "1.234 us", "530 ns", "12.5 ms"; "840 cycles" in a simulation, "3 ticks" where ticks have no
// length.
std::string format_duration(std::int64_t ticks, const EventLog& log);
// "tlb main-17709", "task 12", "<idle>-0", "no task".
std::string task_name(std::uint32_t task, const EventLog& log);

} // namespace tlbscope
