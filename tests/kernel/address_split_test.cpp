// What crossing between user mode and the kernel costs under every address-space split.
#include "engine/core/error.h"
#include "engine/kernel/kernel.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace tlbscope;

namespace {

constexpr Cycles kPlain = 80, kPae = 800, kKeep = 150, kInvpcid = 40;

// The teaching machine with one CPU, as a 32-bit or a 64-bit one.
std::shared_ptr<const ProcessorSpec> processor(bool long_mode, const KernelFootprint& footprint = {}) {
    auto spec = std::make_shared<ProcessorSpec>(*load_processor(TLBSCOPE_RESOURCES, "teaching"));
    spec->long_mode = long_mode;
    spec->costs.cr3_write = kPlain;
    spec->costs.cr3_write_pae = kPae;
    spec->costs.cr3_write_noflush = kKeep;
    spec->costs.invpcid = kInvpcid;
    spec->footprint = footprint;
    if (!long_mode) spec->psc_pml4 = spec->psc_pdpt = spec->psc_pd = 0;
    return spec;
}

// One task in one mm with `pages` pages, that touches them all once a `user` cycles.
class Machine {
public:
    Machine(const char* split, bool pae, int hz, std::uint64_t pages, int interrupts = 0,
            const KernelFootprint& footprint = {}, bool invpcid = true)
        : kernel_(processor(find_address_split(split).long_mode, footprint), {1, 1, 1},
                  config(split, pae, hz, interrupts, invpcid), nullptr, 5),
          mm_(kernel_.create_mm()), start_(kernel_.populate(mm_, pages)), pages_(pages) {
        kernel_.create_task(mm_, 0);
        kernel_.recorder().listen(&events);
    }

    // Runs so many passes of user work; `between` may begin a system call between
    // two of them.
    template <class Between>
    void run(int passes, Cycles user, Between&& between) {
        CpuId cpu = 0;
        while (passes > 0) {
            Kernel::Next next = idle_hands_ ? Kernel::Next::user : kernel_.dispatch(cpu);
            idle_hands_ = false;
            while (next == Kernel::Next::user && passes > 0) {
                if (working_) {
                    working_ = false;
                    if (--passes > 0 && between(kernel_, cpu)) {
                        next = kernel_.advance(cpu);
                        continue;
                    }
                }
                if (passes == 0) {
                    idle_hands_ = true; // the next run() goes on from here
                    break;
                }
                Cycles walk = 0;
                for (PageNumber page = start_; page < start_ + pages_; ++page)
                    walk += kernel_.mmu()
                                .access(cpu, page, AccessKind::read, kernel_.mm(mm_).page_table,
                                        kernel_.caches(), kernel_.now())
                                .cycles;
                working_ = true;
                kernel_.run_user(cpu, walk, 0, user);
                next = Kernel::Next::nothing;
            }
        }
    }
    void run(int passes, Cycles user) {
        run(passes, user, [](Kernel&, CpuId) { return false; });
    }

    Kernel& kernel() { return kernel_; }
    PageNumber start() const { return start_; }
    Cycles spent(Bucket bucket) const { return kernel_.buckets(0)[static_cast<std::size_t>(bucket)]; }
    std::uint64_t count(EventKind kind, int sub = -1) const {
        return static_cast<std::uint64_t>(std::count_if(events.begin(), events.end(), [&](const Event& e) {
            return e.kind == kind && (sub < 0 || e.sub == sub);
        }));
    }

    std::vector<Event> events;

private:
    static KernelConfig config(const char* split, bool pae, int hz, int interrupts, bool invpcid) {
        KernelConfig config;
        config.policy = &find_flush_policy("3.17+");
        config.hz = hz;
        config.interrupts = interrupts;
        config.split = &find_address_split(split);
        config.pae = pae;
        config.invpcid = invpcid;
        return config;
    }

    Kernel kernel_;
    MmId mm_;
    PageNumber start_;
    std::uint64_t pages_;
    bool working_ = false, idle_hands_ = false;
};

struct Case {
    const char* split;
    bool pae;
    Cycles write; // one CR3 load at a crossing; 0: none
};

class AddressSplits : public testing::TestWithParam<Case> {};

std::vector<Case> cases() {
    return {{"3:1", false, 0},    {"3:1", true, 0},        {"4:4", false, kPlain},     {"4:4", true, kPae},
            {"shared", false, 0}, {"kpti", false, kPlain}, {"kpti-pcid", false, kKeep}};
}

} // namespace

