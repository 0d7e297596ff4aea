#include "app/cli/curve_options.h"

#include "app/cli/command.h"
#include "app/cli/value_list.h"
#include "engine/core/error.h"
#include "engine/hardware/processor.h"
#include "engine/kernel/address_split.h"
#include "engine/kernel/page_placement.h"
#include "engine/workload/workload.h"

#include <algorithm>

namespace tlbscope {

namespace {

std::vector<std::string> curve_workloads() {
    std::vector<std::string> ids;
    for (const WorkloadInfo& info : workloads()) {
        try {
            curve_axis(info.id);
            ids.emplace_back(info.id);
        } catch (const Error&) {
            // has no working set to draw it over
        }
    }
    return ids;
}

template <class Infos>
std::string known(const Infos& infos) {
    std::string text;
    for (const auto& info : infos)
        text += (text.empty() ? "" : ", ") + std::string(info.id);
    return text;
}

} // namespace

std::vector<std::string> split_list(const std::string& text, const std::string& option) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, comma - begin));
        if (parts.back().empty()) throw UsageError(option + " " + text + " has an empty part");
        if (std::count(parts.begin(), parts.end(), parts.back()) > 1)
            throw UsageError(option + " " + text + " has " + parts.back() + " twice");
        if (comma == text.size()) return parts;
        begin = comma + 1;
    }
}

void CurveOptions::add_to(CLI::App& app, bool lists) {
    lists_ = lists;
    const char* type = lists ? "LIST" : "ID";
    const auto scenario = [](CLI::Option* option) { return option->group("Scenario"); };
    scenario(app.add_option("--processor", processor_, "The simulated processor; --processors lists them."))
        ->type_name("ID");
    scenario(
        app.add_option("--l2", base_.l2_kib,
                       "L2 of that many KiB instead of the processor's, with the same ways; 0 keeps it."))
        ->type_name("KIB")
        ->check(CLI::Range(0, 65536));
    scenario(app.add_option("--workload", workload_, "The program that runs."))
        ->type_name("ID")
        ->check(CLI::IsMember(curve_workloads()));
    scenario(app.add_option(lists ? "--splits" : "--split", splits_,
                            "How user and kernel share the address space: " + known(address_splits()) +
                                (lists ? "; several separated by commas. Default: 3:1,4:4 on a 32-bit "
                                         "processor, else shared,kpti,kpti-pcid."
                                       : ". Default: 3:1 on a 32-bit processor, else shared.")))
        ->type_name(type)
        ->default_str("");
    scenario(app.add_option("--hz", hz_,
                            std::string("Timer ticks a second, 10 to 10000") +
                                (lists ? "; several separated by commas." : ".")))
        ->type_name(lists ? "LIST" : "N");
    scenario(app.add_option(lists ? "--placements" : "--placement", placements_,
                            "Where the program's pages lie in memory: " + known(page_placements()) +
                                (lists ? "; several separated by commas." : ".")))
        ->type_name(type);
    scenario(app.add_flag("--pae", pae_, "32-bit kernels use PAE."));
    scenario(app.add_option("--interrupts", base_.interrupts, "Device interrupts a second besides."))
        ->type_name("N")
        ->check(CLI::Range(0, 100000));
    scenario(app.add_flag("--no-invpcid", no_invpcid_, "KPTI with PCID does without INVPCID."));
    scenario(app.add_flag("--global-text", global_text_, "KPTI keeps the kernel's text global."));
    scenario(app.add_option("--seed", base_.seed,
                            "Seed of every random choice; the same options and seed give the same run."))
        ->type_name("N");
}

std::vector<CurveVariant> CurveOptions::variants(const std::string& resources) const {
    try {
        const auto processor = load_processor(resources, processor_);
        std::string splits = splits_;
        if (splits.empty())
            splits = processor->long_mode ? (lists_ ? "shared,kpti,kpti-pcid" : "shared")
                                          : (lists_ ? "3:1,4:4" : "3:1");
        const auto split_ids = split_list(splits, "--splits");
        const auto hz = parse_value_list(hz_);
        const auto placements = split_list(placements_, "--placements");
        std::vector<CurveVariant> variants;
        for (const std::string& split : split_ids)
            for (const int ticks : hz)
                for (const std::string& placement : placements) {
                    CurveVariant variant;
                    variant.scenario = base_;
                    variant.scenario.processor = processor_;
                    variant.scenario.workload = workload_;
                    variant.scenario.threads = 1;
                    variant.scenario.split = split;
                    variant.scenario.hz = ticks;
                    variant.scenario.placement = placement;
                    variant.scenario.pae = pae_;
                    variant.scenario.invpcid = !no_invpcid_;
                    variant.scenario.global_text = global_text_;
                    validate(variant.scenario);
                    const AddressSplit& kind = find_address_split(split);
                    if (kind.long_mode != processor->long_mode)
                        throw UsageError(std::string(lists_ ? "--splits: " : "--split: ") + split +
                                         " needs a " + (kind.long_mode ? "64" : "32") + "-bit kernel, " +
                                         processor_ + " runs the other kind");
                    if (split_ids.size() > 1 || (hz.size() == 1 && placements.size() == 1))
                        variant.label = split;
                    if (hz.size() > 1)
                        variant.label += (variant.label.empty() ? "" : ", ") + std::to_string(ticks) + " Hz";
                    if (placements.size() > 1)
                        variant.label += (variant.label.empty() ? "" : ", ") + placement;
                    variants.push_back(variant);
                }
        return variants;
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

} // namespace tlbscope
