// Ranges and marks that people can read.
#pragma once

#include <QString>

#include <vector>

namespace tlbscope {

enum class ChartScale : std::uint8_t { linear, log2, log10 };

struct AxisMark {
    double at = 0; // in axis coordinates: the value, or its logarithm
    QString label;
};
struct NiceAxis {
    double min = 0, max = 1;
    std::vector<AxisMark> marks;
};

// Steps of 1, 2, 2.5 or 5 times a power of ten, about `wanted` of them, ends on marks. Includes 0 when the
// range reaches down to a third of its top, so that small differences are not blown up by chance.
NiceAxis niceValueAxis(double low, double high, int wanted);
// Marks of whole numbers, thinned to `wanted`.
NiceAxis niceIntegerAxis(int low, int high, int wanted);
// Marks of a logarithmic axis over `low` … `high` (> 0); `label` writes a value.
NiceAxis niceLogAxis(double low, double high, ChartScale scale, int wanted, QString (*label)(double));
// Marks at 1, 2, 3, 5, 7, 10, 20 … 700 times a power of 1024 bytes, thinned to `wanted`: "100k", "200k",
// "300k", "500k", "700k", "1M". The axis is log10 of bytes.
NiceAxis niceBytesAxis(double low, double high, int wanted);

double toAxis(double value, ChartScale scale);
double fromAxis(double at, ChartScale scale);

} // namespace tlbscope