INSTANTIATE_TEST_SUITE_P(EverySplit, AddressSplits, testing::ValuesIn(cases()), [](const auto& given) {
    std::string name = given.param.split;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name + (given.param.pae ? "_pae" : "");
});

TEST_P(AddressSplits, EveryCycleHasAnOwner) {
    const Case c = GetParam();
    Machine m(c.split, c.pae, 1000, 12, 3000, {4096, 2048, 1024, 2, 2});
    m.run(400, 20'000, [i = 0](Kernel& kernel, CpuId cpu) mutable {
        if (++i % 3) return false;
        kernel.begin_syscall(cpu, OpKind::null_call, 0, 0);
        return true;
    });
    const BucketCycles buckets = m.kernel().buckets(0);
    EXPECT_EQ(std::accumulate(buckets.begin(), buckets.end(), Cycles{0}), m.kernel().now());
    const StallCycles stalls = m.kernel().stalls(0);
    const auto sum = [](const auto& levels) {
        return std::accumulate(levels.begin(), levels.end(), Cycles{0});
    };
    EXPECT_EQ(sum(stalls.dtlb) + sum(stalls.itlb) + stalls.stlb, m.spent(Bucket::page_walk));
    const WorkMark mark = m.kernel().mark(0, 0, 0);
    EXPECT_EQ(mark.cr3_loads, m.count(EventKind::cr3_load));
    EXPECT_EQ(mark.ticks, m.count(EventKind::local_timer_entry));
    EXPECT_GT(mark.ticks, 4u);
    EXPECT_GT(mark.interrupts, 15u);
    EXPECT_EQ(m.spent(Bucket::cr3_load), c.write * static_cast<Cycles>(mark.cr3_loads));
}

// From user mode the kernel's CR3 is loaded at the entry and the user's at the exit; a system call costs
// nothing else besides its own cycles.
TEST_P(AddressSplits, ASystemCallLoadsCr3TwiceOrNever) {
    const Case c = GetParam();
    Machine m(c.split, c.pae, 10, 4);
    m.run(50, 1000, [](Kernel& kernel, CpuId cpu) {
        kernel.begin_syscall(cpu, OpKind::null_call, 0, 0);
        return true;
    });
    const std::uint64_t calls = m.count(EventKind::sys_exit);
    ASSERT_GT(calls, 40u);
    EXPECT_EQ(m.count(EventKind::cr3_load), c.write ? 2 * calls : 0);
    EXPECT_EQ(m.count(EventKind::cr3_load, 1), m.count(EventKind::cr3_load, 0));
    EXPECT_EQ(m.spent(Bucket::syscall), static_cast<Cycles>(calls) * m.kernel().processor().costs.syscall);
    EXPECT_EQ(m.spent(Bucket::cr3_load), static_cast<Cycles>(calls) * 2 * c.write);
}

