// tlbscope curve: throughput over the working set, a curve for each kernel.
#pragma once

#include "app/cli/command.h"
#include "app/cli/curve_options.h"
#include "app/cli/output_format.h"

namespace tlbscope {

class CurveCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    CurveSpec specification(const std::string& resources) const;

    CurveOptions scenario_;
    OutputFormat format_;
    std::string from_ = "100k", to_ = "2M";
    int points_ = 24, seeds_ = 4, jobs_ = 0;
    double advance_ = 0;
    std::uint64_t work_ = kCurveWork;
};

} // namespace tlbscope
