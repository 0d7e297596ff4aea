// Numbers as the window writes them, one place for all: thousands set apart by a narrow space, every
// number with its unit. Pure functions of their arguments; independent of the locale.
#pragma once

#include <QString>

#include <cstdint>

namespace tlbscope {

// U+202F, narrow and not broken at line ends.
inline constexpr char16_t kThinSpace = u'\u202f';

// 4366338 -> "4 366 338".
QString grouped(std::int64_t value);
QString grouped(std::uint64_t value);
// 1.284217 with 6 decimals -> "1.284 217"; digits after the point are grouped as well.
QString groupedDecimals(double value, int decimals);

// "96 100 cycles", "1 cycle".
QString cyclesText(std::int64_t cycles);
// "129 pages", "1 page"; -1 (the kernel's TLB_FLUSH_ALL) -> "all".
QString pagesText(std::int64_t pages);
// A length of time with three or four digits: "0 ns", "412 ns", "12.3 µs", "1.28 ms", "2.31 s".
// `ticksPerSecond` 0 (a counter clock): "17 ticks".
QString durationText(double ticks, double ticksPerSecond);
// A point in time to the nanosecond or microsecond: "1.284 217 ms" below a second, else "612.189 734 s".
QString clockText(std::int64_t ticks, double ticksPerSecond);
// "516 KiB", "2 MiB"; exact multiples without decimals.
QString bytesText(std::uint64_t bytes);
// "437k", "1.5M", "84": a working set as the HINT curves were labelled, k = 1024 bytes.
QString workingSetText(double bytes);
// A signed share: "+2.3 %", "−17 %", "−0.43 %"; two significant digits, at most `decimals` decimals.
QString signedPercentText(double share, int decimals = 2);
// With spaces that do not break at line ends, for a number and its unit inside a sentence.
QString unbroken(QString text);
// "8.41 k", "41.0 M", "312": three digits and the SI prefix.
QString siText(double value);
// "8.41 k records/s".
QString rateText(double perSecond, const char* what);
// Share 0 … 1: "47 %", "2.3 %", "< 0.1 %"; no data -> "–".
QString percentText(double share);

} // namespace tlbscope
