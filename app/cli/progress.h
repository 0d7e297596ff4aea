// One line of progress on stderr, if that is a terminal.
#pragma once

#include <chrono>
#include <string>

namespace tlbscope {

// Prints at most ten times a second and wipes its line in the end. Silent when stderr is no
// terminal. For one thread.
class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(double share); // 0 … 1
    void finish();

private:
    std::string what_;
    bool terminal_, shown_ = false;
    std::chrono::steady_clock::time_point next_{};
};

} // namespace tlbscope
