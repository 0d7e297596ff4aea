// Single shootdowns, step by step, on a kernel without a workload.
#include "engine/kernel/kernel.h"

#include <gtest/gtest.h>

using namespace tlbscope;

namespace {

Kernel make_kernel(const char* policy, int shift, const Topology& topology) {
    KernelConfig config;
    config.policy = &find_flush_policy(policy);
    config.shift = shift;
    return Kernel(load_processor(TLBSCOPE_RESOURCES, "teaching"), topology, config, nullptr, 3);
}

// Runs events until a CPU wants work; that CPU.
CpuId run_to_user(Kernel& kernel) {
    CpuId cpu = 0;
    while (kernel.dispatch(cpu) != Kernel::Next::user) {
    }
    return cpu;
}

// One thread calls `kind` on the first `pages` pages of a mapping of `mapped`; what was decided on.
FlushInput flush_of(const char* policy, OpKind kind, std::uint64_t mapped, std::uint64_t pages) {
    Kernel kernel = make_kernel(policy, 0, {1, 1, 1});
    const MmId mm = kernel.create_mm();
    const PageNumber start = kernel.populate(mm, mapped);
    kernel.create_task(mm, 0);
    const CpuId cpu = run_to_user(kernel);
    kernel.begin_syscall(cpu, kind, start, pages);
    if (kernel.advance(cpu) != Kernel::Next::user) run_to_user(kernel);
    const FlushRequest* flush = kernel.flush(kernel.last_flush());
    EXPECT_NE(flush, nullptr);
    EXPECT_TRUE(flush && flush->complete);
    EXPECT_EQ(kernel.mm(mm).total_vm, kind == OpKind::munmap ? mapped - pages : mapped);
    return flush ? flush->input : FlushInput{};
}

} // namespace

// do_munmap() unmaps and flushes first; remove_vma_list() lowers total_vm after that.
TEST(FlushProtocol, TotalVmStillCountsWhatIsBeingUnmapped) {
    for (const char* policy : {"3.6-3.13", "3.14-3.16"})
        for (const std::uint64_t mapped : {8u, 12u, 40u})
            for (const OpKind kind : {OpKind::munmap, OpKind::madvise_dontneed}) {
                const FlushInput input = flush_of(policy, kind, mapped, 8);
                EXPECT_EQ(input.total_vm, mapped) << policy;
                EXPECT_EQ(input.pages, 8) << policy;
            }
}

// SMT siblings slow each other down, and what a flush cost tells so: its cycles are those that the CPUs
// spent on it.
TEST(FlushProtocol, CostsAreTheCyclesSpent) {
    for (const bool busy_sibling : {false, true}) {
        Kernel kernel = make_kernel("3.17+", -1, {1, 1, 2});
        const MmId mm = kernel.create_mm(), other = kernel.create_mm();
        const PageNumber start = kernel.populate(mm, 20);
        kernel.create_task(mm, 0);
        if (busy_sibling) kernel.create_task(other, 1);
        bool called = false, done = false;
        while (!done) {
            const CpuId cpu = run_to_user(kernel);
            if (cpu == 1 || (busy_sibling && kernel.cpu(1).current == 0)) {
                kernel.run_user(cpu, 0, 0, 50000);
            } else if (!called) {
                called = true;
                kernel.begin_syscall(cpu, OpKind::munmap, start, 20);
                done = kernel.advance(cpu) == Kernel::Next::user;
            } else {
                done = true;
            }
        }
        const FlushRequest* flush = kernel.flush(kernel.last_flush());
        ASSERT_NE(flush, nullptr);
        EXPECT_EQ(flush->flush_cycles, kernel.buckets(0)[static_cast<std::size_t>(Bucket::local_flush)]);
        EXPECT_GT(flush->flush_cycles, 0);
    }
}
