#include "app/cli/catalogue.h"

#include "app/resource_folder.h"
#include "engine/hardware/processor.h"
#include "engine/kernel/flush_policy.h"
#include "engine/workload/workload.h"

#include <cstdio>

namespace tlbscope {

namespace {

void print_processors() {
    const std::string resources = resource_folder();
    for (const std::string& id : list_processors(resources)) {
        const auto spec = load_processor(resources, id);
        std::printf("%-18s %s, %d x %d x %d CPUs at %.2f GHz, L1 dTLB %u, STLB %u entries\n", id.c_str(),
                    spec->title().c_str(), spec->topology.sockets, spec->topology.cores_per_socket,
                    spec->topology.threads_per_core, spec->hz / 1e9, spec->dtlb.entries, spec->stlb.entries);
    }
    std::printf("\nTheir files, with the source of every figure, lie in %s/processors.\n", resources.c_str());
}

void print_policies() {
    for (const FlushPolicy& policy : flush_policies())
        std::printf("%-10s %s: %s\n", policy.id, policy.name, policy.source);
}

void print_workloads() {
    for (const WorkloadInfo& workload : workloads())
        std::printf("%-10s %s: %s\n", workload.id, workload.name, workload.description);
}

} // namespace

void Catalogue::add_to(CLI::App& app) {
    app.add_flag("--processors", processors_, "Lists the processors that can be simulated and ends.");
    app.add_flag("--policies", policies_, "Lists the flush policies and ends.");
    app.add_flag("--workloads", workloads_, "Lists the workloads and ends.");
}

int Catalogue::run() {
    if (processors_) print_processors();
    if (policies_) print_policies();
    if (workloads_) print_workloads();
    return exit_done;
}

} // namespace tlbscope
