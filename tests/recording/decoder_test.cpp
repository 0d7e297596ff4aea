#include "engine/recording/cpu_mask.h"
#include "engine/recording/decoder.h"

#include <gtest/gtest.h>

#include <string>

using namespace tlbscope;

namespace {

struct Result {
    Decoded decoded;
    Event event;
    DecodeTables tables;
    std::string name() const { return std::string(tables.strings.at(event.id)); }
};

Result run(const char* event, const char* payload, LineShape shape = LineShape::event,
           bool mask_lists = false) {
    Result r;
    r.tables.mask_lists = mask_lists;
    LineHead head;
    head.event = event;
    head.payload = payload;
    head.shape = shape;
    r.event.task = 7;
    r.decoded = decode(head, r.event, r.tables);
    return r;
}

} // namespace

TEST(Decode, TlbFlushByNumberInEverySpelling) {
    struct {
        const char* payload;
        int reason;
        std::int64_t pages;
    } const cases[] = {
        {"pages:1 reason:remote shootdown (1)", 1, 1},
        {"pages:-1 reason:flush on task switch (0)", 0, -1},
        {"pages=1 reason= (4)", 4, 1},
        {"pages=1 reason=local mm shootdown (3)", 3, 1},
        {"pages:8 reason:local MM shootdown (3)", 3, 8},
        {"pages:0 reason:0x5 (5)", 5, 0},
        {"reason=0x4 (4) pages=0x8 (8)", 4, 8},
        {"reason=0x0 (0) pages=0xffffffffffffffff (-1)", 0, -1},
        {"reason=0 pages=-1", 0, -1},
        {"pages:3 reason:TLB_REMOTE_SHOOTDOWN", 1, 3},
        {"pages:3 reason:Remote IPI Send", 4, 3},
        {"pages:2048 reason:something of the future (6)", 6, 2048},
        {"pages:1 reason:a text that lies (2)", 2, 1},
    };
    for (const auto& c : cases) {
        const Result r = run("tlb_flush", c.payload);
        EXPECT_EQ(r.decoded, Decoded::known) << c.payload;
        EXPECT_EQ(r.event.sub, c.reason) << c.payload;
        EXPECT_EQ(r.event.arg, c.pages) << c.payload;
    }
}

TEST(Decode, AStrangePayloadKeepsTheEventByName) {
    for (const char* payload : {"", "pages:", "pages:1", "pages:1 reason:", "pages:1 reason:rem",
                                "pages:1 reason:x (y)", "reason:x (1)", "[FAILED TO PARSE] reason=1"}) {
        const Result r = run("tlb_flush", payload);
        EXPECT_EQ(r.decoded, Decoded::undecoded) << payload;
        EXPECT_EQ(r.event.kind, EventKind::other);
        EXPECT_EQ(r.name(), "tlb_flush");
    }
}

TEST(Decode, Csd) {
    const Result q =
        run("csd_queue_cpu",
            "cpu=1 callsite=on_each_cpu_cond_mask+0x20/0x60 func=flush_tlb_func csd=000000004f7d3881");
    EXPECT_EQ(q.event.aux, 1u);
    EXPECT_EQ(q.event.arg, 0x4f7d3881);
    EXPECT_EQ(q.name(), "flush_tlb_func");
    EXPECT_EQ(run("csd_function_entry", "func=flush_tlb_func, csd=000000004f7d3881").event.arg, q.event.arg);
    EXPECT_EQ(run("csd_function_entry", "func=flush_tlb_func csd=000000004f7d3881").event.arg, q.event.arg);
    const Result raw = run("csd_function_exit", "func=sched_ttwu_pending, csd=0xffff888627d2e660");
    EXPECT_EQ(static_cast<std::uint64_t>(raw.event.arg), 0xffff888627d2e660u);
    EXPECT_EQ(raw.name(), "sched_ttwu_pending");
    for (const char* local :
         {"func=flush_tlb_func, csd=(nil)", "func=flush_tlb_func, csd=0000000000000000"}) {
        EXPECT_EQ(run("csd_function_exit", local).decoded, Decoded::known);
        EXPECT_EQ(run("csd_function_exit", local).event.arg, 0);
    }
    EXPECT_EQ(run("csd_queue_cpu", "cpu=99999 csd=1").decoded, Decoded::undecoded);
}

