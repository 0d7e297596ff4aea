// The axes of the programs that a figure can be made of, and the points on them.
#include "engine/core/error.h"
#include "engine/experiment/curve.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

constexpr int kMaxPoints = 1000;

struct Program {
    const char* id;
    const char* unit;
    CurveAxis axis; // size null: none
};
// HINT reports 9 elements of a record, one error and one index a subinterval; queue and index array are
// twice as long as reported.
constexpr Program kPrograms[] = {
    {"hint-double", "MQUIPS", {&Scenario::subintervals, 84, 96, 2, 2000000}},
    {"hint-int", "MQUIPS", {&Scenario::subintervals, 44, 52, 2, 32767}},
    {"random-walk", "M accesses/s", {&Scenario::working_set_pages, 4096, 4096, 1, 262144}},
    {"sequential-walk", "M accesses/s", {&Scenario::working_set_pages, 4096, 4096, 1, 262144}},
    {"dtlb-walk", "M accesses/s", {&Scenario::working_set_pages, 4096, 4096, 1, 262144}},
    {"spin", "M iterations/s", {nullptr, 0, 0, 0, 0}},
    {"lseek", "M calls/s", {nullptr, 0, 0, 0, 0}},
    {"gettimeofday", "M calls/s", {nullptr, 0, 0, 0, 0}},
};

const Program* find(const std::string& workload) {
    for (const Program& program : kPrograms)
        if (workload == program.id) return &program;
    return nullptr;
}

void check_span(double first_bytes, double last_bytes) {
    if (!(first_bytes > 0) || !std::isfinite(last_bytes))
        throw Error("working set", "must be more than 0 bytes");
    if (!(first_bytes <= last_bytes)) throw Error("working set", "ends below its beginning");
}

} // namespace

CurveAxis curve_axis(const std::string& workload) {
    const Program* program = find(workload);
    if (program != nullptr && program->axis.size != nullptr) return program->axis;
    std::string known;
    for (const Program& one : kPrograms)
        if (one.axis.size != nullptr) known += (known.empty() ? "" : ", ") + std::string(one.id);
    throw Error("workload", "\"" + workload + "\" has no curve over its working set", "known: " + known);
}

const char* throughput_unit(const std::string& workload) {
    const Program* program = find(workload);
    return program != nullptr ? program->unit : "M operations/s";
}

std::vector<int> hint_points(double first_bytes, double last_bytes, double advance,
                             const std::string& workload) {
    const CurveAxis axis = curve_axis(workload);
    check_span(first_bytes, last_bytes);
    if (!(advance >= 1.01 && advance <= 4))
        throw Error("advance", std::to_string(advance) + " is outside 1.01 … 4");
    std::vector<int> points;
    for (int n = std::max(2, axis.low); n <= axis.high && n * axis.bytes <= last_bytes;
         n = std::max(static_cast<int>(n * advance), n + 1))
        if (n * axis.bytes >= first_bytes) points.push_back(n);
    if (points.empty()) throw Error("working set", "no point of the benchmark's lies within it");
    if (points.size() > kMaxPoints) throw Error("advance", "makes more than 1000 points");
    return points;
}

std::vector<int> log_points(double first_bytes, double last_bytes, int count, const std::string& workload) {
    const CurveAxis axis = curve_axis(workload);
    check_span(first_bytes, last_bytes);
    if (count < 1 || count > kMaxPoints)
        throw Error("points", std::to_string(count) + " is outside 1 … " + std::to_string(kMaxPoints));
    if (last_bytes < axis.low * axis.bytes || first_bytes > axis.high * axis.bytes)
        throw Error("working set", "lies outside what " + workload + " can have");
    const double low = std::log(std::max(first_bytes, axis.low * axis.bytes));
    const double high = std::log(std::min(last_bytes, axis.high * axis.bytes));
    std::vector<int> points;
    for (int i = 0; i < count; ++i) {
        const double share = count > 1 ? i / static_cast<double>(count - 1) : 0;
        const double bytes = std::exp(std::lerp(low, high, share));
        const int size = std::clamp(static_cast<int>(std::lround(bytes / axis.bytes)), axis.low, axis.high);
        if (points.empty() || points.back() != size) points.push_back(size);
    }
    return points;
}

} // namespace tlbscope
