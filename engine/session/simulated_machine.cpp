#include "engine/session/simulated_machine.h"

#include "engine/session/observe_cells.h"
#include "engine/session/session.h"

#include <algorithm>

namespace tlbscope {

namespace {

CpuState state_of(Activity activity) {
    switch (activity) {
    case Activity::idle:
        return CpuState::idle;
    case Activity::lazy:
        return CpuState::lazy;
    case Activity::user:
        return CpuState::user;
    case Activity::syscall:
        return CpuState::syscall;
    case Activity::fault:
        return CpuState::fault;
    case Activity::blocked:
        return CpuState::blocked;
    case Activity::flushing:
        return CpuState::flushing;
    case Activity::waiting:
        return CpuState::waiting;
    case Activity::servicing:
        return CpuState::servicing;
    case Activity::interrupt:
        return CpuState::interrupt;
    case Activity::switching:
        return CpuState::switching;
    }
    return CpuState::unknown;
}

const char* caller_name(OpKind kind) {
    switch (kind) {
    case OpKind::munmap:
        return "munmap";
    case OpKind::madvise_dontneed:
        return "madvise(MADV_DONTNEED)";
    case OpKind::mprotect:
        return "mprotect";
    case OpKind::mmap:
        return "mmap";
    case OpKind::fault:
        return "page fault";
    case OpKind::null_call:
    case OpKind::none:
        break;
    }
    return "";
}

CpuView view_of(const Kernel& kernel, CpuId id) {
    const Cpu& cpu = kernel.cpu(id);
    CpuView view;
    view.state = state_of(cpu.now.activity);
    view.irqs_off = !cpu.now.irqs_on;
    view.ipi_pending = cpu.ipi_pending;
    view.task = cpu.current;
    view.mm = cpu.active_mm;
    view.buckets = kernel.buckets(id);
    if (cpu.served < cpu.serving.size())
        view.shootdown = cpu.serving[cpu.served];
    else if (cpu.current)
        view.shootdown = kernel.task(cpu.current).op.shootdown;
    if (cpu.now.pages) {
        view.pages_total = cpu.now.pages;
        if (cpu.now.pages > 0) {
            const Cycles left = std::max<Cycles>(0, cpu.end - kernel.now());
            const Cycles length = std::max<Cycles>(1, cpu.now.length);
            view.pages_done = cpu.now.pages * std::clamp<Cycles>(length - left, 0, length) / length;
        }
    }
    if (cpu.waiting)
        if (const FlushRequest* flush = kernel.flush(view.shootdown)) {
            view.acks_needed = static_cast<std::uint16_t>(flush->targets.size());
            view.acks_got = static_cast<std::uint16_t>(flush->targets.size() - flush->acks_left);
        }
    return view;
}

void observe_ipis(const Kernel& kernel, Snapshot& out) {
    out.ipis.clear();
    for (const FlushRequest& flush : kernel.flushes()) {
        if (flush.complete) continue;
        for (const FlushTarget& target : flush.targets) {
            if (target.phase == FlushTarget::Phase::done || target.end == 0) continue;
            IpiView ipi;
            ipi.from = flush.initiator;
            ipi.to = target.cpu;
            ipi.shootdown = flush.id;
            ipi.sent = flush.begin;
            switch (target.phase) {
            case FlushTarget::Phase::travelling:
                ipi.phase = IpiPhase::travelling;
                break;
            case FlushTarget::Phase::pending:
                ipi.phase = IpiPhase::pending;
                break;
            case FlushTarget::Phase::servicing:
                ipi.phase = IpiPhase::servicing;
                break;
            case FlushTarget::Phase::acknowledging:
            case FlushTarget::Phase::done:
                ipi.phase = IpiPhase::acknowledging;
                break;
            }
            if (target.end < kForever && target.end > target.begin)
                ipi.progress = std::clamp(static_cast<float>(kernel.now() - target.begin) /
                                              static_cast<float>(target.end - target.begin),
                                          0.0f, 1.0f);
            out.ipis.push_back(ipi);
        }
    }
    std::sort(out.ipis.begin(), out.ipis.end(), [](const IpiView& a, const IpiView& b) {
        return a.shootdown != b.shootdown ? a.shootdown < b.shootdown : a.to < b.to;
    });
}

DecisionView decision_of(const Kernel& kernel, std::uint32_t shootdown) {
    DecisionView view;
    const FlushRequest* flush = kernel.flush(shootdown ? shootdown : kernel.last_flush());
    if (!flush) return view;
    view.shootdown = flush->id;
    view.cpu = flush->initiator;
    view.caller = caller_name(flush->caller);
    view.policy = flush->policy->name;
    view.source = flush->policy->source;
    view.lines = flush->policy->explain(flush->input, flush->decision);
    view.full = flush->decision.full;
    view.pages = static_cast<std::int64_t>(flush->pages);
    view.outcome = flush->decision.full ? "full flush"
                                        : "range flush of " + std::to_string(flush->pages) +
                                              (flush->pages == 1 ? " page" : " pages");
    view.targets = static_cast<int>(flush->targets.size());
    view.flush_cycles = flush->flush_cycles;
    view.wait_cycles = flush->wait_cycles;
    view.service_cycles = flush->service_cycles;
    view.refill_cycles = flush->refill_cycles;
    view.complete = flush->complete;
    return view;
}

CounterView counters_of(const Simulation& simulation) {
    const VmStat& vm = simulation.kernel().vmstat();
    const MmuCounters mmu = simulation.totals().mmu;
    CounterView view;
    view.nr_tlb_remote_flush = vm.nr_tlb_remote_flush;
    view.nr_tlb_remote_flush_received = vm.nr_tlb_remote_flush_received;
    view.nr_tlb_local_flush_all = vm.nr_tlb_local_flush_all;
    view.nr_tlb_local_flush_one = vm.nr_tlb_local_flush_one;
    view.tlb_accesses = mmu.accesses;
    view.l1_misses = mmu.accesses - mmu.l1_hits;
    view.stlb_misses = mmu.walks + mmu.faults;
    view.page_faults = vm.page_faults;
    view.context_switches = vm.context_switches;
    view.ipis_sent = vm.ipis_sent;
    view.records = simulation.records();
    view.stale_uses = mmu.stale_uses;
    return view;
}

void add(WorkMark& sum, const WorkMark& mark) {
    for (std::size_t b = 0; b < kBuckets; ++b)
        sum.buckets[b] += mark.buckets[b];
    for (std::size_t level = 0; level < kMemoryLevels; ++level) {
        sum.stalls.dtlb[level] += mark.stalls.dtlb[level];
        sum.stalls.itlb[level] += mark.stalls.itlb[level];
        sum.stalls.data[level] += mark.stalls.data[level];
    }
    sum.ticks += mark.ticks;
    sum.interrupts += mark.interrupts;
    sum.cr3_loads += mark.cr3_loads;
}

class SimulatedMachine final : public MachineRun {
public:
    SimulatedMachine(const Scenario& scenario, const std::string& resources)
        : simulation_(scenario, load_processor(resources, scenario.processor)),
          machine_(std::make_shared<MachineDescription>(describe_machine(simulation_))) {}

