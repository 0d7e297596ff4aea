// The options that say which machine and which kernels a figure, an attribution or HINT runs on.
#pragma once

#include "engine/experiment/curve.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tlbscope {

// Must outlive the parser it is added to.
class CurveOptions {
public:
    // `lists`: several splits, HZ and placements; otherwise one of each.
    void add_to(CLI::App& app, bool lists);

    // Every combination, labelled by what differs: splits outermost, placements innermost. Throws UsageError.
    std::vector<CurveVariant> variants(const std::string& resources) const;

private:
    bool lists_ = false;
    Scenario base_;
    std::string processor_ = "xeon-2.5-512k", workload_ = "hint-double";
    std::string splits_, hz_ = "1000", placements_ = "random";
    bool pae_ = false, no_invpcid_ = false, global_text_ = false;
};

// "1,2", without blanks around the parts. Throws UsageError for an empty part, naming `option`.
std::vector<std::string> split_list(const std::string& text, const std::string& option);

} // namespace tlbscope
