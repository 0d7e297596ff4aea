// Accesses a second of the TLB, cache and whole-machine model, each beside the plain program a reader
// would write: std::vector, linear search, true LRU by time stamps. Both see the same 64-bit addresses
// in turns, so that their ratio holds on a busy machine; their counts must be equal.
#include "engine/core/random.h"
#include "engine/hardware/mmu.h"
#include "tests/bench/cpu_seconds.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace tlbscope;

namespace {

constexpr std::size_t kAccesses = 1 << 20, kTurn = 1 << 15;
constexpr PageNumber kFirstPage = 0x7f0000000;

struct Stream {
    const char* name;
    std::uint32_t pages; // uniform random page and offset; 0: 64-byte steps through 512,000 bytes
};
constexpr Stream kStreams[] = {{"u32", 32}, {"u125", 125}, {"u1024", 1024}, {"u8192", 8192}, {"seq500k", 0}};

std::vector<std::uint64_t> addresses(const Stream& stream) {
    std::vector<std::uint64_t> result(kAccesses);
    Random random(20131213);
    const std::uint64_t base = kFirstPage << kPageShift;
    for (std::size_t i = 0; i < kAccesses; ++i)
        result[i] = stream.pages ? base + (random.below(stream.pages) << kPageShift) + random.below(512) * 8
                                 : base + i * 64 % 512000;
    return result;
}

class PlainSets {
public:
    PlainSets(std::uint32_t entries, std::uint32_t ways) : sets_(entries / ways) {
        for (auto& set : sets_)
            set.resize(ways);
    }
    bool access(std::uint64_t key) {
        auto& set = sets_[key % sets_.size()];
        ++now_;
        Entry* oldest = &set[0];
        for (Entry& entry : set) {
            if (entry.used && entry.key == key) {
                entry.used = now_;
                return true;
            }
            if (entry.used < oldest->used) oldest = &entry;
        }
        *oldest = {key, now_};
        return false;
    }

private:
    struct Entry {
        std::uint64_t key = 0, used = 0;
    };
    std::vector<std::vector<Entry>> sets_;
    std::uint64_t now_ = 0;
};

struct Counts {
    std::uint64_t l1_hits = 0, stlb_hits = 0, walks = 0;
    std::int64_t cycles = 0;
    bool operator==(const Counts&) const = default;
};

enum class Model : std::uint8_t { tlb, cache, whole };
struct Geometry {
    const char* name;
    Model model;
    std::uint32_t ways; // of the 64-entry dTLB
};
constexpr Geometry kGeometries[] = {{"tlb_fa64_stlb1024x8", Model::tlb, 64},
                                    {"tlb_64x4_stlb1024x8", Model::tlb, 4},
                                    {"cache_32Kx8_512Kx8", Model::cache, 4},
                                    {"whole_fa64", Model::whole, 64},
                                    {"whole_64x4", Model::whole, 4}};

// One CPU. Without caches for Model::tlb, where a walk is a look at the page table and costs nothing.
ProcessorSpec processor(const Geometry& geometry) {
    ProcessorSpec p;
    p.dtlb = {64, geometry.ways, Replacement::lru, Sharing::shared, false};
    p.itlb = {64, 4, Replacement::lru, Sharing::shared, false};
    p.stlb = {1024, 8, Replacement::lru, Sharing::shared, false};
    p.psc_pml4 = 4;
    p.psc_pdpt = 8;
    p.psc_pd = 32;
    p.costs.stlb_hit = 7;
    if (geometry.model != Model::tlb) {
        p.l1d = {32 << 10, 8, 4, 0};
        p.l2 = {512 << 10, 8, 12, 4};
        p.costs.memory = 240;
    }
    return p;
}

// Pages of the stream, in frames that are spread over physical memory.
struct Memory {
    Memory() : table(1) {
        std::uint32_t tables = 2;
        for (PageNumber page = 0; page < 8192; ++page) {
            const auto frame = static_cast<std::uint32_t>(4096 + page * 2654435761u % 8192);
            table.set(kFirstPage + page, make_pte(frame, kPtePresent | kPteWrite), [&] { return tables++; });
        }
    }
    PageTable table;
};

class Product {
public:
    Product(const Geometry& geometry, const PageTable& table)
        : spec_(processor(geometry)), table_(table), mmu_(spec_, spec_.topology, nullptr, 1),
          caches_(spec_, spec_.topology) {}

