#include "engine/workload/hint_sequence.h"

#include "engine/core/error.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <string>

namespace tlbscope {

HintSequence::HintSequence(HintType type, std::uint32_t subintervals) {
    HintIntegrator integrator(type);
    grid_ = integrator.grid();
    steps_.reserve(subintervals - 1);
    gaps_.reserve(subintervals - 1);
    while (steps_.size() + 1 < subintervals && !integrator.exhausted()) {
        steps_.push_back(integrator.step());
        gaps_.push_back(integrator.upper() - integrator.lower());
    }
}

std::shared_ptr<const HintSequence> HintSequence::get(HintType type, std::uint32_t subintervals) {
    const std::uint32_t limit = max_subintervals(type);
    if (subintervals < 2 || subintervals > limit)
        throw Error("subintervals",
                    std::to_string(subintervals) + " is outside 2 … " + std::to_string(limit));
    static std::mutex mutex;
    static std::shared_ptr<const HintSequence> tables[2];
    const std::lock_guard lock(mutex);
    std::shared_ptr<const HintSequence>& table = tables[static_cast<std::size_t>(type)];
    // Powers of two, so that a sweep over working sets makes it a few times only.
    if (!table || table->subintervals() < subintervals)
        table = std::make_shared<HintSequence>(type,
                                               std::min(limit, std::bit_ceil(std::max(subintervals, 8192u))));
    return table;
}

} // namespace tlbscope
