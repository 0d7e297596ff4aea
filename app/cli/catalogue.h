// --processors, --policies and --workloads: what can be simulated.
#pragma once

#include "app/cli/command.h"

namespace tlbscope {

class Catalogue : public Command {
public:
    void add_to(CLI::App& app);
    bool asked() const { return processors_ || policies_ || workloads_; }
    int run() override;

private:
    bool processors_ = false, policies_ = false, workloads_ = false;
};

} // namespace tlbscope
