// Names what a file is that tlbscope does not read, and says how to get a recording from it.
#pragma once

#include <string>
#include <string_view>

namespace tlbscope {

// Throws Error when `begin` is a known binary format, JSON, or empty.
void refuse_foreign_bytes(std::string_view begin, const std::string& where);

// Throws Error always: `begin` is text without a single trace line; recognises the usual mix-ups.
[[noreturn]] void refuse_foreign_text(std::string_view begin, const std::string& where);

} // namespace tlbscope
