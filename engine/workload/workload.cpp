#include "engine/workload/workload.h"

#include "engine/core/error.h"

#include <array>

namespace tlbscope {

namespace {

const WorkloadInfo* find(const std::string& id) {
    std::string known;
    for (const WorkloadInfo& info : workloads()) {
        if (id == info.id) return &info;
        known += (known.empty() ? "" : ", ") + std::string(info.id);
    }
    throw Error("workload", "\"" + id + "\" is not a known workload", "known: " + known);
}

} // namespace

Workload::Program Workload::make(const std::string& id, const WorkloadConfig& config, Kernel& kernel,
                                 std::uint64_t seed) {
    if (id == "ebizzy") return Ebizzy(config, kernel, seed);
    if (id == "mummap") return Mummap(config, kernel, seed);
    if (id == "hint-double") return Hint(HintType::float64, config, kernel);
    if (id == "hint-int") return Hint(HintType::int32, config, kernel);
    if (id == "random-walk") return Walk(WalkKind::random, config, kernel, seed);
    if (id == "sequential-walk") return Walk(WalkKind::sequential, config, kernel, seed);
    if (id == "dtlb-walk") return Walk(WalkKind::dtlb, config, kernel, seed);
    if (id == "spin") return Spin(config, kernel);
    return NullCalls(config, kernel); // lseek and gettimeofday differ in name only
}

Workload::Workload(const std::string& id, const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed)
    : info_(find(id)), program_(make(id, config, kernel, seed)) {}

void Workload::configure(const WorkloadConfig& config, Kernel& kernel) {
    std::visit([&](auto& program) { program.configure(config, kernel); }, program_);
}

std::uint64_t Workload::records() const {
    return std::visit([](const auto& program) { return program.records(); }, program_);
}

std::uint64_t Workload::work() const {
    return std::visit(
        [](const auto& program) {
            if constexpr (requires { program.work(); })
                return program.work();
            else
                return program.records();
        },
        program_);
}

const WorkMark& Workload::mark() const {
    static const WorkMark none;
    return std::visit(
        [](const auto& program) -> const WorkMark& {
            if constexpr (requires { program.mark(); })
                return program.mark();
            else
                return none;
        },
        program_);
}

std::span<const WorkloadInfo> workloads() {
    static constexpr std::array infos = {
        WorkloadInfo{"ebizzy", "ebizzy",
                     "Every thread copies a random chunk into fresh memory, searches it and frees it.",
                     "records"},
        WorkloadInfo{"mummap", "mummap",
                     "One thread unmaps small mappings back to back while the others read at random.",
                     "munmaps"},
        WorkloadInfo{"hint-double", "HINT DOUBLE",
                     "Every process bounds an integral by halving intervals, in double precision.", "laps"},
        WorkloadInfo{"hint-int", "HINT INT",
                     "Every process bounds an integral by halving intervals, in 32-bit integers.", "laps"},
        WorkloadInfo{"random-walk", "Random walk",
                     "Every process loads random lines of its working set, one after the other.", "laps"},
        WorkloadInfo{"sequential-walk", "Sequential walk",
                     "Every process loads its working set line by line, over and over.", "laps"},
        WorkloadInfo{"dtlb-walk", "dTLB walk",
                     "Every process loads one byte in each of as many pages as the dTLB has entries.",
                     "laps"},
        WorkloadInfo{"spin", "Spin", "Every process runs in registers: what the kernel leaves to it.",
                     "kcycles"},
        WorkloadInfo{"lseek", "lseek", "Every process calls lseek() over and over.", "calls"},
        WorkloadInfo{"gettimeofday", "gettimeofday", "Every process calls gettimeofday() over and over.",
                     "calls"},
    };
    return infos;
}

} // namespace tlbscope
