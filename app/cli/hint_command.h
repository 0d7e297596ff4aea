// tlbscope hint: the benchmark as its own driver runs it.
#pragma once

#include "app/cli/command.h"
#include "app/cli/curve_options.h"
#include "app/cli/output_format.h"
#include "engine/experiment/hint_benchmark.h"

namespace tlbscope {

class HintCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    // The preset's with what was given besides, and RUNTM scaled unless given.
    HintParameters parameters() const;

    CurveOptions scenario_;
    OutputFormat format_;
    std::string preset_ = "2004";
    HintParameters given_;
    int jobs_ = 0;
    CLI::Option *advance_ = nullptr, *nsamp_ = nullptr, *ntrial_ = nullptr, *patience_ = nullptr,
                *runtm_ = nullptr, *stoprt_ = nullptr, *stoptm_ = nullptr;
};

} // namespace tlbscope
