#include "engine/recording/ftrace_head.h"
#include "engine/recording/perf_head.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

using namespace tlbscope;

namespace {

struct Expected {
    const char* line;
    const char* comm;
    std::uint32_t task;
    int cpu;
    std::int64_t time;
    const char* event;
};

void check(bool (*read)(std::string_view, LineHead&), const Expected& x) {
    SCOPED_TRACE(x.line);
    LineHead head;
    ASSERT_TRUE(read(x.line, head));
    EXPECT_EQ(head.comm, x.comm);
    EXPECT_EQ(head.task, x.task);
    EXPECT_EQ(head.cpu, x.cpu);
    EXPECT_EQ(head.time, x.time);
    EXPECT_EQ(head.event, x.event);
}

constexpr std::int64_t operator""_us(unsigned long long us) {
    return static_cast<std::int64_t>(us) * 1000;
}

} // namespace

TEST(FtraceHead, CommsThatLookLikeSomethingElse) {
    const char* tail = "   [001] d..2.   612.189705: sched_switch: x";
    for (const char* comm :
         {"a b:c-1 [001]", "<evil>-77 ", "-dash--", "1234", "tab\there", "x", "Web Content #2",
          "kworker/u8:3-ev", "CPU 0/KVM", "<...>", "(sd-pam)", "a: b", "[kthread]", "-1", ""}) {
        std::string line = comm;
        line.insert(0, 16 - line.size(), ' ');
        line += "-17712" + std::string(tail);
        LineHead head;
        ASSERT_TRUE(read_ftrace_head(line, head)) << line;
        EXPECT_EQ(head.comm, comm);
        EXPECT_EQ(head.task, 17712u);
        EXPECT_EQ(head.cpu, 1);
        EXPECT_EQ(head.time, 612189705_us);
    }
}

TEST(FtraceHead, FlagsOfEveryWidth) {
    for (const char* flags :
         {"", "d ", ".N ", "d.h ", "d..2 ", "d..31 ", "..... ", "d..h1. ", "dn.h1.. ", "dNLh2.1. "}) {
        const std::string line =
            "            bash-1108    [000] " + std::string(flags) + "   73.951222: tlb_flush: pages:1";
        LineHead head;
        ASSERT_TRUE(read_ftrace_head(line, head)) << line;
        EXPECT_EQ(head.time, 73951222_us) << line;
        EXPECT_EQ(head.event, "tlb_flush");
        EXPECT_EQ(head.payload, "pages:1");
        EXPECT_EQ(head.unit, TimeUnit::seconds);
    }
}

TEST(FtraceHead, Variants) {
    for (const Expected& x : {
             Expected{"     bash-17707     0d..2. 33530us+: tlb_flush: p", "bash", 17707, 0, 33530_us,
                      "tlb_flush"},
             {"  <idle>-0       0d...    0us : vector_config: irq=15", "<idle>", 0, 0, 0, "vector_config"},
             {"tlb main-17752     1...1.    8: tlb_flush: p", "tlb main", 17752, 1, 8, "tlb_flush"},
             {"             git-17855   [000] d..2. 1598012566670: x: y", "git", 17855, 0, 1598012566670,
              "x"},
             {"    git-17855   [001] d..2. 1796059892.277266: x: y", "git", 17855, 1, 1796059892277266_us,
              "x"},
             {"tlbvis:             bash-23892 [001]   774.269700644: sched_switch:         x", "bash", 23892,
              1, 774269700644, "sched_switch"},
             {"tlbvis:    a b:c-1 [001]-24232 [001]   797.182086: x: y", "a b:c-1 [001]", 24232, 1,
              797182086_us, "x"},
             {"tlbvis: tlb main-23894   1d..2.   774.269752: x: y", "tlb main", 23894, 1, 774269752_us, "x"},
             {"tlbvis:             bash-23892 [001]774269699644: x: y", "bash", 23892, 1, 774269699644, "x"},
             {"             bash-23892 [001]   774.269700: (+137)   tlb_flush:   p", "bash", 23892, 1,
              774269700_us, "tlb_flush"},
             {"           <...>-882   (  882) [003] .... 10852.771186: x: y", "<...>", 882, 3, 10852771186_us,
              "x"},
             {"           <...>-882   (-----) [1003] .... 10852.771186: x: y", "<...>", 882, 1003,
              10852771186_us, "x"},
             {"            bash-1234567 [003] .... 1.5: x: y", "bash", 1234567, 3, 1500000_us, "x"},
             {"  [000] 154.892148: ipi_raise: target_mask=1", "", kNoTask, 0, 154892148_us, "ipi_raise"},
             {"[   40.396045]  kauditd-32      0d.h. 307277us : x: y", "kauditd", 32, 0, 307277_us, "x"},
             {"|  bash-1108    [000] d..31    73.951222: x: y", "bash", 1108, 0, 73951222_us, "x"},
             {"> >  bash-1108    [000] d..31    73.951222: x: y", "bash", 1108, 0, 73951222_us, "x"},
             {"            bash   17707   0 1 00000002 00000000 [247cea2a] 33.530ms (+0.032ms): x: y", "bash",
              17707, 0, 33530_us, "x"},
             {"  a b  17707   1 1 00000002 00000000 [247cea2a] 33.530ms (+0.032ms): x: y", "a b", 17707, 1,
              33530_us, "x"},
         })
        check(read_ftrace_head, x);
}

