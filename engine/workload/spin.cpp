#include "engine/workload/spin.h"

namespace tlbscope {

Spin::Spin(const WorkloadConfig& config, Kernel& kernel) : processes_(kernel) {
    configure(config, kernel);
}

void Spin::configure(const WorkloadConfig& config, Kernel& kernel) {
    processes_.resize(kernel, config.threads, [&] {
        Thread thread;
        thread.mm = kernel.create_mm();
        thread.code = kernel.populate(thread.mm, 1);
        threads_.push_back(thread);
        return thread.mm;
    });
}

Kernel::Next Spin::run(Kernel& kernel, CpuId cpu) {
    const std::size_t index = processes_.on(kernel, cpu);
    Thread& thread = threads_[index];
    if (thread.under_way) {
        thread.under_way = false;
        ++thread.laps;
        records_ += kRecordsABurst;
        kernel.emit(EventKind::workload_record, cpu, static_cast<std::int64_t>(records_));
        if (index == 0) mark_ = kernel.mark(cpu, thread.laps, thread.laps * kRecordsABurst);
        if (!processes_.wanted(index)) return kernel.park(cpu);
    }
    Burst burst;
    translate(kernel, cpu, kernel.mm(thread.mm), thread.code, AccessKind::fetch, burst);
    if (!burst.faulted) {
        burst.user += static_cast<Cycles>(kRecordsABurst) * kRecord;
        thread.under_way = true;
    }
    return spend(kernel, cpu, burst);
}

} // namespace tlbscope
