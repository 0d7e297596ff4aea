// What the threads do. A value; no virtual call between the event loop and the workload.
#pragma once

#include "engine/workload/ebizzy.h"
#include "engine/workload/hint.h"
#include "engine/workload/mummap.h"
#include "engine/workload/null_calls.h"
#include "engine/workload/spin.h"
#include "engine/workload/walk.h"

#include <span>
#include <string>
#include <variant>

namespace tlbscope {

struct WorkloadInfo {
    const char* id;
    const char* name;
    const char* description;
    const char* record_name;
};
std::span<const WorkloadInfo> workloads();

class Workload {
public:
    // Builds address space and threads in `kernel`. Throws Error for an unknown id.
    Workload(const std::string& id, const WorkloadConfig& config, Kernel& kernel, std::uint64_t seed);

    // The current task of `cpu` is in user mode: lets it do its next piece of work.
    Kernel::Next run(Kernel& kernel, CpuId cpu) {
        if (Ebizzy* ebizzy = std::get_if<Ebizzy>(&program_)) return ebizzy->run(kernel, cpu);
        if (Hint* hint = std::get_if<Hint>(&program_)) return hint->run(kernel, cpu);
        if (Mummap* mummap = std::get_if<Mummap>(&program_)) return mummap->run(kernel, cpu);
        if (Walk* walk = std::get_if<Walk>(&program_)) return walk->run(kernel, cpu);
        if (Spin* spin = std::get_if<Spin>(&program_)) return spin->run(kernel, cpu);
        return std::get<NullCalls>(program_).run(kernel, cpu);
    }

    // Takes effect at each thread's next operation; threads are added or leave.
    void configure(const WorkloadConfig& config, Kernel& kernel);

    // Units finished, of all threads; record_name() says which.
    std::uint64_t records() const;
    const char* record_name() const { return info_->record_name; }
    const char* name() const { return info_->name; }
    // Work of the first thread in the unit of mark(), that of a stretch under way included; records()
    // where the workload has no marks.
    std::uint64_t work() const;
    // Where the first thread's last finished unit of work ended; all zero where none has, or where the
    // workload has no such units (ebizzy, mummap).
    const WorkMark& mark() const;

private:
    using Program = std::variant<Ebizzy, Mummap, Hint, Walk, Spin, NullCalls>;
    static Program make(const std::string& id, const WorkloadConfig& config, Kernel& kernel,
                        std::uint64_t seed);

    const WorkloadInfo* info_;
    Program program_;
};

} // namespace tlbscope