    void translate(std::uint64_t address) {
        cycles_ += mmu_.access(0, address >> kPageShift, AccessKind::read, table_, caches_, 0).cycles;
    }
    void cache(std::uint64_t address) {
        cycles_ += caches_.load(0, static_cast<LineNumber>((address & 0xffffffff) >> 6));
    }
    void whole(std::uint64_t address) {
        const AccessResult r = mmu_.access(0, address >> kPageShift, AccessKind::read, table_, caches_, 0);
        cycles_ += r.cycles + caches_.load(0, r.frame * 64 + static_cast<LineNumber>((address >> 6) & 63));
    }
    Counts counts() const {
        const MmuCounters& c = mmu_.counters(0);
        return {c.l1_hits, c.stlb_hits, c.walks, cycles_};
    }

private:
    ProcessorSpec spec_;
    const PageTable& table_;
    Mmu mmu_;
    CacheHierarchy caches_;
    std::int64_t cycles_ = 0;
};

class Plain {
public:
    Plain(const Geometry& geometry, const PageTable& table)
        : table_(table), has_caches_(geometry.model != Model::tlb), dtlb_(64, geometry.ways), stlb_(1024, 8),
          l1_(512, 8), l2_(8192, 8) {}

    void translate(std::uint64_t address) {
        const PageNumber page = address >> kPageShift;
        if (dtlb_.access(page)) {
            ++counts_.l1_hits;
        } else if (stlb_.access(page)) {
            ++counts_.stlb_hits;
            counts_.cycles += 7;
        } else {
            ++counts_.walks;
            walk(page);
        }
    }
    void cache(std::uint64_t address) { load((address & 0xffffffff) >> 6); }
    void whole(std::uint64_t address) {
        translate(address);
        load(frames_[address >> kPageShift] * 64 + ((address >> 6) & 63));
    }
    Counts counts() const { return counts_; }

    // The translation itself, looked up beforehand: what the plain program would keep beside its tags.
    void learn(PageNumber page) { frames_[page] = frame_of(table_.leaf(page).pte); }

private:
    void load(std::uint64_t line) {
        if (!has_caches_) return;
        counts_.cycles += l1_.access(line) ? 4 : l2_.access(line) ? 12 : 240;
    }
    // Upper levels are read once for every 2 MiB, as the paging-structure caches hold all of them.
    void walk(PageNumber page) {
        const PageTable::Walk steps = table_.walk(page);
        const PageNumber table = (page - kFirstPage) >> 9;
        for (int step = table < known_tables_ ? 3 : known_tables_ ? 2 : 0; step < 4; ++step)
            load(steps.entry_address[static_cast<std::size_t>(step)] >> 6);
        known_tables_ = std::max(known_tables_, table + 1);
    }

    class Frames { // a flat array, so that the reference is not slowed by a map
    public:
        std::uint64_t& operator[](PageNumber page) { return frames_[page - kFirstPage]; }

    private:
        std::vector<std::uint64_t> frames_ = std::vector<std::uint64_t>(8192);
    };

