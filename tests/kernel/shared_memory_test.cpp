// Random threads on one shared region: whatever the interleaving, no stale translation is used and
// nobody sleeps for ever. The random program here is the workload.
#include "engine/core/random.h"
#include "engine/kernel/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tlbscope;

namespace {

struct Program {
    struct Thread {
        Random random;
        PageNumber pending = 0; // access to repeat after a fault
        bool write = false;
    };
    MmId mm = 0;
    PageNumber region = 0;
    std::uint64_t pages = 0;
    std::vector<Thread> threads;
    std::uint64_t accesses = 0, system_calls = 0;

    Program(Kernel& kernel, int count, std::uint64_t size, std::uint64_t seed) : pages(size) {
        mm = kernel.create_mm();
        region = kernel.populate(mm, pages);
        for (int i = 0; i < count; ++i) {
            threads.push_back({Random(seed + static_cast<std::uint64_t>(i)), 0, false});
            kernel.create_task(mm, static_cast<CpuId>(i % kernel.topology().cpus()));
        }
    }

    Kernel::Next run(Kernel& kernel, CpuId cpu) {
        Thread& thread = threads[kernel.cpu(cpu).current - 1];
        if (!thread.pending && thread.random.below(12) == 0) {
            ++system_calls;
            const std::uint64_t length = 1 + thread.random.below(std::min<std::uint64_t>(pages, 60));
            const PageNumber start = region + thread.random.below(pages - length + 1);
            const bool protect = thread.random.below(3) == 0;
            // Write protection is taken away and given back, so that nobody faults for ever.
            kernel.begin_syscall(cpu, protect ? OpKind::mprotect : OpKind::madvise_dontneed, start, length,
                                 protect && thread.random.below(2) == 0);
            return kernel.advance(cpu);
        }
        const PageNumber page = thread.pending ? thread.pending : region + thread.random.below(pages);
        ++accesses;
        const AccessResult result = kernel.mmu().access(cpu, page, AccessKind::read, kernel.mm(mm).page_table,
                                                        kernel.caches(), kernel.now());
        thread.pending = result.outcome == AccessOutcome::fault ? page : 0;
        if (thread.pending) {
            kernel.begin_fault(cpu, page);
            return kernel.advance(cpu);
        }
        kernel.run_user(cpu, result.cycles, 0, 20 + static_cast<Cycles>(thread.random.below(300)));
        return Kernel::Next::nothing;
    }
};

struct Machine {
    Topology topology;
    const char* policy;
    int threads;
    int shift;
};

Kernel make_kernel(const Machine& m) {
    const auto processor = load_processor(TLBSCOPE_RESOURCES, "teaching");
    KernelConfig config;
    config.policy = &find_flush_policy(m.policy);
    config.shift = m.shift;
    config.hz = 1000;
    return Kernel(processor, m.topology, config, nullptr, 5);
}

const Machine kMachines[] = {
    {{1, 2, 1}, "3.6-3.13", 2, 0},   {{1, 2, 2}, "3.6-3.13", 4, 0}, {{1, 4, 2}, "3.17+", 8, -1},
    {{2, 2, 4}, "3.14-3.16", 30, 1}, {{1, 1, 2}, "<=3.5", 5, -1},   {{1, 8, 1}, "3.6-3.13", 3, 12},
};

} // namespace

TEST(SharedMemory, NoStaleTranslationIsEverUsed) {
    for (const Machine& m : kMachines)
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            Kernel kernel = make_kernel(m);
            Program program(kernel, m.threads, 40, seed);
            for (int i = 0; i < 60000; ++i) {
                ASSERT_TRUE(kernel.has_event()) << "every thread sleeps";
                CpuId cpu = 0;
                Kernel::Next next = kernel.dispatch(cpu);
                while (next == Kernel::Next::user)
                    next = program.run(kernel, cpu);
            }
            std::uint64_t stale = 0;
            for (CpuId cpu = 0; cpu < m.topology.cpus(); ++cpu)
                stale += kernel.mmu().counters(cpu).stale_uses;
            EXPECT_EQ(stale, 0u) << m.policy << ", " << m.threads << " threads, seed " << seed;
            EXPECT_GT(kernel.vmstat().nr_tlb_remote_flush, 30u) << m.policy;
            EXPECT_GT(program.accesses, 1000u) << m.policy;
        }
}

