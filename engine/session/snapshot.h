// What the window draws: immutable once published, shared between threads, made by the worker.
#pragma once

#include "engine/core/bucket.h"
#include "engine/hardware/topology.h"
#include "engine/recording/event_log.h"
#include "engine/recording/shootdown.h"
#include "engine/simulation/scenario.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tlbscope {

// What a CPU is doing right now; one word for the card, one colour for the dot.
enum class CpuState : std::uint8_t {
    idle, // idle task, no borrowed mm
    lazy, // idle task with a borrowed mm: lazy TLB
    user,
    syscall,
    fault,
    blocked,   // nothing to run because its task waits for mmap_sem (idle meanwhile)
    flushing,  // local flush
    waiting,   // initiator waits for acknowledgements
    servicing, // serves a call-function interrupt
    interrupt,
    switching,
    unknown, // recordings: nothing known yet
};
const char* to_string(CpuState);

enum class EntryMark : std::uint8_t { none, just_refilled, just_flushed };

// One entry of one TLB, 4 bytes.
struct TlbCell {
    static constexpr std::uint8_t kValid = 1, kGlobal = 2, kHuge = 4, kStale = 8;
    std::uint8_t flags = 0;   // kStale: loaded from a page-table entry that has changed since
    std::uint8_t sibling = 0; // SMT sibling that owns it
    std::uint8_t age = 0;     // 0 just used … 255 least recently used of its set
    EntryMark mark = EntryMark::none;

    bool operator==(const TlbCell&) const = default;
};

enum class TlbLevel : std::uint8_t { dtlb, dtlb_huge, itlb, stlb };
const char* to_string(TlbLevel); // "L1 dTLB", "L1 dTLB 2M", "iTLB", "STLB"

// One TLB array of a core. Cells are set-major: cell = first_cell + set * ways + way.
struct TlbArray {
    TlbLevel level = TlbLevel::dtlb;
    std::int8_t sibling = -1; // -1: one array that all siblings of the core share
    std::uint16_t ways = 1;
    std::uint32_t sets = 1;
    std::uint32_t first_cell = 0; // into Snapshot::cells, for core 0; core c adds c * cells_per_core

    std::uint32_t entries() const { return sets * ways; }
};

// Fixed for one run; shared by all its snapshots.
struct MachineDescription {
    std::string processor; // "i7-3770 IvyBridge"
    Topology topology;
    double hz = 1e9;              // cycles a second; 1e9 for recordings, whose ticks are nanoseconds
    std::vector<TlbArray> arrays; // of one core; all cores are alike. Empty for a recording.
    std::uint32_t cells_per_core = 0;
    bool recorded = false;
};

struct CpuView {
    CpuState state = CpuState::unknown;
    bool irqs_off = false;
    bool ipi_pending = false;                    // delivery waits
    std::uint16_t acks_needed = 0, acks_got = 0; // when waiting
    std::int64_t pages_total = 0;                // when flushing or servicing: pages, -1 full, 0 none
    std::int64_t pages_done = 0;
    TaskId task = 0;
    MmId mm = 0;
    std::uint32_t shootdown = 0;     // number it takes part in, 0 none
    std::uint32_t valid_entries = 0; // over the arrays this CPU owns or shares
    BucketCycles buckets{};
};

enum class IpiPhase : std::uint8_t { travelling, pending, servicing, acknowledging };

struct IpiView {
    CpuId from = 0, to = 0;
    IpiPhase phase = IpiPhase::travelling;
    float progress = 0; // 0 … 1 within the phase
    std::uint32_t shootdown = 0;
    Cycles sent = 0;
};

// The kernel's arithmetic for one flush, numbers filled in. Lines are ready to print in a fixed font.
struct DecisionView {
    std::uint32_t shootdown = 0; // 0: no decision yet
    CpuId cpu = 0;
    std::string caller; // "munmap"
    std::string policy; // "Linux 3.6–3.13"
    std::string source; // commit or mail of the rule
    std::vector<std::string>
        lines;           // "pages > min(total_vm, entries) >> shift", "129 > min(61240, 512) >> 1", …
    std::string outcome; // "range flush of 129 pages" / "full flush"
    bool full = false;
    std::int64_t pages = 0;
    int targets = 0;
    // Cost so far in cycles over all CPUs.
    Cycles flush_cycles = 0;   // initiator's and targets' invlpg or CR3 writes
    Cycles wait_cycles = 0;    // initiator waiting
    Cycles service_cycles = 0; // targets' interrupt entry and exit, without their flush
    Cycles refill_cycles = 0;  // page walks of entries that this flush dropped, so far
    bool complete = false;
};

struct CounterView {
    std::uint64_t nr_tlb_remote_flush = 0, nr_tlb_remote_flush_received = 0;
    std::uint64_t nr_tlb_local_flush_all = 0, nr_tlb_local_flush_one = 0;
    std::uint64_t tlb_accesses = 0, l1_misses = 0, stlb_misses = 0; // accesses = hits + misses
    std::uint64_t page_faults = 0, context_switches = 0, ipis_sent = 0;
    std::uint64_t records = 0;    // workload operations finished
    std::uint64_t stale_uses = 0; // hits on a translation whose flush was reported complete
    // tlb:tlb_flush by reason code 0 … 5, then any other code. Recordings only.
    std::array<std::uint64_t, 7> flushes_by_reason{};
};

// Published by the worker in a newest-wins slot.
struct Snapshot {
    std::uint64_t run = 0;      // changes with every reset or newly opened recording
    std::uint64_t sequence = 0; // grows with every snapshot
    std::shared_ptr<const MachineDescription> machine;
    Cycles now = 0;                // ticks of machine->hz
    std::uint64_t event_count = 0; // records out by `now`
    std::vector<TlbCell> cells;    // cores * cells_per_core
    std::vector<CpuView> cpus;
    std::vector<IpiView> ipis;
    DecisionView decision;
    CounterView counters;
    BucketCycles buckets_window{}; // all CPUs, the last window_cycles
    Cycles window_cycles = 0;
    // The whole recording; or the bounded history of a simulation, which reaches beyond `now` after
    // stepping back: that future comes again, unless a parameter is changed here.
    EventLog log;
    // The last event that has happened (event_count - 1); log.first_index() when none has.
    std::uint64_t cursor = 0;
    std::shared_ptr<const ShootdownIndex> shootdowns; // of a recording; null in a simulation
    std::shared_ptr<const CounterView> totals;        // of the whole recording; null in a simulation
    Scenario scenario;                   // in effect at `now`; as last applied while a recording is open
    std::uint64_t edits = 0;             // commands reset() and apply() that it reflects
    std::uint64_t mark = 0;              // see Session::mark()
    bool moving = false;                 // a jump is being worked out; what is shown is the place before it
    double records_per_second = 0;       // simulated time, since the last parameter change
    double accesses_per_host_second = 0; // measured speed of the worker
    double slowdown = 0;                 // host seconds per simulated second; 0 while paused
    bool running = false;
    std::string title;    // "ebizzy on IvyBridge, 4 threads"
    std::string subtitle; // "seed 7 · Linux 3.6–3.13"
};

} // namespace tlbscope
