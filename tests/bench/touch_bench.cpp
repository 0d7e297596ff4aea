// Accesses a second of the Pentium 4's caches, beside caches written plainly. Both see the same accesses
// in turns, so that their ratio holds on a busy machine; their cycles must be equal.
#include "engine/core/random.h"
#include "tests/bench/cpu_seconds.h"
#include "tests/hardware/reference_caches.h"

#include <benchmark/benchmark.h>

#include <vector>

using namespace tlbscope;

namespace {

constexpr std::size_t kAccesses = 1 << 20, kTurn = 1 << 15;

// The Pentium 4's caches. Linear addresses are physical ones; the highest bit says that it is a write.
ProcessorSpec pentium_4() {
    ProcessorSpec p;
    p.l1d = {8 << 10, 4, 2, 0, Replacement::plru, 1, true};
    p.l2 = {512 << 10, 8, 18, 4, Replacement::plru, 2, false};
    p.costs.memory = 300;
    p.costs.memory_stream = 100;
    p.prefetch_streams = 8;
    return p;
}

constexpr std::uint64_t kWriteBit = std::uint64_t{1} << 63;

// Reads and writes over so many bytes at random, a third of them writes.
std::vector<std::uint64_t> random_touches(std::uint32_t bytes) {
    std::vector<std::uint64_t> result(kAccesses);
    Random random(20040407);
    for (std::uint64_t& address : result)
        address = (1 << 24) + random.below(bytes) + (random.below(3) ? 0 : kWriteBit);
    return result;
}

// HINT at n subintervals of 96 bytes: a record that is split, a new one, and the queue.
std::vector<std::uint64_t> hint_touches(std::uint64_t n) {
    const std::uint64_t records = 1 << 24, errors = records + 72 * n, indices = errors + 16 * n;
    std::vector<std::uint64_t> result;
    const auto access = [&](std::uint64_t address, bool write) {
        result.push_back(address + (write ? kWriteBit : 0));
    };
    for (std::uint64_t k = 0; result.size() < kAccesses; k = k + 2 < n ? k + 1 : 0) {
        std::uint64_t split = k;
        while (split % 2)
            split = (split - 1) / 2;
        split /= 2;
        access(indices + 4 * k, false);
        for (std::uint64_t field = 0; field < 9; ++field) {
            access(records + 72 * split + 8 * field, false);
            if (field != 3 && field != 4 && field != 7) access(records + 72 * split + 8 * field, true);
            access(records + 72 * (k + 1) + 8 * field, true);
        }
        for (const std::uint64_t slot : {2 * k + 1, 2 * k + 2}) {
            if (slot >= 2 * n) continue;
            access(errors + 8 * slot, true);
            access(indices + 4 * slot, true);
        }
    }
    result.resize(kAccesses);
    return result;
}

template <class Caches>
std::int64_t touch_all(Caches& caches, const std::uint64_t* at, std::size_t n) {
    std::int64_t cycles = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto line = static_cast<LineNumber>((at[i] & ~kWriteBit) >> 6);
        cycles += caches.touch(0, line, line, at[i] >= kWriteBit).cycles;
    }
    return cycles;
}

void touch_rate(benchmark::State& state, const std::vector<std::uint64_t>& touches) {
    const ProcessorSpec spec = pentium_4();
    CacheHierarchy product(spec, spec.topology);
    PlainHierarchy plain(spec, spec.topology);
    double product_seconds = 0, plain_seconds = 0;
    std::int64_t difference = 0;
    std::size_t done = 0, at = 0;
    for (auto _ : state) {
        const double start = cpu_seconds();
        difference += touch_all(product, &touches[at], kTurn);
        const double middle = cpu_seconds();
        difference -= touch_all(plain, &touches[at], kTurn);
        plain_seconds += cpu_seconds() - middle;
        product_seconds += middle - start;
        state.SetIterationTime(middle - start);
        at = (at + kTurn) % kAccesses;
        done += kTurn;
    }
    if (difference) state.SkipWithError("cycles differ from the plain program's");
    const double n = static_cast<double>(done) / 1e6;
    state.counters["M/s"] = n / product_seconds;
    state.counters["plain_M/s"] = n / plain_seconds;
    state.counters["ratio"] = plain_seconds / product_seconds;
}
BENCHMARK_CAPTURE(touch_rate, p4_4KiB, random_touches(4 << 10))
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(touch_rate, p4_256KiB, random_touches(256 << 10))
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(touch_rate, p4_hint500k, hint_touches(6095))
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

} // namespace
