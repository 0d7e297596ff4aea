// tlbscope validate: the model held against published figures.
#pragma once

#include "app/cli/command.h"
#include "app/cli/output_format.h"

#include <string>

namespace tlbscope {

class ValidateCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    OutputFormat format_;
    std::string only_;
    int jobs_ = 0;
};

} // namespace tlbscope
