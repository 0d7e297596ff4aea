// CPU sets as kernels, trace-cmd and perf print them.
#pragma once

#include "engine/core/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace tlbscope {

// "00000000,00000bff" (hexadecimal groups of 32 CPUs), "0x10", "0-1,3-79" (list), "ARRAY[0f, 00]"
// (bytes, lowest first) or nothing. `lists`: an ambiguous text such as "3" is a list and means CPU 3,
// not the CPUs 0 and 1. False: no such text; CPUs of 65535 and above are left out.
bool read_cpu_mask(std::string_view text, bool lists, std::vector<CpuId>& cpus);

// "0-1,3-79".
std::string cpu_list(const std::vector<CpuId>& cpus);

} // namespace tlbscope
