// Where threads run.
#include "engine/kernel/kernel.h"

#include <gtest/gtest.h>

using namespace tlbscope;

// A thread that comes while its CPU is busy goes to an idle one, as select_task_rq_fair() would send it,
// and does not take turns with the other for ever.
TEST(Sched, AThreadThatComesLaterTakesAnIdleCpu) {
    KernelConfig config;
    config.policy = &find_flush_policy("3.17+");
    config.hz = 1000;
    Kernel kernel(load_processor(TLBSCOPE_RESOURCES, "teaching"), {1, 4, 1}, config, nullptr, 3);
    const MmId mm = kernel.create_mm();
    constexpr int kThreads = 4;
    for (int i = 0; i < 4000; ++i) {
        if (i % 1000 == 0 && kernel.tasks() <= kThreads) kernel.create_task(mm, 0);
        CpuId cpu = 0;
        if (kernel.dispatch(cpu) == Kernel::Next::user) kernel.run_user(cpu, 0, 0, 1000);
    }
    for (CpuId cpu = 0; cpu < kThreads; ++cpu)
        EXPECT_NE(kernel.cpu(cpu).current, 0u) << "CPU " << cpu;
}
