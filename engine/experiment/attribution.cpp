#include "engine/experiment/attribution.h"

#include "engine/core/error.h"
#include "engine/experiment/parallel.h"
#include "engine/experiment/statistics.h"
#include "engine/kernel/address_split.h"

#include <mutex>
#include <optional>

namespace tlbscope {

namespace {

constexpr int kMaxSeeds = 1000;

Cycles share(const CurveRun& run, CurveShare which) {
    return run.shares[static_cast<std::size_t>(which)];
}
Cycles data(const CurveRun& run) {
    return share(run, CurveShare::data_l2) + share(run, CurveShare::data_memory);
}

AttributionBand::Band band(const std::vector<double>& samples) {
    return {quantile(samples, 0.5), quantile(samples, 0.05), quantile(samples, 0.95)};
}

void check(const Scenario& a, const Scenario& b, int seeds) {
    const auto same = [](const char* field, bool equal) {
        if (!equal)
            throw Error(field, "differs between the two scenarios",
                        "compare runs on the same machine and of "
                        "the same program");
    };
    same("processor", a.processor == b.processor);
    same("l2_kib", a.l2_kib == b.l2_kib);
    same("workload", a.workload == b.workload);
    if (seeds < 1 || seeds > kMaxSeeds)
        throw Error("seeds", std::to_string(seeds) + " is outside 1 … " + std::to_string(kMaxSeeds));
}

// Where the kernel's zones decide, what they do with this one: "zones" under another split is another
// placement.
std::string placement_of(const Scenario& s) {
    if (s.placement != "zones") return s.placement;
    const bool lowmem = s.split != "default" && find_address_split(s.split).switches_cr3;
    return lowmem ? "lowmem" : "highmem";
}

// The two scenarios at their size, and b's kernel on a's placement.
struct Trio {
    Scenario a, b, mixed;
    bool same_placement = false;
};

Trio trio(const Scenario& a, const Scenario& b, int size) {
    Trio out{a, b, b};
    const CurveAxis axis = curve_axis(a.workload);
    if (size < axis.low || size > axis.high)
        throw Error("working set", std::to_string(size) + " is outside " + std::to_string(axis.low) + " … " +
                                       std::to_string(axis.high));
    for (Scenario* scenario : {&out.a, &out.b, &out.mixed})
        scenario->*axis.size = size;
    out.same_placement = placement_of(a) == placement_of(b) && a.seed == b.seed;
    if (!out.same_placement) {
        out.mixed.placement = placement_of(a);
        out.mixed.seed = a.seed;
    }
    for (const Scenario& scenario : {out.a, out.b, out.mixed})
        validate(scenario);
    return out;
}

// What the runs of each seed have brought.
class Collected {
public:
    Collected(const Trio& trio, int seeds) : runs_per_seed_(trio.same_placement ? 2 : 3) {
        seeds_.resize(static_cast<std::size_t>(seeds));
    }
    std::size_t runs_per_seed() const { return runs_per_seed_; }

    // True when that completes its seed.
    bool add(std::size_t seed, std::size_t which, const CurveRun& run) {
        Seed& here = seeds_[seed];
        here.runs[which] = run;
        for (std::size_t i = 0; i < runs_per_seed_; ++i)
            if (!here.runs[i]) return false;
        here.result = attribute_runs(*here.runs[0], *here.runs[1], *here.runs[runs_per_seed_ - 1]);
        return true;
    }