TEST(FtraceHead, Shapes) {
    const std::string head_text = "            bash-1 [000] ..... 1.000000: ";
    std::deque<std::string> lines; // heads are views of them
    const auto shape = [&](const char* text) {
        LineHead head;
        EXPECT_TRUE(read_ftrace_head(lines.emplace_back(head_text + text), head)) << text;
        return head;
    };
    EXPECT_EQ(shape("sys_munmap(addr: 0x1, len: 0x2)").shape, LineShape::syscall);
    EXPECT_EQ(shape("sys_munmap(addr: 0x1, len: 0x2)").event, "munmap");
    EXPECT_EQ(shape("sys_munmap -> 0x0").shape, LineShape::syscall_exit);
    EXPECT_EQ(shape("do_nanosleep <-hrtimer_nanosleep").event, "function");
    EXPECT_EQ(shape("<stack trace>").shape, LineShape::stack);
    EXPECT_EQ(shape("<user stack trace>").shape, LineShape::stack);
    EXPECT_EQ(shape("kernel_stack:         <stack trace >").shape, LineShape::stack);
    EXPECT_EQ(shape("# 77617201 buf: 31 32").event, "raw_data");
}

TEST(FtraceHead, ATextInAPayloadIsNoHead) {
    LineHead head;
    ASSERT_TRUE(
        read_ftrace_head("            bash-24166   (  24166) [001] ...1.   798.102161: tracing_mark_write: "
                         "looks-like-12 [003] d..1 5.000001: tlb_flush: pages:1 reason:remote shootdown (1)",
                         head));
    EXPECT_EQ(head.event, "tracing_mark_write");
    EXPECT_EQ(head.task, 24166u);
    EXPECT_EQ(head.group, 24166u);
}

TEST(FtraceHead, Refuses) {
    for (const char* line : {"",
                             "-",
                             "-1",
                             "-1 [",
                             "-1 [0",
                             "-1 [0]",
                             "bash-1 [000] 1.0",
                             "bash-1 [000] 1.0:",
                             "bash-1 [000] 1.: x: y",
                             "bash-1 [000] .0: x: y",
                             "bash-1 [000] d..2. x: y",
                             "bash-1 [70000] 1.0: x: y",
                             "bash-1 [000] 1.0: x y",
                             "bash-1 [000] 99999999999.0: x: y",
                             "bash-1 [000] 1.0123456789: x: y",
                             "bash-99999999999 [000] 1.0: x: y",
                             " => schedule",
                             "tlb_flush: pages:1 reason:remote shootdown (1)",
                             "# tracer: nop",
                             "17707 0 612166185581 type: 372"}) {
        LineHead head;
        EXPECT_FALSE(read_ftrace_head(line, head)) << line;
    }
}

