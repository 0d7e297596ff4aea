// tlbscope [FILE]: the window.
#pragma once

#include "app/cli/command.h"
#include "app/cli/scenario_options.h"

namespace tlbscope {

class WindowCommand : public Command {
public:
    // argc and argv are the program's, for Qt; they must outlive this.
    WindowCommand(int& argc, char** argv) : argc_(argc), argv_(argv) {}
    void add_to(CLI::App& app);
    int run() override;

    // Throws UsageError when an option of the window stands before a subcommand.
    void refuse_options(const std::string& subcommand) const;

private:
    int& argc_;
    char** argv_;
    std::string recording_, theme_, page_, scene_;
    double speed_ = 0;
    bool paused_ = false, present_ = false;
    ScenarioOptions scenario_;
    std::vector<CLI::Option*> options_;
};

} // namespace tlbscope
