// Processes of one thread each: programs that know nothing of one another, one a CPU.
#pragma once

#include "engine/kernel/kernel.h"

#include <algorithm>
#include <cstddef>

namespace tlbscope {

// Tasks with consecutive numbers, the first `wanted` of which run; the others have left or are about to.
class Processes {
public:
    explicit Processes(const Kernel& kernel) : first_task_(static_cast<TaskId>(kernel.tasks())) {}

    // Those that had left come back; what is missing is made by `create`, which returns its mm.
    template <class Create>
    void resize(Kernel& kernel, int wanted, Create&& create) {
        wanted_ = static_cast<std::size_t>(wanted);
        for (std::size_t i = 0; i < std::min(wanted_, count_); ++i)
            kernel.unpark(first_task_ + static_cast<TaskId>(i));
        for (; count_ < wanted_; ++count_)
            kernel.create_task(
                create(), static_cast<CpuId>(count_ % static_cast<std::size_t>(kernel.topology().cpus())));
    }
    std::size_t on(const Kernel& kernel, CpuId cpu) const { return kernel.cpu(cpu).current - first_task_; }
    bool wanted(std::size_t index) const { return index < wanted_; }

private:
    TaskId first_task_;
    std::size_t count_ = 0, wanted_ = 0;
};

} // namespace tlbscope