TEST(Decode, IpiSends) {
    const Result one = run("ipi_send_cpu", "cpu=3 callsite=f+0x54/0x60 callback=g+0x0/0x10");
    EXPECT_EQ(one.event.aux, 3u);
    EXPECT_EQ(one.name(), "g");
    EXPECT_EQ(one.tables.strings.at(static_cast<std::uint32_t>(one.event.arg)), "f");
    EXPECT_EQ(run("ipi_send_cpu", "cpu=3 callsite=f+0x54 callback=0x0").event.id, 0u);

    const Result none = run("ipi_send_cpumask", "cpumask= callsite=f+0x1 callback=g+0x0");
    EXPECT_EQ(none.decoded, Decoded::known);
    EXPECT_TRUE(none.tables.masks[static_cast<std::size_t>(none.event.arg)].empty());
    EXPECT_EQ(none.name(), "g");

    const Result raise = run("ipi_raise", "target_mask=00000000,00000bff (Function call interrupts)");
    EXPECT_EQ(cpu_list(raise.tables.masks[static_cast<std::size_t>(raise.event.arg)]), "0-9,11");
    EXPECT_EQ(raise.name(), "Function call interrupts");
}

TEST(Decode, CpuMasks) {
    struct {
        const char* text;
        bool lists;
        const char* cpus;
    } const cases[] = {
        {"00000000,00000bff", false, "0-9,11"},
        {"00000001,00000000,00000000", false, "64"},
        {"f", false, "0-3"},
        {"3", false, "0-1"},
        {"3", true, "3"},
        {"14,17,21", true, "14,17,21"},
        {"0-1,3-79", true, "0-1,3-79"},
        {"0-23", false, "0-23"},
        {"0x10", true, "4"},
        {"ARRAY[0f, 00, 01]", true, "0-3,16"},
        {"00000004", true, "2"},
        {"", true, ""},
        {"ff,ffffffff", true, "0-39"},
    };
    for (const auto& c : cases) {
        std::vector<CpuId> cpus;
        EXPECT_TRUE(read_cpu_mask(c.text, c.lists, cpus)) << c.text;
        EXPECT_EQ(cpu_list(cpus), c.cpus) << c.text;
    }
    std::vector<CpuId> cpus;
    EXPECT_TRUE(read_cpu_mask("0-999999999999", true, cpus)); // bounded
    EXPECT_LE(cpus.size(), 65535u);
    for (const char* bad : {"x", "1,", "-", "0-", "1-x", "ARRAY[zz]", "ARRAY[100]"})
        EXPECT_FALSE(read_cpu_mask(bad, true, cpus)) << bad;
}

TEST(Decode, SchedSwitchInEveryForm) {
    struct {
        const char* payload;
        const char* next_comm;
        std::uint32_t next;
        char state;
    } const cases[] = {
        {"prev_comm=a b:c-1 [001] prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=<evil>-77  "
         "next_pid=17714 "
         "next_prio=120",
         "<evil>-77 ", 17714, 'R'},
        {"prev_comm=x next_pid=9 prev_pid=7 prev_prio=1 prev_state=S ==> next_comm=y prev_state=D next_pid=2 "
         "next_prio=1",
         "y prev_state=D", 2, 'S'},
        {"prev_comm=a next_comm=b prev_pid=7 prev_prio=1 prev_state=S ==> next_comm=c next_pid=2 next_prio=1",
         "c", 2, 'S'},
        {"bash:23894 [120] S ==> a b:c-1 [001]:23892 [120]", "a b:c-1 [001]", 23892, 'S'},
        {"prev_comm=bash prev_pid=0x7 (7) prev_prio=0x78 (120) prev_state=0x2 (2) next_comm=bash "
         "next_pid=0x452b (17707) "
         "next_prio=0x78 (120)",
         "bash", 17707, 'D'},
        {"prev_comm=sh prev_pid=7 prev_prio=120 prev_state=4096 next_comm=kworker/u12:1 next_pid=46 "
         "next_prio=120",
         "kworker/u12:1", 46, 'R'},
        {"prev_comm=sh prev_pid=7 prev_prio=120 prev_state=64 next_comm=swapper/1 next_pid=0 next_prio=120",
         "swapper/1", 0, 'P'},
    };
    for (const auto& c : cases) {
        const Result r = run("sched_switch", c.payload);
        EXPECT_EQ(r.decoded, Decoded::known) << c.payload;
        EXPECT_EQ(r.name(), c.next_comm);
        EXPECT_EQ(r.event.aux, c.next);
        EXPECT_EQ(r.event.sub, c.state) << c.payload;
    }
    EXPECT_EQ(run("sched_switch", "prev_comm=bash prev_pid=14840").decoded, Decoded::undecoded);
}

