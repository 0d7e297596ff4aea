#include "engine/recording/task_table.h"

namespace tlbscope {

// "<...>" and "<unknown>" say that the kernel no longer knew the name.
void TaskTable::set_head(Entry& entry, std::string_view comm) {
    if (!comm.empty() && comm != "<...>" && comm != "<unknown>") entry.head_comm = comm;
}

TaskTable::Entry& TaskTable::add(std::uint32_t task) {
    const auto place = [](std::vector<Entry>& slots, std::uint32_t t) -> Entry& {
        const std::size_t mask = slots.size() - 1;
        std::size_t i = (t * 0x9e3779b1u) & mask;
        while (slots[i].used)
            i = (i + 1) & mask;
        return slots[i];
    };
    if (2 * ++count_ > slots_.size()) {
        std::vector<Entry> larger(slots_.size() * 2);
        for (const Entry& entry : slots_)
            if (entry.used) place(larger, entry.task) = entry;
        slots_ = std::move(larger);
    }
    Entry& entry = place(slots_, task);
    entry.task = task;
    entry.used = true;
    return entry;
}

void TaskTable::clear() {
    slots_.assign(slots_.size(), {});
    count_ = 0;
}

} // namespace tlbscope
