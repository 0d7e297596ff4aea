// The options that make up a scenario, shared by the window and the subcommands.
#pragma once

#include "engine/simulation/scenario.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tlbscope {

// Must outlive the parser it is added to.
class ScenarioOptions {
public:
    // `thread_list`: --threads takes a list, which threads() returns.
    void add_to(CLI::App& app, bool thread_list = false);

    // Throws UsageError for an unknown processor, policy or workload, or a value out of range.
    Scenario scenario(const std::string& resources) const;
    // Not checked against the range. Throws UsageError when it is no list.
    std::vector<int> threads() const;
    // Whether any of them was on the command line.
    bool given() const;

private:
    Scenario scenario_;
    std::string thread_list_, shift_, ceiling_, sibling_tlb_;
    std::vector<CLI::Option*> options_;
};

} // namespace tlbscope
