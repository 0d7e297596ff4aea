// Which comm and thread group each task had. A recording names a task at every line head and in
// sched_switch; the last name counts, because a task takes its lasting name at exec.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tlbscope {

class TaskTable {
public:
    struct Entry {
        std::uint32_t task = 0;
        std::uint32_t group = 0xffffffff;
        bool used = false;
        std::string_view head_comm;   // from line heads; empty: none
        std::string_view switch_comm; // from sched_switch
    };

    TaskTable() : slots_(64) {}

    void head(std::uint32_t task, std::uint32_t group, std::string_view comm) {
        Entry& entry = find(task);
        if (group != 0xffffffff) entry.group = group;
        if (comm.data() != entry.head_comm.data() && comm != entry.head_comm) set_head(entry, comm);
    }
    void switched(std::uint32_t task, std::string_view comm) { find(task).switch_comm = comm; }

    Entry& find(std::uint32_t task) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = (task * 0x9e3779b1u) & mask;; i = (i + 1) & mask) {
            if (!slots_[i].used) return add(task);
            if (slots_[i].task == task) return slots_[i];
        }
    }

    const std::vector<Entry>& slots() const { return slots_; }
    void clear();

private:
    static void set_head(Entry& entry, std::string_view comm);
    Entry& add(std::uint32_t task);

    std::vector<Entry> slots_;
    std::size_t count_ = 0;
};

} // namespace tlbscope
