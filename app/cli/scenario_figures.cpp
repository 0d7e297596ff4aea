#include "app/cli/scenario_figures.h"

namespace tlbscope {

namespace {

FigureValue number_or_default(int value) {
    if (value == Scenario::kDefault) return std::string("default");
    return std::int64_t{value};
}

const char* name_of(SiblingTlb how) {
    switch (how) {
    case SiblingTlb::processor:
        return "processor";
    case SiblingTlb::private_each:
        return "private";
    case SiblingTlb::split:
        return "split";
    case SiblingTlb::shared:
        return "shared";
    }
    return "processor";
}

} // namespace

const char* key(Bucket bucket) {
    switch (bucket) {
    case Bucket::user:
        return "user";
    case Bucket::cache_miss:
        return "cache_miss";
    case Bucket::page_walk:
        return "page_walk";
    case Bucket::fault:
        return "fault";
    case Bucket::syscall:
        return "syscall";
    case Bucket::local_flush:
        return "local_flush";
    case Bucket::wait_acks:
        return "wait_acks";
    case Bucket::ipi_service:
        return "ipi_service";
    case Bucket::interrupt:
        return "interrupt";
    case Bucket::switch_mm:
        return "switch_mm";
    case Bucket::cr3_load:
        return "cr3_load";
    case Bucket::idle:
        return "idle";
    case Bucket::count_:
        break;
    }
    return "";
}

void add_scenario(Figures& figures, const Scenario& scenario) {
    figures.add("scenario.processor", scenario.processor);
    figures.add("scenario.policy", scenario.policy);
    figures.add("scenario.workload", scenario.workload);
    figures.add("scenario.shift", number_or_default(scenario.shift));
    figures.add("scenario.ceiling", number_or_default(scenario.ceiling));
    figures.add("scenario.threads", std::int64_t{scenario.threads});
    figures.add("scenario.flush_pages", std::int64_t{scenario.flush_pages});
    figures.add("scenario.working_set_pages", std::int64_t{scenario.working_set_pages});
    figures.add("scenario.madvise", scenario.madvise != 0);
    figures.add("scenario.hz", std::int64_t{scenario.hz});
    figures.add("scenario.interrupts", std::int64_t{scenario.interrupts});
    figures.add("scenario.split", scenario.split);
    figures.add("scenario.pae", scenario.pae != 0);
    figures.add("scenario.invpcid", scenario.invpcid != 0);
    figures.add("scenario.global_text", scenario.global_text != 0);
    figures.add("scenario.placement", scenario.placement);
    figures.add("scenario.l2_kib", std::int64_t{scenario.l2_kib});
    figures.add("scenario.subintervals", std::int64_t{scenario.subintervals});
    figures.add("scenario.sibling_tlb", std::string(name_of(scenario.sibling_tlb)));
    figures.add("scenario.sockets", std::int64_t{scenario.sockets});
    figures.add("scenario.cores_per_socket", std::int64_t{scenario.cores_per_socket});
    figures.add("scenario.threads_per_core", std::int64_t{scenario.threads_per_core});
    figures.add("scenario.seed", scenario.seed);
}

void add_buckets(Figures& figures, const BucketCycles& buckets) {
    for (std::size_t i = 0; i < kBuckets; ++i)
        figures.add(std::string("cycles.") + key(static_cast<Bucket>(i)), std::int64_t{buckets[i]});
}

} // namespace tlbscope
