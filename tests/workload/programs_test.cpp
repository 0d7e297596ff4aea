// Every workload on a kernel of its own: marks, buckets, threads that come and go.
#include "engine/core/error.h"
#include "engine/kernel/flush_policy.h"
#include "engine/workload/workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <ostream>

using namespace tlbscope;

namespace {

ProcessorSpec small_xeon() {
    ProcessorSpec spec;
    spec.hz = 2.5e9;
    spec.long_mode = false;
    spec.dtlb = spec.itlb = {64, 64, Replacement::lru, Sharing::shared, true};
    spec.l1d.bytes = 8 << 10;
    spec.l1d.ways = 4;
    spec.l1d.latency = 2;
    spec.l2.bytes = 512 << 10;
    spec.l2.ways = 8;
    spec.l2.latency = 20;
    spec.costs.memory = 300;
    spec.costs.memory_stream = 300;
    spec.costs.cr3_write = spec.costs.cr3_write_pae = 100;
    spec.costs.irq_entry = spec.costs.irq_exit = 500;
    spec.costs.timer_tick = 2000;
    spec.costs.syscall = 400;
    spec.costs.smt_percent = 100;
    return spec;
}

// A kernel and a program on it.
struct Machine {
    Kernel kernel;
    Workload workload;

    static Kernel make(const ProcessorSpec& spec, int cpus, PagePlacement placement, std::uint64_t seed) {
        KernelConfig config;
        config.policy = &find_flush_policy("3.6-3.13");
        config.hz = 1000;
        config.placement = placement;
        config.split = &find_address_split("3:1");
        Topology topology;
        topology.cores_per_socket = cpus;
        return Kernel(std::make_shared<ProcessorSpec>(spec), topology, config, nullptr, seed);
    }
    Machine(const std::string& id, const WorkloadConfig& config, int cpus = 1,
            PagePlacement placement = PagePlacement::lists, std::uint64_t seed = 7,
            const ProcessorSpec& spec = small_xeon())
        : kernel(make(spec, cpus, placement, seed)), workload(id, config, kernel, seed) {}

    void run_until(Cycles time) {
        while (kernel.has_event() && kernel.next_time() <= time) {
            CpuId cpu = 0;
            Kernel::Next next = kernel.dispatch(cpu);
            while (next == Kernel::Next::user)
                next = workload.run(kernel, cpu);
        }
    }
    // Until the first thread has finished `laps`.
    void run_laps(std::uint64_t laps) {
        while (workload.mark().laps < laps && kernel.has_event())
            run_until(kernel.next_time());
    }
};

WorkloadConfig config_of(int threads, std::uint32_t pages = 100, std::uint32_t subintervals = 500) {
    WorkloadConfig config;
    config.threads = threads;
    config.flush_pages = 16;
    config.working_set_pages = pages;
    config.subintervals = subintervals;
    return config;
}

Cycles sum(const std::array<Cycles, kMemoryLevels>& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), Cycles{0});
}

struct Program : testing::TestWithParam<WorkloadInfo> {
    std::string id() const { return GetParam().id; }
    bool has_marks() const { return id() != "ebizzy" && id() != "mummap"; }
};

TEST_P(Program, marks_split_all_cycles_and_stalls_exactly) {
    Machine machine(id(), config_of(1));
    WorkMark last;
    for (int i = 1; i <= 12; ++i) {
        machine.run_until(i * 2'600'000);
        const WorkMark mark = machine.workload.mark();
        if (!has_marks()) {
            EXPECT_EQ(mark.laps, 0u);
            continue;
        }
        EXPECT_EQ(std::accumulate(mark.buckets.begin(), mark.buckets.end(), Cycles{0}), mark.time);
        EXPECT_EQ(sum(mark.stalls.data), mark.buckets[static_cast<std::size_t>(Bucket::cache_miss)]);
        EXPECT_GT(mark.laps, last.laps);
        EXPECT_GT(mark.work, last.work);
        EXPECT_GT(mark.ticks + mark.interrupts, last.ticks + last.interrupts);
        EXPECT_EQ(mark.mmu.accesses,
                  mark.mmu.l1_hits + mark.mmu.stlb_hits + mark.mmu.walks + mark.mmu.faults);
        last = mark;
    }
    EXPECT_GT(machine.workload.records(), 0u);
    // Of user work under way the stalls are booked already.
    const Cycles booked = sum(machine.kernel.stalls(0).data);
    const Cycles spent = machine.kernel.buckets(0)[static_cast<std::size_t>(Bucket::cache_miss)];
    EXPECT_GE(booked, spent);
    EXPECT_LE(booked, spent + 64 * 300 * 2);
}

