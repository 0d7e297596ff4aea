// tlbscope simulate: one run, reported.
#pragma once

#include "app/cli/command.h"
#include "app/cli/output_format.h"
#include "app/cli/scenario_options.h"
#include "engine/experiment/run_report.h"

namespace tlbscope {

class SimulateCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    RunLength length_{0.01, 0.1};
    OutputFormat format_;
    ScenarioOptions scenario_;
};

} // namespace tlbscope
