#include "engine/kernel/flush_policy.h"

#include "engine/core/error.h"
#include "engine/kernel/flush_policies.h"

#include <array>
#include <cstdlib>

namespace tlbscope {

std::span<const FlushPolicy> flush_policies() {
    static const std::array policies = {kFlushPolicyUpTo35, kFlushPolicy36, kFlushPolicy314, kFlushPolicy317};
    return policies;
}

const FlushPolicy& find_flush_policy(const std::string& id) {
    std::string known;
    for (const FlushPolicy& policy : flush_policies()) {
        if (id == policy.id) return policy;
        known += (known.empty() ? "" : ", ") + std::string(policy.id);
    }
    throw Error("policy", "\"" + id + "\" is not a known flush policy", "known: " + known);
}

std::string spaced(std::int64_t number) {
    const std::string digits = std::to_string(std::llabs(number));
    std::string text = number < 0 ? "\u2212" : "";
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i && (digits.size() - i) % 3 == 0) text += "\u202f"; // narrow no-break space
        text += digits[i];
    }
    return text;
}

} // namespace tlbscope