TEST_P(Program, every_thread_works_on_a_cpu_of_its_own_and_leaves_when_told) {
    Machine machine(id(), config_of(4), 4);
    machine.run_until(6'000'000);
    for (CpuId cpu = 0; cpu < 4; ++cpu)
        EXPECT_GT(machine.kernel.buckets(cpu)[static_cast<std::size_t>(Bucket::user)], 0) << cpu;
    machine.workload.configure(config_of(2), machine.kernel);
    machine.run_until(12'000'000);
    int busy = 0;
    for (CpuId cpu = 0; cpu < 4; ++cpu)
        busy += machine.kernel.cpu(cpu).current != 0;
    EXPECT_LE(busy, 2);
    machine.workload.configure(config_of(6), machine.kernel);
    machine.run_until(18'000'000);
    EXPECT_EQ(machine.kernel.tasks(), 7u);
    const std::uint64_t before = machine.workload.records();
    machine.run_until(24'000'000);
    EXPECT_GT(machine.workload.records(), before);
}

TEST_P(Program, a_copy_runs_on_alike) {
    Machine machine(id(), config_of(2), 2);
    machine.run_until(5'000'000);
    Machine copy = machine;
    machine.run_until(10'000'000);
    copy.run_until(10'000'000);
    EXPECT_EQ(machine.kernel.recorder().hash(), copy.kernel.recorder().hash());
    EXPECT_EQ(machine.workload.records(), copy.workload.records());
    EXPECT_EQ(machine.workload.mark().work, copy.workload.mark().work);
}

TEST_P(Program, takes_another_working_set_while_it_runs) {
    Machine machine(id(), config_of(1));
    machine.run_until(5'000'000);
    const std::uint64_t before = machine.workload.records();
    machine.workload.configure(config_of(1, 300, 2000), machine.kernel);
    machine.run_until(30'000'000);
    EXPECT_GT(machine.workload.records(), before);
}

