// The rules behind the registry, one file an era.
#pragma once

#include "engine/kernel/flush_policy.h"

namespace tlbscope {

extern const FlushPolicy kFlushPolicyUpTo35;
extern const FlushPolicy kFlushPolicy36;
extern const FlushPolicy kFlushPolicy314;
extern const FlushPolicy kFlushPolicy317;

// "61 240": thousands apart, as the decision panel prints them.
std::string spaced(std::int64_t number);

} // namespace tlbscope
