// tlbscope inspect FILE: what is in a recording.
#pragma once

#include "app/cli/command.h"
#include "app/cli/output_format.h"

namespace tlbscope {

class InspectCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    std::string file_, at_;
    OutputFormat format_;
};

} // namespace tlbscope
