// The event queue beside std::priority_queue, and simulated events a second of the whole engine.
#include "engine/core/event_queue.h"
#include "engine/core/random.h"
#include "engine/simulation/simulation.h"

#include <benchmark/benchmark.h>

#include <ctime>
#include <queue>
#include <vector>

using namespace tlbscope;

namespace {

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Payload {
    std::uint64_t id;
};

class PlainQueue {
public:
    struct Item {
        Cycles time;
        std::uint64_t sequence;
        Payload payload;
        bool operator<(const Item& other) const {
            return time != other.time ? time > other.time : sequence > other.sequence;
        }
    };
    void push(Cycles time, const Payload& payload) { queue_.push({time, next_++, payload}); }
    Item pop() {
        const Item first = queue_.top();
        queue_.pop();
        return first;
    }

private:
    std::priority_queue<Item> queue_;
    std::uint64_t next_ = 0;
};

// `n` times: take the earliest and put one back a random while later.
template <class Queue>
std::uint64_t hold(Queue& queue, const std::vector<std::uint32_t>& delays, std::size_t n) {
    std::uint64_t order = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto item = queue.pop();
        order = order * 31 + item.payload.id;
        queue.push(item.time + delays[i % delays.size()], item.payload);
    }
    return order;
}

// Hold model: the number pending stays what it is. ratio: std::priority_queue's time over ours.
void hold_model(benchmark::State& state) {
    const auto pending = static_cast<std::uint64_t>(state.range(0));
    Random random(5);
    std::vector<std::uint32_t> delays(65521);
    for (std::uint32_t& delay : delays)
        delay = static_cast<std::uint32_t>(random.below(200000));
    EventQueue<Payload> queue;
    PlainQueue plain;
    for (std::uint64_t i = 0; i < pending; ++i) {
        const auto time = static_cast<Cycles>(random.below(100000));
        queue.push(time, {i});
        plain.push(time, {i});
    }
    constexpr std::size_t turn = 1 << 15;
    double ours = 0, theirs = 0;
    std::size_t done = 0;
    for (auto _ : state) {
        const double start = cpu_seconds();
        const std::uint64_t order = hold(queue, delays, turn);
        const double middle = cpu_seconds();
        if (hold(plain, delays, turn) != order) state.SkipWithError("another order than std::priority_queue");
        theirs += cpu_seconds() - middle;
        ours += middle - start;
        state.SetIterationTime(middle - start);
        done += turn;
    }
    const double n = static_cast<double>(done) / 1e6;
    state.counters["M/s"] = n / ours;
    state.counters["priority_queue_M/s"] = n / theirs;
    state.counters["ratio"] = theirs / ours;
}
BENCHMARK(hold_model)->ArgName("pending")->Arg(128)->Arg(1024)->Arg(16384)->UseManualTime();

// One simulated millisecond an iteration, after one of warm-up; nobody listens.
void simulate(benchmark::State& state, const Scenario& scenario) {
    const auto processor = load_processor(TLBSCOPE_RESOURCES, scenario.processor);
    Simulation simulation(scenario, processor);
    const auto step = static_cast<Cycles>(processor->hz / 1000);
    simulation.run_until(step);
    const std::uint64_t before = simulation.event_count(), records = simulation.records();
    const std::uint64_t accesses = simulation.totals().mmu.accesses;
    for (auto _ : state)
        simulation.run_until(simulation.now() + step);
    const auto rate = [](std::uint64_t n) {
        return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
    };
    state.counters["events"] = rate(simulation.event_count() - before);
    state.counters["records"] = rate(simulation.records() - records);
    state.counters["accesses"] = rate(simulation.totals().mmu.accesses - accesses);
}

Scenario big(const char* workload) {
    Scenario s;
    s.workload = workload;
    s.sockets = 2;
    s.cores_per_socket = 32;
    s.threads_per_core = 2;
    s.threads = 128;
    s.flush_pages = 1;
    return s;
}
Scenario big_madvise() {
    Scenario s = big("ebizzy");
    s.madvise = 1;
    return s;
}

BENCHMARK_CAPTURE(simulate, cpus128_mummap_1page, big("mummap"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, cpus128_ebizzy_madvise_1page, big_madvise())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate, ivybridge_ebizzy, Scenario{})->Unit(benchmark::kMillisecond);

} // namespace
