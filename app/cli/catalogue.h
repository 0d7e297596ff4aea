// --processors and --policies: what can be simulated.
#pragma once

#include "app/cli/command.h"

namespace tlbscope {

class Catalogue : public Command {
public:
    void add_to(CLI::App& app);
    bool asked() const { return processors_ || policies_; }
    int run() override;

private:
    bool processors_ = false, policies_ = false;
};

} // namespace tlbscope
