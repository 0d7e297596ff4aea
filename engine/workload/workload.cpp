#include "engine/workload/workload.h"

#include "engine/core/error.h"

#include <array>

namespace tlbscope {

namespace {

std::variant<Ebizzy, Mummap> make(const std::string& id, const WorkloadConfig& config, Kernel& kernel,
                                  std::uint64_t seed) {
    if (id == "ebizzy") return Ebizzy(config, kernel, seed);
    if (id == "mummap") return Mummap(config, kernel, seed);
    std::string known;
    for (const WorkloadInfo& info : workloads())
        known += (known.empty() ? "" : ", ") + std::string(info.id);
    throw Error("workload", "\"" + id + "\" is not a known workload", "known: " + known);
}

} // namespace

Workload::Workload(const std::string& id, const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed)
    : program_(make(id, config, kernel, seed)) {}

void Workload::configure(const WorkloadConfig& config, Kernel& kernel) {
    std::visit([&](auto& program) { program.configure(config, kernel); }, program_);
}

std::uint64_t Workload::records() const {
    return std::visit([](const auto& program) { return program.records(); }, program_);
}

const char* Workload::record_name() const {
    return workloads()[program_.index()].record_name;
}

std::span<const WorkloadInfo> workloads() {
    static constexpr std::array infos = {
        WorkloadInfo{"ebizzy", "ebizzy",
                     "Every thread copies a random chunk into fresh memory, searches it and frees it.",
                     "records"},
        WorkloadInfo{"mummap", "mummap",
                     "One thread unmaps small mappings back to back while the others read at random.",
                     "munmaps"},
    };
    return infos;
}

} // namespace tlbscope
