// A small machine that is quick, reproducible and easy to reason about: the session's tests run it.
#pragma once

#include "engine/core/error.h"
#include "engine/session/machine_run.h"
#include "engine/session/session.h"

#include <atomic>

namespace tlbscope::test {

inline std::atomic<int> live_machines{0};

// Emits records at random times, now and then several at the same time or even in one step; the parameters
// change what comes next, so that a forgotten parameter change shows in the hash.
class FakeMachine final : public MachineRun {
public:
    explicit FakeMachine(const Scenario& scenario, int work = 0)
        : scenario_(scenario), rng_(scenario.seed * 2 + 1), work_(work) {
        if (scenario.threads < 1 || scenario.threads > 4096)
            throw Error("threads", std::to_string(scenario.threads) + " is outside 1 … 4096");
        ++live_machines;
        next_ = gap();
    }
    FakeMachine(const FakeMachine& other) : FakeMachine(other, 0) {}
    FakeMachine& operator=(const FakeMachine&) = delete;
    ~FakeMachine() override { --live_machines; }

    std::unique_ptr<MachineRun> clone() const override {
        return std::unique_ptr<MachineRun>(new FakeMachine(*this));
    }
    Cycles now() const override { return now_; }
    std::uint64_t event_count() const override { return count_; }
    std::uint64_t event_hash() const override { return hash_; }
    void listen(std::vector<Event>* sink) override { sink_ = sink; }
    void run_events(std::uint64_t n) override {
        for (const std::uint64_t end = count_ + n; count_ < end;)
            step();
    }
    void run_until(Cycles t) override {
        while (next_ <= t)
            step();
        now_ = std::max(now_, t);
    }
    void apply(const Scenario& scenario) override {
        if (!is_live_change(scenario_, scenario)) throw Error("scenario", "needs a new run");
        if (scenario.threads < 1 || scenario.threads > 4096)
            throw Error("threads", std::to_string(scenario.threads) + " is outside 1 … 4096");
        scenario_ = scenario;
        // What happens next depends on the moment of the change, to the cycle.
        rng_ ^= static_cast<std::uint64_t>(now_) * 0x9e3779b97f4a7c15u +
                static_cast<std::uint64_t>(scenario.shift);
    }
    std::shared_ptr<const MachineDescription> description() const override {
        static const auto machine = [] {
            MachineDescription m;
            m.processor = "fake";
            m.topology = {1, 2, 2};
            m.hz = 1e9;
            return std::make_shared<const MachineDescription>(m);
        }();
        return machine;
    }
    void observe(const ViewNeeds&, std::uint32_t, Snapshot& out) const override {
        out.cpus.resize(4);
        for (CpuView& cpu : out.cpus)
            cpu.buckets[0] = now_;
        out.counters.records = count_ / 4;
        out.counters.tlb_accesses = static_cast<std::uint64_t>(now_);
        out.title = "fake";
        // For the tests: the whole state in one number.
        out.counters.page_faults = hash_;
    }
    // A unit of work every 4 records, a lap every 16 units, both as of the last record.
    WorkMark work() const override {
        WorkMark mark = lap_;
        mark.work = count_ / 4;
        mark.time = now_;
        mark.buckets[0] = now_;
        return mark;
    }
    WorkMark lap() const override { return lap_; }
    std::shared_ptr<const Names> names() const override {
        static const auto none = std::make_shared<const Names>();
        return none;
    }
    std::size_t memory_bytes() const override { return sizeof(*this); }

private:
    FakeMachine(const FakeMachine& o, int)
        : scenario_(o.scenario_), rng_(o.rng_), now_(o.now_), next_(o.next_), count_(o.count_),
          hash_(o.hash_), work_(o.work_), lap_(o.lap_) {
        ++live_machines;
    }
    std::uint64_t random() {
        rng_ ^= rng_ << 13;
        rng_ ^= rng_ >> 7;
        rng_ ^= rng_ << 17;
        return rng_;
    }
    Cycles gap() { return random() % 4 == 0 ? 0 : static_cast<Cycles>(random() % 400) + scenario_.threads; }
    void step() {
        now_ = next_;
        for (std::uint64_t n = random() % 8; n < 8; n = n < 6 ? 8 : n + 1)
            emit();
        next_ = now_ + gap();
    }
    void emit() {
        volatile std::uint64_t sink = 0;
        for (int i = 0; i < work_; ++i)
            sink = sink + 1;
        Event e;
        e.time = now_;
        e.cpu = static_cast<CpuId>(random() % 4);
        switch (random() % 8) {
        case 0:
            e.kind = EventKind::flush_decision, e.aux = static_cast<std::uint32_t>(random() % 3);
            break;
        case 1:
            e.kind = EventKind::tlb_flush;
            break;
        default:
            e.kind = EventKind::workload_record;
        }
        e.arg = scenario_.shift;
        ++count_;
        if (count_ % 64 == 0) {
            lap_.laps = count_ / 64;
            lap_.work = count_ / 4;
            lap_.time = now_;
            lap_.buckets[0] = now_;
        }
        for (std::uint64_t v : {static_cast<std::uint64_t>(e.time), static_cast<std::uint64_t>(e.arg),
                                static_cast<std::uint64_t>(e.cpu) << 8 | static_cast<std::uint64_t>(e.kind)})
            hash_ = (hash_ ^ v) * 0x100000001b3u;
        if (sink_) sink_->push_back(e);
    }

    Scenario scenario_;
    std::uint64_t rng_;
    Cycles now_ = 0, next_ = 0;
    std::uint64_t count_ = 0, hash_ = 0xcbf29ce484222325u;
    int work_;
    WorkMark lap_;
    std::vector<Event>* sink_ = nullptr;
};

inline MachineFactory fake_factory(int work = 0) {
    return [work](const Scenario& s) -> std::unique_ptr<MachineRun> {
        return std::make_unique<FakeMachine>(s, work);
    };
}

} // namespace tlbscope::test
