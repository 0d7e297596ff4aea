#include "engine/workload/null_calls.h"

namespace tlbscope {

NullCalls::NullCalls(const WorkloadConfig& config, Kernel& kernel) : processes_(kernel) {
    configure(config, kernel);
}

void NullCalls::configure(const WorkloadConfig& config, Kernel& kernel) {
    processes_.resize(kernel, config.threads, [&] {
        Thread thread;
        thread.mm = kernel.create_mm();
        thread.code = kernel.populate(thread.mm, 1);
        thread.stack = kernel.populate(thread.mm, 1);
        threads_.push_back(thread);
        return thread.mm;
    });
}

Kernel::Next NullCalls::run(Kernel& kernel, CpuId cpu) {
    const std::size_t index = processes_.on(kernel, cpu);
    Thread& thread = threads_[index];
    switch (thread.phase) {
    case Phase::returned:
        ++thread.calls;
        ++records_;
        kernel.emit(EventKind::workload_record, cpu, static_cast<std::int64_t>(records_));
        if (index == 0) mark_ = kernel.mark(cpu, thread.calls, thread.calls);
        thread.phase = Phase::loop;
        if (!processes_.wanted(index)) return kernel.park(cpu);
        [[fallthrough]];
    case Phase::loop: {
        Burst burst;
        const Mm& mm = kernel.mm(thread.mm);
        translate(kernel, cpu, mm, thread.code, AccessKind::fetch, burst);
        if (!burst.faulted && touch_line(kernel, cpu, mm, thread.stack, 0, AccessKind::write, burst)) {
            burst.user += kLoop;
            thread.phase = Phase::call;
        }
        return spend(kernel, cpu, burst);
    }
    case Phase::call:
        thread.phase = Phase::returned;
        kernel.begin_syscall(cpu, OpKind::null_call, 0, 0);
        return kernel.advance(cpu);
    }
    return Kernel::Next::nothing;
}

} // namespace tlbscope
