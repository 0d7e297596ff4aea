// What the threads do. A value; no virtual call between the event loop and the workload.
#pragma once

#include "engine/workload/ebizzy.h"
#include "engine/workload/mummap.h"

#include <span>
#include <string>
#include <variant>

namespace tlbscope {

class Workload {
public:
    // Builds address space and threads in `kernel`. Throws Error for an unknown id.
    Workload(const std::string& id, const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed);

    // The current task of `cpu` is in user mode: lets it do its next piece of work.
    Kernel::Next run(Kernel& kernel, CpuId cpu) {
        if (Ebizzy* ebizzy = std::get_if<Ebizzy>(&program_)) return ebizzy->run(kernel, cpu);
        return std::get<Mummap>(program_).run(kernel, cpu);
    }

    // Takes effect at each thread's next operation; threads are added or leave.
    void configure(const WorkloadConfig& config, Kernel& kernel);

    // Operations finished: ebizzy records, mummap munmaps.
    std::uint64_t records() const;
    const char* record_name() const; // "records", "munmaps"

private:
    std::variant<Ebizzy, Mummap> program_;
};

struct WorkloadInfo {
    const char* id;
    const char* name;
    const char* description;
    const char* record_name;
};
std::span<const WorkloadInfo> workloads();

} // namespace tlbscope
