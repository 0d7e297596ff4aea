#include "app/cli/size_text.h"

#include "app/cli/command.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace tlbscope {

namespace {

constexpr double kKib = 1024, kMib = 1024 * 1024;

} // namespace

double parse_size(const std::string& text, const std::string& option) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end, text.data() + text.size());
    double factor = 0;
    if (unit.empty())
        factor = 1;
    else if (unit == "k" || unit == "K" || unit == "KiB")
        factor = kKib;
    else if (unit == "m" || unit == "M" || unit == "MiB")
        factor = kMib;
    if (error != std::errc{} || factor == 0 || !std::isfinite(value) || value <= 0)
        throw UsageError(option + " " + text + " is no size; write for example 500k, 1.5M or 800000");
    return value * factor;
}

std::string size_text(double bytes) {
    char buffer[64];
    if (bytes >= 1024 * kKib)
        std::snprintf(buffer, sizeof buffer, "%.2fM", bytes / kMib);
    else if (bytes >= 10 * kKib)
        std::snprintf(buffer, sizeof buffer, "%.0fk", bytes / kKib);
    else
        std::snprintf(buffer, sizeof buffer, "%.2fk", bytes / kKib);
    return buffer;
}

} // namespace tlbscope