INSTANTIATE_TEST_SUITE_P(All, Program, testing::ValuesIn(workloads().begin(), workloads().end()),
                         [](const auto& p) {
                             std::string name = p.param.id;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Hint, a_lap_is_one_iteration_less_than_its_subintervals) {
    for (const char* id : {"hint-double", "hint-int"})
        for (const std::uint32_t n : {2u, 100u, 6095u}) {
            Machine machine(id, config_of(1, 100, n));
            machine.run_laps(5);
            EXPECT_EQ(machine.workload.mark().work, 5u * (n - 1));
        }
}

TEST(Hint, another_number_of_subintervals_begins_with_the_next_lap) {
    Machine machine("hint-double", config_of(1, 100, 1000));
    machine.run_laps(3);
    machine.workload.configure(config_of(1, 100, 3000), machine.kernel);
    machine.run_laps(4); // its lap had begun, or not yet
    const std::uint64_t work = machine.workload.mark().work;
    machine.run_laps(6);
    EXPECT_EQ(machine.workload.mark().work, work + 2u * 2999);
}

TEST(Hint, subintervals_beyond_the_type_are_refused_and_change_nothing) {
    EXPECT_THROW(Machine("hint-int", config_of(1, 100, 40000)), Error);
    Machine machine("hint-int", config_of(1, 100, 1000));
    EXPECT_THROW(machine.workload.configure(config_of(1, 100, 1), machine.kernel), Error);
    machine.run_laps(2);
    EXPECT_EQ(machine.workload.mark().work, 2u * 999);
}

TEST(Hint, smaller_points_leave_the_pages_of_the_next_in_reversed_order) {
    // Same frames from point to point: as many as the point has pages, plus what it grew by.
    const auto frames = [](std::uint32_t n) {
        Machine machine("hint-double", config_of(1, 100, n), 1, PagePlacement::reuse);
        std::vector<std::uint32_t> result;
        const PageTable& table = machine.kernel.mm(1).page_table;
        for (PageNumber page = kMmapTop32 - 400; page < kMmapTop32; ++page)
            if (const PageTable::Leaf leaf = table.leaf(page); leaf.pte) result.push_back(frame_of(leaf.pte));
        std::sort(result.begin(), result.end());
        return result;
    };
    const auto small = frames(6095), large = frames(6704);
    std::vector<std::uint32_t> both;
    std::set_intersection(small.begin(), small.end(), large.begin(), large.end(), std::back_inserter(both));
    EXPECT_GT(large.size(), small.size());
    EXPECT_GE(both.size() + 2, small.size()); // page tables come in between
}

TEST(Walks, load_every_line_in_order_or_one_a_page) {
    Machine sequential("sequential-walk", config_of(1, 50)), dtlb("dtlb-walk", config_of(1, 50)),
        random("random-walk", config_of(1, 50));
    sequential.run_laps(7);
    EXPECT_EQ(sequential.workload.mark().work, 7u * 50 * 64);
    EXPECT_GE(sequential.workload.mark().mmu.accesses, 7u * 50 * 64); // and fetches
    dtlb.run_laps(7);
    EXPECT_EQ(dtlb.workload.mark().work, 7u * 64);
    random.run_laps(7);
    EXPECT_EQ(random.workload.mark().work, 7u * 50);
}

TEST(Walks, the_dtlb_walk_misses_neither_tlb_nor_cache_between_ticks) {
    Machine machine("dtlb-walk", config_of(1));
    machine.run_until(30'000'000);
    const WorkMark& mark = machine.workload.mark();
    EXPECT_LT(mark.mmu.walks, 64 * (mark.ticks + 2)); // not even every tick costs all of them
    EXPECT_LT(static_cast<double>(mark.buckets[static_cast<std::size_t>(Bucket::cache_miss)]),
              0.02 * static_cast<double>(mark.time));
}

// Under true LRU a cyclic walk loses every page of a colour with more pages than ways:
// P(Bin(W - 1, 1 / 16) >= 8) of W pages placed at random.
TEST(Walks, random_placement_follows_the_binomial_formula_under_lru) {
    for (const std::uint32_t pages : {64u, 86u, 100u, 128u, 160u, 200u}) {
        double expected = 1, p = std::pow(15.0 / 16, pages - 1);
        for (std::uint32_t k = 0; k < 8; ++k) {
            expected -= p;
            p *= static_cast<double>(pages - 1 - k) / (k + 1) / 15;
        }
        double missed = 0;
        constexpr int seeds = 300;
        for (int seed = 1; seed <= seeds; ++seed) {
            Machine machine("sequential-walk", config_of(1, pages), 1, PagePlacement::random,
                            static_cast<std::uint64_t>(seed));
            machine.run_laps(2);
            const WorkMark first = machine.workload.mark();
            machine.run_laps(4);
            const WorkMark last = machine.workload.mark();
            const auto memory = static_cast<std::size_t>(MemoryLevel::memory);
            missed += static_cast<double>(last.stalls.data[memory] - first.stalls.data[memory]) / 298 /
                      static_cast<double>(last.work - first.work) / seeds;
        }
        EXPECT_NEAR(missed, expected, 0.02) << pages << " pages";
    }
}

TEST(Spin, records_are_thousands_of_cycles_of_user_work) {
    Machine machine("spin", config_of(1));
    machine.run_until(100'000'000);
    const WorkMark& mark = machine.workload.mark();
    EXPECT_EQ(mark.buckets[static_cast<std::size_t>(Bucket::user)], static_cast<Cycles>(mark.work) * 1000);
    EXPECT_EQ(machine.workload.records(), mark.work);
    // 40 ticks of 3000 cycles.
    EXPECT_NEAR(static_cast<double>(mark.work) / 100'000, 1 - 40 * 3000 / 1e8, 0.001);
}

TEST(NullCalls, a_call_costs_the_system_call_and_its_loop) {
    for (const char* id : {"lseek", "gettimeofday"}) {
        Machine machine(id, config_of(1));
        machine.run_laps(1000);
        const WorkMark first = machine.workload.mark();
        machine.run_laps(3000);
        const WorkMark last = machine.workload.mark();
        const double cycles = static_cast<double>(last.time - first.time -
                                                  3000 * static_cast<Cycles>(last.ticks - first.ticks)) /
                              2000;
        EXPECT_NEAR(cycles, 400 + 10 + 2, 5);
    }
}

} // namespace
