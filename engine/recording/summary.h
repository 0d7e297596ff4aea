// Every number that `tlbscope inspect` and the recording's overview show, each defined once, here.
//
// to_json() keys, stable; times are in time_unit ("ns", or "ticks" where the clock is only an order):
//   schema             "tlbscope.inspect/1"
//   file               as given; format: kernel-text, trace-cmd-report, perf-script, simulation
//   clock, time_unit   how times were read
//   cpus, lanes_are_threads, events, first_time, last_time, duration
//   import             bytes, lines, parsed, headers, blank, stack, continuation, ignored, lost_lines,
//                      unparsed, unparsed_examples [{line, text}], unknown {name: count},
//                      undecoded {name: count}, lost_events, losses_of_unknown_size, overwritten,
//                      backward_steps, largest_backward_step, markers, unterminated, cancelled
//                      (absent for a simulation)
//   flushes            total, full (pages -1), nothing_to_do (pages 0),
//                      by_reason [{code, name, count, full, nothing_to_do, pages}]
//   shootdowns         total, without_target, sends, matched_by_csd, matched_by_time, sends_unmatched,
//                      receives_unmatched, announced_without_receive
//   delivery, service, wait, switch_to_flush
//                      {count, min, median, p95, p99, max, mean, total}; null when count is 0
//   initiators         [{task, comm, shootdowns, full, targets, wait}] the busiest first, at most 20
//   victims            [{task, comm, interrupts, service}] the busiest first, at most 20
//   per_cpu            [{cpu, events, flushes, shootdowns_sent, ipis_sent, shootdowns_received,
//                      function_call_interrupts, interrupts, switches, faults, lost, service, wait}]
//   syscalls           [{name, enters, exits, shootdowns}]
//   callbacks          [{function, queued, ipis, executed, executed_locally, flushes_tlb}]
//   kinds              {kind: count} of every event
#pragma once

#include "engine/recording/import.h"
#include "engine/recording/shootdown.h"

#include <boost/json/fwd.hpp>
#include <optional>

namespace tlbscope {

// Of a set of durations in time_unit; percentiles by nearest rank.
struct Distribution {
    std::uint64_t count = 0;
    std::int64_t min = 0, median = 0, p95 = 0, p99 = 0, max = 0, total = 0;
    double mean = 0;
};
Distribution distribution(std::vector<std::int64_t> values);

struct ReasonCount {
    int code = 0; // as the kernel numbers it
    std::uint64_t count = 0, full = 0, nothing_to_do = 0;
    std::uint64_t pages = 0; // sum of the ranges, in the units the side that flushes counts in
};

struct InitiatorCount {
    std::uint32_t task = 0;
    std::string comm;
    std::uint64_t shootdowns = 0, full = 0, targets = 0;
    std::int64_t wait = 0; // sum of the waits that are known
};

struct VictimCount {
    std::uint32_t task = 0; // that ran when the interrupt came
    std::string comm;
    std::uint64_t interrupts = 0;
    std::int64_t service = 0;
};

struct CpuCount {
    int cpu = 0;
    std::uint64_t events = 0, flushes = 0, shootdowns_sent = 0, ipis_sent = 0, shootdowns_received = 0;
    std::uint64_t function_call_interrupts = 0; // vectors 251 and 252, whatever they called
    std::uint64_t interrupts = 0;               // every other interrupt
    std::uint64_t switches = 0, faults = 0;
    std::uint64_t lost = 0; // losses, not lost events
    std::int64_t service = 0, wait = 0;
};

struct SyscallCount {
    std::string name;
    std::uint64_t enters = 0, exits = 0, shootdowns = 0;
};

struct CallbackCount {
    std::string function; // of csd_* and callback of ipi_send_*; "" not named (reschedule)
    std::uint64_t queued = 0, ipis = 0, executed = 0, executed_locally = 0;
};

struct Summary {
    std::string file, format, clock;
    bool nanoseconds = true; // else ticks
    bool lanes_are_threads = false;
    int cpus = 0;
    std::uint64_t events = 0;
    std::int64_t first_time = 0, last_time = 0;
    std::optional<ImportReport> import;

    std::uint64_t flushes = 0, full_flushes = 0, flushes_of_nothing = 0;
    std::vector<ReasonCount> reasons; // in order of the code; codes 0 to 5 always

    std::uint64_t shootdowns = 0;     // with an initiator
    std::uint64_t without_target = 0; // announced, but every CPU was lazy
    std::uint64_t sends = 0;          // targets that were sent to
    std::uint64_t matched_by_csd = 0, matched_by_time = 0, sends_unmatched = 0, receives_unmatched = 0;
    // tlb_flush alone: code 4 minus codes 1 and 5, at least 0. Includes without_target.
    std::uint64_t announced_without_receive = 0;

    Distribution delivery;        // see delivery_time()
    Distribution service;         // see service_time()
    Distribution wait;            // see wait_time()
    Distribution switch_to_flush; // sched_switch to the tlb_flush on task switch that follows on the CPU

    std::vector<InitiatorCount> initiators;
    std::vector<VictimCount> victims;
    std::vector<CpuCount> per_cpu;
    std::vector<SyscallCount> syscalls;
    std::vector<CallbackCount> callbacks;
    std::vector<std::pair<EventKind, std::uint64_t>> kinds; // in order of the kind, none with 0
};

Summary summarize(const ImportedRecording& recording, const ShootdownIndex& index, const std::string& file);
// Of a simulation's log, or of any other.
Summary summarize(const EventLog& log, int cpus, const ShootdownIndex& index, const std::string& file);

std::string to_text(const Summary& summary); // for people; 80 columns where names allow
boost::json::object to_json(const Summary& summary);
std::string to_csv(const Summary& summary); // section,name,measure,value; the same numbers as the JSON

} // namespace tlbscope
