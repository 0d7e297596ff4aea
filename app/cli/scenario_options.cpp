#include "app/cli/scenario_options.h"

#include "app/cli/command.h"
#include "app/cli/value_list.h"
#include "engine/core/error.h"
#include "engine/hardware/processor.h"
#include "engine/kernel/flush_policy.h"
#include "engine/simulation/simulation.h"

#include <algorithm>
#include <utility>

namespace tlbscope {

namespace {

constexpr std::pair<const char*, SiblingTlb> kSiblingTlbs[] = {
    {"processor", SiblingTlb::processor},
    {"private", SiblingTlb::private_each},
    {"split", SiblingTlb::split},
    {"shared", SiblingTlb::shared},
};

std::vector<std::string> workload_ids() {
    std::vector<std::string> ids;
    for (const WorkloadInfo& workload : workloads())
        ids.emplace_back(workload.id);
    return ids;
}

std::vector<std::string> split_ids() {
    std::vector<std::string> ids{"default"};
    for (const AddressSplit& split : address_splits())
        ids.emplace_back(split.id);
    return ids;
}

std::vector<std::string> placement_ids() {
    std::vector<std::string> ids;
    for (const PagePlacementInfo& info : page_placements())
        ids.emplace_back(info.id);
    return ids;
}

std::vector<std::string> sibling_tlb_names() {
    std::vector<std::string> names;
    for (const auto& [name, value] : kSiblingTlbs)
        names.emplace_back(name);
    return names;
}

// A number, or "default".
const CLI::Validator& number_or_default(int low, int high) {
    static std::vector<std::unique_ptr<CLI::Validator>> kept;
    kept.push_back(std::make_unique<CLI::Validator>(
        [low, high](std::string& text) -> std::string {
            if (text == "default") return {};
            int number = 0;
            if (CLI::detail::lexical_cast(text, number) && number >= low && number <= high) return {};
            return text + " is neither default nor a number from " + std::to_string(low) + " to " +
                   std::to_string(high);
        },
        ""));
    return *kept.back();
}

int read_number_or_default(const std::string& text) {
    return text.empty() || text == "default" ? Scenario::kDefault : std::stoi(text);
}

} // namespace

void ScenarioOptions::add_to(CLI::App& app, bool thread_list) {
    const auto keep = [this](CLI::Option* option) {
        options_.push_back(option->group("Scenario"));
        return option;
    };
    keep(app.add_option("--processor", scenario_.processor,
                        "The simulated processor; --processors lists them."))
        ->type_name("ID");
    keep(app.add_option("--policy", scenario_.policy,
                        "The kernel's rule for range flush or full flush; --policies lists them."))
        ->type_name("ID");
    keep(app.add_option("--workload", scenario_.workload,
                        "What the threads do; --workloads lists the choices."))
        ->type_name("ID")
        ->check(CLI::IsMember(workload_ids()));
    keep(app.add_option("--shift", shift_,
                        "tlb_flushall_shift, -1 to 12; -1 always flushes fully. Kernels 3.6 to 3.16 use it. "
                        "Default: what that kernel sets for the processor."))
        ->type_name("N|default")
        ->check(number_or_default(-1, 12));
    keep(app.add_option("--ceiling", ceiling_,
                        "tlb_single_page_flush_ceiling in pages, 0 to 4096. Kernels from 3.17 on use it. "
                        "Default: 33, as in the kernel."))
        ->type_name("PAGES|default")
        ->check(number_or_default(0, 4096));
    if (thread_list) {
        thread_list_ = std::to_string(scenario_.threads);
        keep(
            app.add_option("--threads", thread_list_,
                           "Threads of the workload, 1 to 4096; a list like 1,2,4,8 gives a curve for each."))
            ->type_name("LIST");
    } else {
        keep(app.add_option("--threads", scenario_.threads,
                            "Threads of the workload, 1 to 4096; more than CPUs take turns."))
            ->type_name("N")
            ->check(CLI::Range(1, 4096));
    }
    keep(app.add_option("--flush-pages", scenario_.flush_pages,
                        "Pages of 4 KiB that one munmap gives back, 1 to 8192."))
        ->type_name("PAGES")
        ->check(CLI::Range(1, 8192));
    keep(
        app.add_option("--working-set", scenario_.working_set_pages,
                       "Pages of 4 KiB that the workload reads besides, 1 to 262144; for ebizzy its chunks."))
        ->type_name("PAGES")
        ->check(CLI::Range(1, 262144));
    keep(app.add_flag("--madvise", scenario_.madvise,
                      "Lets ebizzy free by madvise(MADV_DONTNEED) instead of munmap."));
    keep(app.add_option("--hz", scenario_.hz, "Timer ticks a second: 100, 200, 250, 300 or 1000."))
        ->type_name("N")
        ->check(CLI::IsMember({100, 200, 250, 300, 1000}));
    keep(app.add_option("--interrupts", scenario_.interrupts,
                        "Device interrupts a second on CPU 0 besides, 0 to 100000."))
        ->type_name("N")
        ->check(CLI::Range(0, 100000));
    keep(app.add_option("--split", scenario_.split,
                        "How user and kernel share the address space. 32-bit: 3:1, 4:4, and the control "
                        "experiment 3:1-flush or 3:1-flush-global; 64-bit: shared, kpti, kpti-pcid."))
        ->type_name("ID")
        ->check(CLI::IsMember(split_ids()));
    keep(app.add_flag("--pae", scenario_.pae, "A 32-bit kernel with PAE: three levels, costlier CR3 loads."));
    keep(app.add_flag("--invpcid,!--no-invpcid", scenario_.invpcid,
                      "Whether kpti-pcid uses INVPCID where the processor has it."));
    keep(app.add_flag("--global-text", scenario_.global_text,
                      "Keeps kernel text global under kpti and kpti-pcid."));
    keep(app.add_option("--placement", scenario_.placement,
                        "Which physical page the kernel hands out next: lists, contiguous, random, coloured, "
                        "zones or reuse."))
        ->type_name("ID")
        ->check(CLI::IsMember(placement_ids()));
    keep(app.add_option("--l2", scenario_.l2_kib,
                        "L2 of so many KiB, a power of two from 64 to 65536; 0 keeps the processor file's."))
        ->type_name("KIB")
        ->check(CLI::Range(0, 65536));
    keep(app.add_option("--subintervals", scenario_.subintervals,
                        "HINT: intervals of one lap, 2 to 2000000; each is 84 bytes on HINT's axis."))
        ->type_name("N")
        ->check(CLI::Range(2, 2000000));
    keep(app.add_option(
             "--sibling-tlb", sibling_tlb_,
             "How SMT siblings use the TLBs: private, split, shared, or as the processor file says."))
        ->type_name("HOW")
        ->default_str("processor")
        ->check(CLI::IsMember(sibling_tlb_names()));
    keep(app.add_option("--sockets", scenario_.sockets,
                        "Sockets, 1 to 8; 0 keeps the processor file's number."))
        ->type_name("N")
        ->check(CLI::Range(0, 8));
    keep(app.add_option(
             "--cores", scenario_.cores_per_socket,
             "Cores a socket, up to 1024 logical CPUs in all; 0 keeps the processor file's number."))
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    keep(app.add_option("--siblings", scenario_.threads_per_core,
                        "SMT siblings a core, 1, 2, 4 or 8; 0 keeps the processor file's number."))
        ->type_name("N")
        ->check(CLI::IsMember({0, 1, 2, 4, 8}));
    keep(app.add_option("--seed", scenario_.seed,
                        "Seed of every random choice; the same options and seed give the same run."))
        ->type_name("N");
}

Scenario ScenarioOptions::scenario(const std::string& resources) const {
    Scenario scenario = scenario_;
    scenario.shift = read_number_or_default(shift_);
    scenario.ceiling = read_number_or_default(ceiling_);
    if (!thread_list_.empty()) scenario.threads = threads().front();
    for (const auto& [name, value] : kSiblingTlbs)
        if (sibling_tlb_ == name) scenario.sibling_tlb = value;
    // A processor file that is there but broken is no fault of the command line.
    std::shared_ptr<const ProcessorSpec> processor;
    const std::vector<std::string> known = list_processors(resources);
    if (std::find(known.begin(), known.end(), scenario.processor) != known.end())
        processor = load_processor(resources, scenario.processor);
    try {
        find_flush_policy(scenario.policy);
        validate(scenario);
        if (!processor) processor = load_processor(resources, scenario.processor); // says what is known
        topology_of(scenario, *processor);
        split_of(scenario, *processor);
        processor_of(scenario, processor);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return scenario;
}

std::vector<int> ScenarioOptions::threads() const {
    if (thread_list_.empty()) return {scenario_.threads};
    return parse_value_list(thread_list_);
}

bool ScenarioOptions::given() const {
    return std::any_of(options_.begin(), options_.end(), [](const CLI::Option* o) { return o->count() > 0; });
}

} // namespace tlbscope
