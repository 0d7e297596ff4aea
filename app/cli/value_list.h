// Lists of numbers as people type them.
#pragma once

#include <string>
#include <vector>

namespace tlbscope {

// "1,2,4", "-1..8", "0..100:10" (steps of 10), "16..4096*2" (doubling), and several of them separated
// by commas. At most 10000 values, each once, in the order written. Throws UsageError.
std::vector<int> parse_value_list(const std::string& text);

} // namespace tlbscope