TEST(SharedMemory, AThousandCpusShareAnAddressSpace) {
    Kernel kernel = make_kernel({{8, 64, 2}, "3.17+", 1024, -1});
    Program program(kernel, 1024, 40, 2);
    while (kernel.vmstat().nr_tlb_remote_flush < 200) {
        CpuId cpu = 0;
        Kernel::Next next = kernel.dispatch(cpu);
        while (next == Kernel::Next::user)
            next = program.run(kernel, cpu);
    }
    std::uint64_t stale = 0;
    for (CpuId cpu = 0; cpu < 1024; ++cpu)
        stale += kernel.mmu().counters(cpu).stale_uses;
    EXPECT_EQ(stale, 0u);
    std::size_t most = 0;
    for (const FlushRequest& flush : kernel.flushes())
        most = std::max(most, flush.targets.size());
    EXPECT_GT(most, 500u); // later ones are fewer: lazy CPUs leave the mm
}

// leave_mm() clears the CPU's bit and loads swapper_pg_dir only while the bit is set: a second flush that
// was already queued finds nothing left to do.
TEST(SharedMemory, ALazyCpuLeavesAnMmOnlyOnce) {
    std::uint64_t left = 0, found_nothing = 0;
    for (const Machine& m : kMachines) {
        Kernel kernel = make_kernel(m);
        Program program(kernel, m.threads, 40, 6);
        std::vector<Event> events;
        kernel.recorder().listen(&events);
        for (int i = 0; i < 60000; ++i) {
            CpuId cpu = 0;
            Kernel::Next next = kernel.dispatch(cpu);
            while (next == Kernel::Next::user)
                next = program.run(kernel, cpu);
        }
        std::vector<char> away(static_cast<std::size_t>(m.topology.cpus()));
        for (const Event& e : events) {
            if (e.kind == EventKind::leave_mm) {
                ASSERT_FALSE(away[e.cpu]) << m.policy << ", CPU " << e.cpu;
                away[e.cpu] = 1;
                ++left;
            } else if (e.kind == EventKind::tlb_flush &&
                       e.sub == static_cast<std::uint8_t>(FlushReason::task_switch)) {
                away[e.cpu] = 0;
            } else if (e.kind == EventKind::csd_function_entry && away[e.cpu]) {
                ++found_nothing;
            }
        }
    }
    EXPECT_GT(left, 100u);
    EXPECT_GT(found_nothing, 10u);
}

// An IPI waits on the target's side only once it is there; other interrupts do not hurry it.
TEST(SharedMemory, NothingIsPendingBeforeItArrives) {
    std::uint64_t pending = 0;
    for (const Machine& m : kMachines) {
        Kernel kernel = make_kernel(m);
        Program program(kernel, m.threads, 40, 8);
        for (int i = 0; i < 20000; ++i) {
            CpuId cpu = 0;
            Kernel::Next next = kernel.dispatch(cpu);
            while (next == Kernel::Next::user)
                next = program.run(kernel, cpu);
            for (const FlushRequest& flush : kernel.flushes()) {
                if (flush.complete) continue;
                for (const FlushTarget& to : flush.targets) {
                    if (to.phase != FlushTarget::Phase::pending) continue;
                    const Cpu& target = kernel.cpu(to.cpu);
                    ASSERT_TRUE(target.ipi_pending) << m.policy << ", CPU " << to.cpu;
                    ++pending;
                }
            }
        }
    }
    EXPECT_GT(pending, 100u);
}

TEST(SharedMemory, EveryThreadGetsOn) {
    for (const Machine& m : kMachines) {
        Kernel kernel = make_kernel(m);
        Program program(kernel, m.threads, 40, 9);
        std::vector<std::uint64_t> ran(static_cast<std::size_t>(m.threads));
        for (int i = 0; i < 400000; ++i) {
            CpuId cpu = 0;
            Kernel::Next next = kernel.dispatch(cpu);
            while (next == Kernel::Next::user) {
                ++ran[kernel.cpu(cpu).current - 1];
                next = program.run(kernel, cpu);
            }
        }
        for (const std::uint64_t n : ran)
            EXPECT_GT(n, 20u) << m.policy << ", " << m.threads << " threads";
    }
}

TEST(SharedMemory, OneTaskRunsOnOneCpuAtATime) {
    for (const Machine& m : kMachines) {
        Kernel kernel = make_kernel(m);
        Program program(kernel, m.threads, 40, 4);
        for (int i = 0; i < 20000; ++i) {
            CpuId cpu = 0;
            Kernel::Next next = kernel.dispatch(cpu);
            while (next == Kernel::Next::user)
                next = program.run(kernel, cpu);
            std::vector<int> where(kernel.tasks());
            for (CpuId c = 0; c < m.topology.cpus(); ++c)
                if (const TaskId task = kernel.cpu(c).current) {
                    ASSERT_EQ(++where[task], 1) << "task " << task;
                    ASSERT_EQ(kernel.task(task).cpu, c);
                }
        }
    }
}
