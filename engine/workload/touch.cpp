#include "engine/workload/touch.h"

namespace tlbscope {

Kernel::Next spend(Kernel& kernel, CpuId cpu, const Burst& burst) {
    if (burst.faulted) {
        kernel.begin_fault(cpu, burst.fault_page);
        // What came before the faulting access takes its time first; repeated after it, it hits.
        if (burst.cycles() == 0) return kernel.advance(cpu);
    }
    kernel.add_data_stalls(cpu, burst.data);
    kernel.run_user(cpu, burst.walk, burst.cache_miss, burst.user);
    return Kernel::Next::nothing;
}

} // namespace tlbscope
