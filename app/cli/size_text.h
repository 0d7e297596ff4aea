// Working sets as people write them.
#pragma once

#include <string>

namespace tlbscope {

// "500k", "1.5M", "800000": bytes; k and M are KiB and MiB. Throws UsageError naming `option`.
double parse_size(const std::string& text, const std::string& option);
// "500k", "1.50M".
std::string size_text(double bytes);

} // namespace tlbscope
