// Units used everywhere in the engine.
#pragma once

#include <cstdint>

namespace tlbscope {

// Time inside the simulation: cycles of the simulated processor's nominal clock. Signed, so that
// differences are safe; a run is far shorter than 2^63 cycles.
using Cycles = std::int64_t;

// A logical CPU as the kernel numbers it. Siblings of a core are not adjacent (see Topology).
using CpuId = std::uint16_t;
inline constexpr CpuId kNoCpu = 0xffff;

// Virtual or physical address divided by 4096.
using PageNumber = std::uint64_t;
inline constexpr int kPageShift = 12;
inline constexpr int kHugePageShift = 21;
inline constexpr std::uint32_t kPagesPerHugePage = 512;
inline constexpr std::uint32_t kPageBytes = 4096;

// Index of a thread, of an address space (mm). 0 is the idle task and init_mm.
using TaskId = std::uint32_t;
using MmId = std::uint32_t;

// The kernel's TLB_FLUSH_ALL as tlb:tlb_flush prints it: the whole address space.
inline constexpr std::int64_t kTlbFlushAll = -1;

} // namespace tlbscope
