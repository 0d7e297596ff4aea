// tlbscope sweep: throughput over one parameter.
#pragma once

#include "app/cli/command.h"
#include "app/cli/output_format.h"
#include "app/cli/scenario_options.h"
#include "engine/experiment/run_report.h"
#include "engine/experiment/sweep.h"

#include <optional>
#include <vector>

namespace tlbscope {

// What one curve of a sweep has so far; points in the order of the values, missing where not done.
struct SweepCurve {
    SweepSpec spec;
    std::vector<std::optional<SweepPoint>> points;
};

class SweepCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    std::vector<SweepSpec> specifications(const std::string& resources) const;

    std::string axis_ = "shift", values_;
    int seeds_ = 3, jobs_ = 0;
    RunLength length_{0.01, 0.05};
    OutputFormat format_;
    ScenarioOptions scenario_;
};

} // namespace tlbscope
