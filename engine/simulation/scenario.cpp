#include "engine/simulation/scenario.h"

#include "engine/core/error.h"
#include "engine/kernel/address_split.h"
#include "engine/kernel/flush_policy.h"
#include "engine/kernel/page_placement.h"
#include "engine/workload/workload.h"

#include <bit>

namespace tlbscope {

namespace {

void check(const char* field, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high)
        throw Error(field, std::to_string(value) + " is outside " + std::to_string(low) + " … " +
                               std::to_string(high));
}

} // namespace

void validate(const Scenario& s) {
    find_flush_policy(s.policy);
    bool known = false;
    std::string ids;
    for (const WorkloadInfo& info : workloads()) {
        known = known || s.workload == info.id;
        ids += (ids.empty() ? "" : ", ") + std::string(info.id);
    }
    if (!known) throw Error("workload", "\"" + s.workload + "\" is not a known workload", "known: " + ids);
    if (s.shift != Scenario::kDefault) check("shift", s.shift, -1, 12);
    if (s.ceiling != Scenario::kDefault) check("ceiling", s.ceiling, 0, 4096);
    check("threads", s.threads, 1, 4096);
    check("flush_pages", s.flush_pages, 1, 8192);
    check("working_set_pages", s.working_set_pages, 1, 262144);
    check("madvise", s.madvise, 0, 1);
    check("hz", s.hz, 10, 10000);
    check("interrupts", s.interrupts, 0, 100000);
    if (s.split != "default") find_address_split(s.split);
    check("pae", s.pae, 0, 1);
    check("invpcid", s.invpcid, 0, 1);
    check("global_text", s.global_text, 0, 1);
    find_page_placement(s.placement);
    if (s.l2_kib != 0) {
        check("l2_kib", s.l2_kib, 64, 65536);
        if (!std::has_single_bit(static_cast<unsigned>(s.l2_kib)))
            throw Error("l2_kib", std::to_string(s.l2_kib) + " is not a power of two",
                        "try 256, 512 or 1024");
    }
    check("subintervals", s.subintervals, 2, 2000000);
    check("sockets", s.sockets, 0, 8);
    check("cores_per_socket", s.cores_per_socket, 0, 1024);
    check("threads_per_core", s.threads_per_core, 0, 8);
}

bool is_live_change(const Scenario& from, const Scenario& to) {
    Scenario same = to;
    same.policy = from.policy;
    same.shift = from.shift;
    same.ceiling = from.ceiling;
    same.threads = from.threads;
    same.flush_pages = from.flush_pages;
    same.working_set_pages = from.working_set_pages;
    same.madvise = from.madvise;
    return same == from;
}

} // namespace tlbscope
