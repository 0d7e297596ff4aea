// Where processors, scenarios, figures and fonts lie.
#pragma once

#include <string>

namespace tlbscope {

// The first that holds processors/: $TLBSCOPE_RESOURCES, resources or ../share/tlbscope or
// ../resources beside the executable, the source tree it was built from. Throws Error naming the
// folders it looked at; also when TLBSCOPE_RESOURCES is set and is no such folder.
std::string resource_folder();

} // namespace tlbscope
