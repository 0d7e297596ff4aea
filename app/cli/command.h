// One subcommand: adds its options to the parser, and runs once they have been read.
#pragma once

#include <CLI/CLI.hpp>

#include <stdexcept>
#include <string>

namespace tlbscope {

enum ExitStatus { exit_done = 0, exit_failed = 1, exit_usage = 2 };

// Options that are each all right but not together, or names that do not exist: exit status 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Command {
public:
    virtual ~Command() = default;
    // May throw UsageError, Error and whatever the work throws. Returns the exit status.
    virtual int run() = 0;
};

} // namespace tlbscope
