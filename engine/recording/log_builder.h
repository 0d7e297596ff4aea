// Joins pieces, in their order in the file, into one EventLog with one set of names.
#pragma once

#include "engine/recording/event_log.h"
#include "engine/recording/piece.h"

#include <unordered_map>

namespace tlbscope {

// What the numbers in id and arg of a recorded event of this kind mean.
struct NamesOfKind {
    bool id_is_string = false;
    enum class Arg : std::uint8_t { number, string, text, mask } arg = Arg::number;
};
NamesOfKind names_of_kind(EventKind kind);

class LogBuilder {
public:
    explicit LogBuilder(const Sniffed& format);

    // Pieces in order; afterwards the piece may be cleared and used again.
    void append(Piece& piece);

    // Sorts by time if a step went backwards (stable), and fills `log`, `report` and `cpus`.
    void finish(EventLog& log, ImportReport& report, int& cpus);

private:
    struct Task {
        std::string head_comm, switch_comm;
        std::uint32_t group = 0xffffffff;
    };

    void add_names(const Piece& piece);
    void add_report(const Piece& piece);
    void add_events(const Piece& piece);
    void add_tasks(const Piece& piece);
    CpuId lane_of(std::uint32_t task);
    void sort_blocks();
    std::string guess_clock() const;

    Sniffed format_;
    std::vector<std::shared_ptr<EventLog::Block>> blocks_;
    Interner strings_{Interner::Bytes::copy};
    std::vector<std::string> texts_{""};
    std::vector<std::vector<CpuId>> masks_{{}};
    std::unordered_map<std::string, std::uint32_t> mask_numbers_;
    std::unordered_map<std::uint32_t, Task> tasks_;
    std::unordered_map<std::uint32_t, CpuId> lanes_;   // threads, where there is no CPU column
    std::vector<std::uint64_t> unknown_, undecoded_;   // by string number
    std::vector<std::uint32_t> string_map_, mask_map_; // of the piece being appended
    ImportReport report_;
    std::uint64_t events_ = 0;
    std::int64_t last_time_ = 0; // of the file's order
    std::int64_t last_log_time_ = 0;
    int highest_cpu_ = -1, cpus_named_ = 0;
    bool sorted_ = true, any_ = false;
};

} // namespace tlbscope
