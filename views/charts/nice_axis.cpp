#include "views/charts/nice_axis.h"

#include "views/format/format.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

double toAxis(double value, ChartScale scale) {
    switch (scale) {
    case ChartScale::linear:
        return value;
    case ChartScale::log2:
        return std::log2(std::max(value, 1e-12));
    case ChartScale::log10:
        return std::log10(std::max(value, 1e-12));
    }
    return value;
}

double fromAxis(double at, ChartScale scale) {
    return scale == ChartScale::linear ? at : std::pow(scale == ChartScale::log2 ? 2 : 10, at);
}

NiceAxis niceValueAxis(double low, double high, int wanted) {
    NiceAxis axis;
    if (!std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
    if (low > high) std::swap(low, high);
    if (low >= 0 && low <= high / 3) low = 0;
    if (high - low <= std::abs(high) * 1e-9) {
        const double around = high == 0 ? 1 : std::abs(high) * 0.1;
        low -= low == 0 ? 0 : around;
        high += around;
    }
    const double raw = (high - low) / std::max(1, wanted);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = power * 10;
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (power * factor >= raw * 0.999) {
            step = power * factor;
            break;
        }
    const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
    // Points on the outermost marks keep their whole dot.
    axis.min = low == 0 ? first * step : std::min(first * step, low - 0.1 * step);
    axis.max = std::max(last * step, high + 0.1 * step);
    for (double i = first; i <= last + 0.5; ++i) {
        const double value = i * step;
        axis.marks.push_back({value, siText(std::abs(value) < step * 1e-9 ? 0 : value)});
    }
    // Without a prefix all have the decimals that the step needs: "9.00" among "9.25" and "9.50".
    if (std::max(std::abs(first), std::abs(last)) * step < 999.5) {
        int decimals = 0;
        for (double left = step; decimals < 9 && std::abs(left - std::round(left)) > 1e-6; left *= 10)
            ++decimals;
        for (AxisMark& mark : axis.marks)
            mark.label = std::abs(mark.at) < step * 1e-9 ? QStringLiteral("0")
                                                         : QString::number(mark.at, 'f', decimals);
        return axis;
    }
    // "8.00 k" and "8.50 k" lose the zeros that none of them needs.
    const auto endsWith = [&](const char* zeros) {
        return std::all_of(axis.marks.begin(), axis.marks.end(), [&](const AxisMark& m) {
            const QString number = m.label.section(u' ', 0, 0);
            return !number.contains(u'.') || number.endsWith(QLatin1String(zeros));
        });
    };
    for (int pass = 0; pass < 2 && endsWith("0"); ++pass)
        for (AxisMark& mark : axis.marks) {
            QString number = mark.label.section(u' ', 0, 0);
            const QString unit = mark.label.mid(number.size());
            if (number.contains(u'.')) {
                number.chop(1);
                if (number.endsWith(u'.')) number.chop(1);
            }
            mark.label = number + unit;
        }
    return axis;
}

NiceAxis niceIntegerAxis(int low, int high, int wanted) {
    NiceAxis axis;
    if (low > high) std::swap(low, high);
    const int span = std::max(1, high - low);
    int step = 1;
    for (int power = 1; span / step > std::max(1, wanted) && power < 1'000'000'000; power *= 10)
        for (const int factor : {1, 2, 5, 10}) {
            step = power * factor;
            if (span / step <= std::max(1, wanted)) break;
        }
    const double room = span * 0.03;
    axis.min = low - room;
    axis.max = high + room;
    for (long long v = static_cast<long long>(std::ceil(double(low) / step)) * step; v <= high; v += step)
        axis.marks.push_back({double(v), grouped(std::int64_t{v})});
    return axis;
}

NiceAxis niceLogAxis(double low, double high, ChartScale scale, int wanted, QString (*label)(double)) {
    NiceAxis axis;
    low = std::max(low, 1e-9);
    high = std::max(high, low * 1.0001);
    axis.min = toAxis(low, scale);
    axis.max = toAxis(high, scale);
    const double room = std::max((axis.max - axis.min) * 0.03, 0.02);
    const int first = static_cast<int>(std::ceil(axis.min - 1e-9)),
              last = static_cast<int>(std::floor(axis.max + 1e-9));
    const int step = std::max(1, (last - first + std::max(1, wanted)) / std::max(1, wanted));
    for (int i = first; i <= last; ++i)
        if ((i - first) % step == 0) axis.marks.push_back({double(i), label(fromAxis(i, scale))});
    if (axis.marks.size() < 2) axis.marks = {{axis.min, label(low)}, {axis.max, label(high)}};
    axis.min -= room;
    axis.max += room;
    return axis;
}

NiceAxis niceBytesAxis(double low, double high, int wanted) {
    static const std::vector<int> choices[] = {
        {1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700},
        {1, 2, 5, 10, 20, 50, 100, 200, 500},
        {1, 3, 10, 30, 100, 300},
        {1, 10, 100},
        {1},
    };
    NiceAxis axis;
    low = std::max(low, 1.0);
    high = std::max(high, low * 1.0001);
    axis.min = std::log10(low);
    axis.max = std::log10(high);
    for (const std::vector<int>& factors : choices) {
        axis.marks.clear();
        double unit = 1;
        for (int power = 0; power < 5; ++power, unit *= 1024)
            for (const int factor : factors) {
                const double bytes = factor * unit, at = std::log10(bytes);
                if (at >= axis.min - 1e-9 && at <= axis.max + 1e-9)
                    axis.marks.push_back({at, workingSetText(bytes)});
            }
        if (static_cast<int>(axis.marks.size()) <= std::max(2, wanted)) break;
    }
    if (axis.marks.size() < 2)
        axis.marks = {{axis.min, workingSetText(low)}, {axis.max, workingSetText(high)}};
    const double room = std::max((axis.max - axis.min) * 0.03, 0.005);
    axis.min -= room;
    axis.max += room;
    return axis;
}

} // namespace tlbscope
