// tlbscope attribute: which share of the difference between two kernels belongs to what.
#pragma once

#include "app/cli/command.h"
#include "app/cli/curve_options.h"
#include "app/cli/output_format.h"

namespace tlbscope {

class AttributeCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    CurveOptions scenario_;
    OutputFormat format_;
    std::string at_ = "500k";
    int seeds_ = 8, jobs_ = 0;
    std::uint64_t work_ = kCurveWork;
};

} // namespace tlbscope
