// tlbscope render OUT: the window as a picture, without a display.
#pragma once

#include "app/cli/command.h"
#include "app/cli/scenario_options.h"

#include <optional>

namespace tlbscope {

class RenderCommand : public Command {
public:
    void add_to(CLI::App& app);
    int run() override;

private:
    std::string output_, size_ = "1600x1000", theme_ = "dark", recording_, page_ = "machine", scene_;
    int step_ = 1;
    double scale_ = 1;
    std::optional<double> at_microseconds_;
    std::optional<std::uint64_t> at_event_;
    bool no_sweeps_ = false, present_ = false;
    ScenarioOptions scenario_;
};

} // namespace tlbscope
