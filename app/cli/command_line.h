// The program as the shell sees it: tlbscope [FILE], and simulate, sweep, inspect, render.
#pragma once

namespace tlbscope {

// Returns the exit status: 0 done, 1 failed or interrupted, 2 wrong usage. Never throws.
int run_command_line(int argc, char** argv);

} // namespace tlbscope