TEST(Decode, SyscallsInThreeSpellings) {
    const Result forms[] = {
        run("munmap", "addr: 0x7fa2000, len: 0xc603)", LineShape::syscall),
        run("sys_enter_munmap", "addr: 0x7fa2000, len: 0x0000c603"),
        run("sys_enter_munmap", "__syscall_nr=0xb (11) addr=0x7fa2000 (133832704) len=0xc603 (50691)"),
    };
    for (const Result& r : forms) {
        EXPECT_EQ(r.event.kind, EventKind::sys_enter);
        EXPECT_EQ(r.event.sub, static_cast<int>(Syscall::munmap));
        EXPECT_EQ(r.event.arg, 0x7fa2000);
        EXPECT_EQ(r.event.aux, 0xc603u);
    }
    const Result exits[] = {run("munmap", "0xfffffffffffffff4", LineShape::syscall_exit),
                            run("sys_exit_munmap", "0xfffffffffffffff4"),
                            run("sys_exit_munmap", "__syscall_nr=0xb (11) ret=0xfffffffffffffff4 (-12)")};
    for (const Result& r : exits) {
        EXPECT_EQ(r.event.kind, EventKind::sys_exit);
        EXPECT_EQ(r.event.arg, -12);
    }
    const Result advice[] = {
        run("madvise", "start: 0x1000, len_in: 0x2000, behavior: 4)", LineShape::syscall),
        run("sys_enter_madvise", "start: 0x1000, len_in: 0x00002000, behavior: 0x00000004")};
    for (const Result& r : advice)
        EXPECT_EQ(r.name(), "behavior: 4");
    const Result other = run("read", "fd: 3, buf: 0x1, count: 0x2)", LineShape::syscall);
    EXPECT_EQ(other.event.sub, static_cast<int>(Syscall::other));
    EXPECT_EQ(other.name(), "read");
    EXPECT_EQ(run("sys_enter_mprotect", "start: 0x1, len: 0x100000000000, prot: 1").event.aux, 0xffffffffu);
    EXPECT_EQ(run("sys_enter", "NR 11 (1, 2)").decoded, Decoded::unknown);
}

TEST(Decode, InterruptsFaultsParavirtualAndTheRest) {
    EXPECT_EQ(run("call_function_single_entry", "vector=251").event.kind,
              EventKind::call_function_single_entry);
    EXPECT_EQ(run("local_timer_exit", "vector=236").event.kind, EventKind::local_timer_exit);
    const Result irq_work = run("irq_work_entry", "vector=246");
    EXPECT_EQ(irq_work.event.kind, EventKind::irq_vector_entry);
    EXPECT_EQ(irq_work.event.arg, 246);
    EXPECT_EQ(irq_work.name(), "irq_work");
    EXPECT_EQ(run("irq_handler_entry", "irq=2 name=IPI").decoded, Decoded::unknown);
    EXPECT_EQ(run("vector_config", "irq=15 vector=239 cpu=0").decoded, Decoded::unknown);

    const Result fault = run("page_fault_user", "address=0x7f43 ip=0x7f44 error_code=0x14");
    EXPECT_EQ(fault.event.arg, 0x7f43);
    EXPECT_EQ(fault.event.aux, 0x14u);

    const Result hyperv =
        run("hyperv_mmu_flush_tlb_multi", "ncpus 3 mm 00000000d2a1 addr 7f00, end ffffffffffffffff");
    EXPECT_EQ(hyperv.event.kind, EventKind::pv_flush);
    EXPECT_EQ(hyperv.event.aux, 3u);
    EXPECT_EQ(hyperv.event.arg, 0x7f00);
    EXPECT_EQ(run("kvm_hv_flush_tlb", "processor_mask 0x0 address_space 0x0 flags 0x2").event.aux, 0u);

    const Result other = run("sched_waking", "comm=a pid=1");
    EXPECT_EQ(other.decoded, Decoded::unknown);
    EXPECT_EQ(other.event.kind, EventKind::other);
    EXPECT_EQ(other.name(), "sched_waking");
}
