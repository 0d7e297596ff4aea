// What a CPU is doing, in the kernel's words, from long to short.
#pragma once

#include "engine/session/snapshot.h"

#include <QFontMetricsF>
#include <QStringList>

namespace tlbscope {

struct CpuStatus {
    QString word;                 // "servicing IPI"
    QStringList details;          // the same fact, longest first: "invlpg 81 of 129", "81 of 129", "81/129"
    double progress = -1;         // 0 … 1 of the flush, -1 where there is none
    int acks = 0, acksNeeded = 0; // when waiting

    // The longest detail that fits, empty if none does.
    QString detail(const QFontMetricsF& metrics, double width) const;
    bool operator==(const CpuStatus&) const = default;
};

const char* stateWord(CpuState state);      // "user", "system call", "servicing IPI", …
const char* shortStateWord(CpuState state); // "user", "syscall", "IPI", …
CpuStatus cpuStatus(const Snapshot& snapshot, CpuId cpu);
// Several lines of exact text, for the tool tip; plain text.
QString cpuTooltip(const Snapshot& snapshot, CpuId cpu);
// One sentence for screen readers.
QString cpuSummary(const Snapshot& snapshot, CpuId cpu);
// "L1 dTLB", "L1 dTLB 2M", "iTLB", "STLB".
QString levelName(TlbLevel level);
QString levelShort(TlbLevel level); // "dTLB", "2M", "iTLB", "STLB"
// Valid entries of one array of one core.
int validEntries(const Snapshot& snapshot, int core, const TlbArray& array);
// Entries of all arrays that this CPU owns or shares.
int capacity(const MachineDescription& machine, CpuId cpu);

} // namespace tlbscope