    const PageTable& table_;
    bool has_caches_;
    PlainSets dtlb_, stlb_, l1_, l2_;
    PageNumber known_tables_ = 0;
    Frames frames_;
    Counts counts_;
};

template <class Machine>
void run(Machine& machine, Model model, const std::uint64_t* at, std::size_t n) {
    if (model == Model::tlb)
        for (std::size_t i = 0; i < n; ++i)
            machine.translate(at[i]);
    else if (model == Model::cache)
        for (std::size_t i = 0; i < n; ++i)
            machine.cache(at[i]);
    else
        for (std::size_t i = 0; i < n; ++i)
            machine.whole(at[i]);
}

void access_rate(benchmark::State& state, const Geometry& geometry, const Stream& stream) {
    static const Memory memory;
    const std::vector<std::uint64_t> stream_addresses = addresses(stream);
    Product product(geometry, memory.table);
    Plain plain(geometry, memory.table);
    for (PageNumber page = 0; page < 8192; ++page)
        plain.learn(kFirstPage + page);
    // Touch every 2 MiB in order first, so that both know the upper levels.
    for (PageNumber page = 0; page < 8192; page += 512) {
        const std::uint64_t address = (kFirstPage + page) << kPageShift;
        run(product, geometry.model, &address, 1);
        run(plain, geometry.model, &address, 1);
    }
    double product_seconds = 0, plain_seconds = 0;
    std::size_t done = 0, at = 0;
    for (auto _ : state) {
        const double start = cpu_seconds();
        run(product, geometry.model, &stream_addresses[at], kTurn);
        const double middle = cpu_seconds();
        run(plain, geometry.model, &stream_addresses[at], kTurn);
        plain_seconds += cpu_seconds() - middle;
        product_seconds += middle - start;
        state.SetIterationTime(middle - start);
        at = (at + kTurn) % kAccesses;
        done += kTurn;
    }
    if (!(product.counts() == plain.counts())) state.SkipWithError("counts differ from the plain program's");
    const double n = static_cast<double>(done) / 1e6;
    state.counters["M/s"] = n / product_seconds;
    state.counters["plain_M/s"] = n / plain_seconds;
    state.counters["ratio"] = plain_seconds / product_seconds;
}

// MOV to CR3 in a machine of 128 cores, round robin.
void full_flush(benchmark::State& state) {
    ProcessorSpec spec = processor(kGeometries[1]);
    spec.topology = {1, 128, 1};
    Mmu mmu(spec, spec.topology, nullptr, 1);
    CpuId cpu = 0;
    std::uint32_t cause = 0;
    for (auto _ : state) {
        ++cause;
        mmu.flush_all(cpu, cause, static_cast<Cycles>(cause));
        cpu = static_cast<CpuId>((cpu + 1) % 128);
    }
    benchmark::DoNotOptimize(mmu.last_flush(0));
}
BENCHMARK(full_flush);

// Whole pages through L1, L2 and L3, as clearing and copying do; `pages` decides which level has them.
void stream_pages(benchmark::State& state) {
    ProcessorSpec spec = processor(kGeometries[4]);
    spec.l3 = {8 << 20, 16, 35, 7};
    CacheHierarchy caches(spec, spec.topology);
    const auto pages = static_cast<std::uint32_t>(state.range(0));
    std::uint32_t page = 0;
    Cycles cost = 0;
    for (auto _ : state) {
        cost += caches.stream(0, page * 64, 64);
        page = page + 1 == pages ? 0 : page + 1;
    }
    benchmark::DoNotOptimize(cost);
    state.counters["ns/line"] = benchmark::Counter(static_cast<double>(state.iterations()) * 64e-9,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(stream_pages)->ArgName("pages")->Arg(4)->Arg(64)->Arg(1024)->Arg(8192);

const int registered = [] {
    for (const Geometry& geometry : kGeometries)
        for (const Stream& stream : kStreams)
            benchmark::RegisterBenchmark(
                (std::string(geometry.name) + "/" + stream.name).c_str(),
                [&](benchmark::State& state) { access_rate(state, geometry, stream); })
                ->UseManualTime()
                ->Unit(benchmark::kMicrosecond);
    return 0;
}();

} // namespace