    std::unique_ptr<MachineRun> clone() const override {
        auto copy = std::make_unique<SimulatedMachine>(*this);
        copy->simulation_.listen(nullptr);
        return copy;
    }

    Cycles now() const override { return simulation_.now(); }
    std::uint64_t event_count() const override { return simulation_.event_count(); }
    std::uint64_t event_hash() const override { return simulation_.event_hash(); }
    void listen(std::vector<Event>* sink) override { simulation_.listen(sink); }
    void run_events(std::uint64_t n) override { simulation_.run_events(n); }
    void run_until(Cycles t) override { simulation_.run_until(t); }
    void apply(const Scenario& scenario) override { simulation_.apply(scenario); }
    std::shared_ptr<const MachineDescription> description() const override { return machine_; }
    void observe(const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out) const override {
        observe_simulation(simulation_, *machine_, needs, shootdown, out);
    }
    WorkMark work() const override {
        const Kernel& kernel = simulation_.kernel();
        WorkMark sum;
        for (int cpu = 0; cpu < simulation_.topology().cpus(); ++cpu)
            add(sum, kernel.mark(static_cast<CpuId>(cpu), 0, 0));
        sum.mmu = simulation_.totals().mmu;
        sum.work = simulation_.workload().work();
        sum.laps = lap().laps;
        sum.time = simulation_.now();
        return sum;
    }
    WorkMark lap() const override { return simulation_.workload().mark(); }
    std::shared_ptr<const Names> names() const override {
        auto names = std::make_shared<Names>();
        names->tasks.emplace_back(0, "swapper");
        for (TaskId id = 1; id < simulation_.kernel().tasks(); ++id)
            names->tasks.emplace_back(id, simulation_.scenario().workload + "/" + std::to_string(id));
        return names;
    }
    std::size_t memory_bytes() const override {
        const ProcessorSpec& p = simulation_.processor();
        const auto cores = static_cast<std::size_t>(simulation_.topology().cores());
        const auto sockets = static_cast<std::size_t>(simulation_.topology().sockets);
        return cores * (machine_->cells_per_core * (sizeof(TlbTag) + sizeof(TlbPayload) + 8)) +
               (cores * (p.l1d.bytes + p.l2.bytes) + sockets * p.l3.bytes) / 64 * 5 +
               simulation_.kernel().memory_bytes() + (std::size_t{1} << 18);
    }

private:
    Simulation simulation_;
    std::shared_ptr<const MachineDescription> machine_;
};

} // namespace

MachineDescription describe_machine(const Simulation& simulation) {
    const Mmu& mmu = simulation.kernel().mmu();
    const Topology& topology = simulation.topology();
    MachineDescription machine;
    machine.processor = simulation.processor().title();
    machine.topology = topology;
    machine.hz = simulation.processor().hz;
    const TlbLevel levels[4] = {TlbLevel::dtlb, TlbLevel::dtlb_huge, TlbLevel::itlb, TlbLevel::stlb};
    std::uint32_t first_cell = 0;
    for (int which = 0; which < 4; ++which) {
        std::uint32_t previous = Mmu::kNoArray;
        for (int s = 0; s < topology.threads_per_core; ++s) {
            const Mmu::ArrayIds ids = mmu.arrays_of(topology.cpu_of(0, s));
            const std::uint32_t id = which == 0   ? ids.dtlb
                                     : which == 1 ? ids.dtlb_huge
                                     : which == 2 ? ids.itlb
                                                  : ids.stlb;
            if (id == Mmu::kNoArray || id == previous) continue;
            const bool one_for_all = mmu.sharing_of(which) == Sharing::shared;
            const Tlb& tlb = mmu.array(id);
            TlbArray array;
            array.level = levels[which];
            array.sibling = static_cast<std::int8_t>(one_for_all ? -1 : s);
            array.ways = static_cast<std::uint16_t>(tlb.ways());
            array.sets = tlb.sets();
            array.first_cell = first_cell;
            first_cell += array.entries();
            machine.arrays.push_back(array);
            previous = id;
        }
    }
    machine.cells_per_core = first_cell;
    return machine;
}

void observe_simulation(const Simulation& simulation, const MachineDescription& machine,
                        const ViewNeeds& needs, std::uint32_t shootdown, Snapshot& out) {
    const Kernel& kernel = simulation.kernel();
    const int cpus = simulation.topology().cpus();
    out.now = simulation.now();
    out.event_count = simulation.event_count();
    out.cpus.resize(static_cast<std::size_t>(cpus));
    for (int cpu = 0; cpu < cpus; ++cpu)
        out.cpus[static_cast<std::size_t>(cpu)] = view_of(kernel, static_cast<CpuId>(cpu));
    if (needs.cells)
        observe_cells(simulation, machine, out);
    else
        out.cells.clear();
    observe_ipis(kernel, out);
    out.decision = needs.decision ? decision_of(kernel, shootdown) : DecisionView{};
    out.counters = counters_of(simulation);
    const Scenario& s = simulation.scenario();
    out.title = std::string(simulation.workload().name()) + " on " +
                simulation.processor().microarchitecture + ", " + std::to_string(s.threads) +
                (s.threads == 1 ? " thread" : " threads");
    const std::string freed = s.workload != "ebizzy" ? ""
                              : s.madvise            ? "freed by madvise \u00b7 "
                                                     : "freed by munmap \u00b7 ";
    const AddressSplit& split = *kernel.config().split;
    const std::string memory = std::string(split.id) == "shared" ? "" : std::string(split.name) + " \u00b7 ";
    out.subtitle =
        memory + freed + "seed " + std::to_string(s.seed) + " \u00b7 " + kernel.config().policy->name;
}

MachineFactory simulated_machines(std::string resources) {
    return [resources = std::move(resources)](const Scenario& scenario) -> std::unique_ptr<MachineRun> {
        return std::make_unique<SimulatedMachine>(scenario, resources);
    };
}

} // namespace tlbscope