TEST(PerfHead, Variants) {
    for (const Expected& x : {
             Expected{"              wl 24466 [000]   814.959142:                          tlb:tlb_flush: p",
                      "wl", 24466, 0, 814959142_us, "tlb_flush"},
             {"   a b:c-1 [001] 24529 [001]   819.111698: tlb:tlb_flush: p", "a b:c-1 [001]", 24529, 1,
              819111698_us, "tlb_flush"},
             {"      <evil>-77  24531 [001]   819.111716: tlb:tlb_flush: p", "<evil>-77 ", 24531, 1,
              819111716_us, "tlb_flush"},
             {"         swapper     0 [000]   819.086738: tlb:tlb_flush: p", "swapper", 0, 0, 819086738_us,
              "tlb_flush"},
             {"              wl 24466/24467 [000]   814.959142883: tlb:tlb_flush: p", "wl", 24467, 0,
              814959142883, "tlb_flush"},
             {"24466 [000]   814.959142: tlb:tlb_flush: p", "", 24466, 0, 814959142_us, "tlb_flush"},
             {"[294] 1.000001: ipi:ipi_send_cpu: cpu=3", "", kNoTask, 294, 1000001_us, "ipi_send_cpu"},
             {"tlb main 24536   820.238008:    1001001 cpu-clock: ", "tlb main", 24536, kNoCpu, 820238008_us,
              "cpu-clock"},
             {"java 25607 4794564.109216: cycles:", "java", 25607, kNoCpu, 4794564109216_us, "cycles"},
             {"V8 WorkerThread 24636/25607 [000] 94564.109216: cycles:", "V8 WorkerThread", 25607, 0,
              94564109216_us, "cycles"},
             {"java 25607/25608 4794564.109216: 33 cycles:uppp", "java", 25608, kNoCpu, 4794564109216_us,
              "cycles"},
             {"x 3855755 1097011.253518:    6367096 cycles:u:", "x", 3855755, kNoCpu, 1097011253518_us,
              "cycles"},
             {"Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:", "Gecko", 25122, 7,
              115539936601_us, "task-clock"},
             {"              wl 24466 [000] K   814.959142: tlb:tlb_flush: p", "wl", 24466, 0, 814959142_us,
              "tlb_flush"},
             {"simple-terminat     9/9     198791.127353: cpu-clock: ", "simple-terminat", 9, kNoCpu,
              198791127353_us, "cpu-clock"},
         }) {
        if (std::string(x.line).find("uppp") == std::string::npos)
            check(read_perf_head, x);
        else {
            LineHead head;
            EXPECT_TRUE(read_perf_head(x.line, head));
            EXPECT_EQ(head.event, "cycles");
        }
    }
}

TEST(PerfHead, KernelTextIsNotPerfScript) {
    for (const char* line :
         {"        tlb main-17709   [000]    612.167995: tlb_flush: pages:1",
          "            bash-17707   [000] d..2.   612.166186: sched_switch: prev",
          "tlbvis:             bash-23892 [001]   774.269700: sched_switch:         x",
          "\tffffffff81572d75 bpf_lsm_task_prctl+0x5 ([kernel.kallsyms])", "", "# captured on : 1.0: x:"}) {
        LineHead head;
        EXPECT_FALSE(read_perf_head(line, head)) << line;
    }
}

TEST(PerfHead, PerfScriptIsNotKernelText) {
    LineHead head;
    EXPECT_FALSE(read_ftrace_head("   a b:c-1 [001] 24529 [001]   819.111698: tlb:tlb_flush: p", head));
}

TEST(PerfHead, WithoutTime) {
    LineHead head;
    ASSERT_TRUE(read_perf_head_without_time("java  3244 cpu-clock: ", head));
    EXPECT_EQ(head.comm, "java");
    EXPECT_EQ(head.task, 3244u);
    EXPECT_EQ(head.event, "cpu-clock");
    EXPECT_EQ(head.unit, TimeUnit::none);
    EXPECT_FALSE(read_perf_head_without_time("\t    7f1e2162aff4 do_klass(Klass*) (libjvm.so)", head));
    EXPECT_FALSE(read_perf_head_without_time("Note: nothing", head));
}