    AttributionBand band_of(int size, const std::string& workload) const {
        AttributionBand out;
        out.subintervals = size;
        out.working_set = size * curve_axis(workload).bytes;
        for (const Seed& seed : seeds_)
            if (seed.result) out.seeds.push_back(*seed.result);
        std::vector<double> samples;
        for (const Attribution& one : out.seeds)
            samples.push_back(one.loss());
        out.loss = band(samples);
        for (std::size_t part = 0; part < kAttributionParts; ++part) {
            samples.clear();
            for (const Attribution& one : out.seeds)
                samples.push_back(one.loss(static_cast<AttributionPart>(part)));
            out.parts[part] = band(samples);
        }
        return out;
    }

private:
    struct Seed {
        std::array<std::optional<CurveRun>, 3> runs; // a, b, mixed
        std::optional<Attribution> result;
    };
    std::size_t runs_per_seed_;
    std::vector<Seed> seeds_;
};

} // namespace

const char* to_string(AttributionPart part) {
    switch (part) {
    case AttributionPart::tick:
        return "timer tick";
    case AttributionPart::cr3:
        return "CR3 loads";
    case AttributionPart::dtlb_l1:
        return "dTLB refills: L1D";
    case AttributionPart::dtlb_l2:
        return "dTLB refills: L2";
    case AttributionPart::dtlb_memory:
        return "dTLB refills: memory";
    case AttributionPart::itlb:
        return "iTLB refills";
    case AttributionPart::data_pollution:
        return "pollution misses";
    case AttributionPart::data_placement:
        return "placement misses";
    case AttributionPart::other:
        return "other";
    case AttributionPart::count_:
        break;
    }
    return "invalid";
}

Attribution attribute_runs(const CurveRun& a, const CurveRun& b, const CurveRun& mixed) {
    if (a.work != b.work || mixed.work != b.work)
        throw Error("attribution", "the runs did not do the same work");
    Attribution out;
    out.work = b.work;
    out.cycles_a = a.cycles;
    out.cycles_b = b.cycles;
    out.ticks_a = a.ticks;
    out.ticks_b = b.ticks;
    out.walks_a = a.mmu.walks;
    out.walks_b = b.mmu.walks;
    const auto part = [&out](AttributionPart which) -> Cycles& {
        return out.parts[static_cast<std::size_t>(which)];
    };
    const auto more = [&](CurveShare which) { return share(b, which) - share(a, which); };
    part(AttributionPart::tick) = more(CurveShare::tick);
    part(AttributionPart::cr3) = more(CurveShare::cr3);
    part(AttributionPart::dtlb_l1) = more(CurveShare::dtlb_l1);
    part(AttributionPart::dtlb_l2) = more(CurveShare::dtlb_l2);
    part(AttributionPart::dtlb_memory) = more(CurveShare::dtlb_memory);
    part(AttributionPart::itlb) = more(CurveShare::itlb);
    part(AttributionPart::data_pollution) = data(mixed) - data(a);
    part(AttributionPart::data_placement) = data(b) - data(mixed);
    part(AttributionPart::other) = more(CurveShare::other) + more(CurveShare::compute);
    return out;
}

AttributionBand attribute(const Scenario& a, const Scenario& b, int subintervals, int seeds,
                          const CurveMeasure& measure, const std::atomic<bool>& cancel,
                          const std::function<void(const AttributionBand&)>& progress, int threads,
                          const CurveRunLimits& limits) {
    check(a, b, seeds);
    const Trio runs = trio(a, b, subintervals);
    Collected collected(runs, seeds);
    const std::size_t each = collected.runs_per_seed();
    std::mutex mutex;
    run_parallel(each * static_cast<std::size_t>(seeds), threads, cancel, [&](std::size_t job) {
        const std::size_t seed = job / each, which = job % each;
        Scenario scenario = which == 0 ? runs.a : which == 1 ? runs.b : runs.mixed;
        scenario.seed += seed;
        CurveRun run;
        if (!measure(scenario, limits, cancel, run)) return;
        const std::lock_guard lock(mutex);
        if (cancel || !collected.add(seed, which, run)) return;
        if (progress) progress(collected.band_of(subintervals, a.workload));
    });
    return collected.band_of(subintervals, a.workload);
}

AttributionBand attribute(const Scenario& a, const Scenario& b, int subintervals, int seeds,
                          const std::string& resources, const std::atomic<bool>& cancel,
                          const std::function<void(const AttributionBand&)>& progress, int threads,
                          const CurveRunLimits& limits) {
    check(a, b, seeds);
    const Trio runs = trio(a, b, subintervals);
    return attribute(a, b, subintervals, seeds, simulate_curve({runs.a, runs.b, runs.mixed}, resources),
                     cancel, progress, threads, limits);
}

} // namespace tlbscope