// A tick that comes upon kernel code loads nothing: the kernel's CR3 is there already.
TEST_P(AddressSplits, InterruptsOfTheKernelLoadNothing) {
    const Case c = GetParam();
    Machine m(c.split, c.pae, 1000, 4, 20'000);
    m.run(2000, 400, [](Kernel& kernel, CpuId cpu) {
        kernel.begin_syscall(cpu, OpKind::mprotect, kernel.mm(1).vmas.front().start, 4, kernel.now() & 1);
        return true;
    });
    bool in_kernel = false;
    std::uint64_t handlers = 0, of_kernel = 0;
    for (const Event& e : m.events) {
        if (e.kind == EventKind::cr3_load) {
            EXPECT_NE(e.sub == 1, in_kernel) << "at " << e.time;
            in_kernel = e.sub == 1;
        }
        if (e.kind != EventKind::irq_vector_entry && e.kind != EventKind::local_timer_entry) continue;
        ++handlers;
        EXPECT_TRUE(in_kernel || !c.write);
    }
    bool in_call = false;
    for (const Event& e : m.events) {
        if (e.kind == EventKind::sys_enter) in_call = true;
        if (e.kind == EventKind::sys_exit) in_call = false;
        of_kernel += in_call && e.kind == EventKind::irq_vector_entry;
    }
    EXPECT_GT(handlers, 10u);
    EXPECT_GT(of_kernel, 5u); // else the test shows nothing
}

// What the user had in its TLB is gone after a tick where CR3 is loaded without PCID, and there otherwise.
TEST_P(AddressSplits, ATickEmptiesTheTlbOrNot) {
    const Case c = GetParam();
    constexpr std::uint64_t kPages = 8; // of the 16 entries
    Machine m(c.split, c.pae, 1000, kPages);
    m.run(10, 30'000);
    const std::uint64_t before = m.kernel().mmu().counters(0).walks,
                        ticks = m.count(EventKind::local_timer_entry);
    m.run(400, 30'000);
    const std::uint64_t passed = m.count(EventKind::local_timer_entry) - ticks;
    ASSERT_GT(passed, 8u);
    const bool empties = c.write && std::string(c.split) != "kpti-pcid";
    const std::uint64_t walks = m.kernel().mmu().counters(0).walks - before;
    EXPECT_EQ(walks, empties ? passed * (kPages + 1) : 0) << "each page, and the kernel's text";
}

TEST(AddressSplit, TheControlFlushesAroundEveryHandler) {
    for (const char* split : {"3:1-flush", "3:1-flush-global"}) {
        Machine m(split, false, 1000, 8, 0, {0, 0, 0, 1, 1});
        m.run(10, 30'000);
        const std::uint64_t before = m.kernel().mmu().counters(0).walks;
        const std::uint64_t ticks = m.count(EventKind::local_timer_entry);
        m.run(300, 30'000);
        const std::uint64_t passed = m.count(EventKind::local_timer_entry) - ticks;
        EXPECT_EQ(m.count(EventKind::cr3_load, 2),
                  2 * (m.count(EventKind::local_timer_entry) + m.count(EventKind::reschedule_entry)));
        EXPECT_EQ(m.count(EventKind::cr3_load), m.count(EventKind::cr3_load, 2));
        const bool global = std::string(split) == "3:1-flush-global";
        ASSERT_GT(passed, 6u);
        EXPECT_EQ(m.kernel().mmu().counters(0).walks - before, passed * (8 + (global ? 2 : 0))) << split;
        EXPECT_EQ(m.spent(Bucket::cr3_load) / static_cast<Cycles>(m.count(EventKind::cr3_load)),
                  global ? 3 * kPlain : kPlain);
    }
}

// With PCID a flush in the kernel must reach the user half too: by INVPCID, or at the exit to user mode.
TEST(AddressSplit, PcidFlushesBothHalves) {
    for (const bool invpcid : {true, false}) {
        Machine m("kpti-pcid", false, 10, 12, 0, {}, invpcid);
        m.run(20, 1000, [](Kernel& kernel, CpuId cpu) {
            kernel.begin_syscall(cpu, OpKind::mprotect, kernel.mm(1).vmas.front().start, 4,
                                 kernel.mm(1).vmas.front().writable ? false : true);
            return true;
        });
        EXPECT_EQ(m.kernel().mmu().counters(0).stale_uses, 0u);
        const std::uint64_t flushes = m.count(EventKind::flush_decision);
        ASSERT_GT(flushes, 10u);
        EXPECT_EQ(m.spent(Bucket::local_flush),
                  static_cast<Cycles>(flushes * 4) *
                      (m.kernel().processor().costs.invlpg + (invpcid ? kInvpcid : 0)));
        EXPECT_EQ(m.spent(Bucket::cr3_load),
                  static_cast<Cycles>(flushes) * (kKeep + (invpcid ? kKeep : kPlain)));
        EXPECT_EQ(m.kernel().mmu().counters(0).walks, 12 + 1 + flushes * (invpcid ? 4 : 12));
    }
}

TEST(AddressSplit, TheKernelsCacheMissesBelongToTheEntry) {
    Machine with("3:1", false, 1000, 2, 0, {2048, 0, 0, 1, 0}), without("3:1", false, 1000, 2);
    with.run(100, 50'000);
    without.run(100, 50'000);
    const auto each = [](const Machine& m) {
        return m.spent(Bucket::interrupt) / static_cast<Cycles>(m.count(EventKind::local_timer_exit));
    };
    // 32 lines that stay in the 8 KiB L1D, but for the first tick.
    EXPECT_GT(with.spent(Bucket::interrupt), without.spent(Bucket::interrupt));
    EXPECT_LT(each(with), each(without) + 32 * with.kernel().processor().costs.memory);
}

TEST(AddressSplit, RegistryNamesWhatItKnows) {
    for (const AddressSplit& split : address_splits())
        EXPECT_EQ(&find_address_split(split.id), &split);
    try {
        find_address_split("2:2");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("4:4"), std::string::npos);
    }
}
