#include "engine/recording/log_builder.h"

#include "engine/recording/cpu_mask.h"

#include <algorithm>

namespace tlbscope {
namespace {

constexpr std::size_t kExamples = 10;

void add_counts(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from,
                const std::vector<std::uint32_t>& map) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] == 0) continue;
        const std::uint32_t id = map[i];
        if (id >= to.size()) to.resize(id + 1);
        to[id] += from[i];
    }
}

} // namespace

NamesOfKind names_of_kind(EventKind kind) {
    using Arg = NamesOfKind::Arg;
    switch (kind) {
    case EventKind::ipi_send_cpu:
        return {true, Arg::string};
    case EventKind::ipi_send_cpumask:
    case EventKind::ipi_raise:
        return {true, Arg::mask};
    case EventKind::marker:
        return {false, Arg::text};
    case EventKind::csd_queue_cpu:
    case EventKind::csd_function_entry:
    case EventKind::csd_function_exit:
    case EventKind::ipi_entry:
    case EventKind::ipi_exit:
    case EventKind::irq_vector_entry:
    case EventKind::irq_vector_exit:
    case EventKind::sched_switch:
    case EventKind::sys_enter:
    case EventKind::sys_exit:
    case EventKind::pv_flush:
    case EventKind::other:
        return {true, Arg::number};
    default:
        return {};
    }
}

LogBuilder::LogBuilder(const Sniffed& format) : format_(format) {
    report_.format = format.importer->format;
    report_.unit = format.unit;
    report_.lanes_are_threads = !format.cpu_column;
}

void LogBuilder::append(Piece& piece) {
    add_names(piece);
    add_report(piece);
    add_tasks(piece);
    add_events(piece);
}

void LogBuilder::add_names(const Piece& piece) {
    const Interner& strings = piece.tables.strings;
    string_map_.resize(strings.size());
    for (std::uint32_t i = 0; i < strings.size(); ++i)
        string_map_[i] = strings_.intern(strings.at(i));

    mask_map_.assign(1, 0);
    for (std::size_t i = 1; i < piece.tables.masks.size(); ++i) {
        const auto& mask = piece.tables.masks[i];
        if (mask.empty()) {
            mask_map_.push_back(0);
            continue;
        }
        const auto [at, fresh] =
            mask_numbers_.try_emplace(cpu_list(mask), static_cast<std::uint32_t>(masks_.size()));
        if (fresh) masks_.push_back(mask);
        mask_map_.push_back(at->second);
    }
    add_counts(unknown_, piece.unknown, string_map_);
    add_counts(undecoded_, piece.undecoded, string_map_);
}

void LogBuilder::add_report(const Piece& piece) {
    const ImportReport& from = piece.report;
    for (const UnparsedLine& example : from.examples)
        if (report_.examples.size() < kExamples)
            report_.examples.push_back({report_.lines + example.line, example.text});
    report_.lines += from.lines;
    report_.parsed += from.parsed;
    report_.lost_lines += from.lost_lines;
    report_.headers += from.headers;
    report_.blank += from.blank;
    report_.stack += from.stack;
    report_.continuation += from.continuation;
    report_.ignored += from.ignored;
    report_.unparsed += from.unparsed;
    report_.lost_events += from.lost_events;
    report_.losses_of_unknown_size += from.losses_of_unknown_size;
    report_.markers += from.markers;
    report_.backward_steps += from.backward_steps;
    report_.largest_backward_step = std::max(report_.largest_backward_step, from.largest_backward_step);
    report_.unterminated |= from.unterminated;
    if (piece.entries_written > piece.entries_in_buffer)
        report_.overwritten += piece.entries_written - piece.entries_in_buffer;
    cpus_named_ = std::max(cpus_named_, piece.cpus_named);
    if (piece.events.empty()) return;
    if (any_ && piece.first_time < last_time_) {
        ++report_.backward_steps;
        report_.largest_backward_step =
            std::max(report_.largest_backward_step, last_time_ - piece.first_time);
    }
    last_time_ = piece.last_time;
    any_ = true;
}

void LogBuilder::add_tasks(const Piece& piece) {
    for (const TaskTable::Entry& entry : piece.tasks.slots()) {
        if (!entry.used) continue;
        Task& task = tasks_[entry.task];
        if (!entry.head_comm.empty()) task.head_comm = entry.head_comm;
        if (!entry.switch_comm.empty()) task.switch_comm = entry.switch_comm;
        if (entry.group != 0xffffffff) task.group = entry.group;
    }
}

CpuId LogBuilder::lane_of(std::uint32_t task) {
    const auto next = static_cast<CpuId>(std::min<std::size_t>(lanes_.size(), kNoCpu - 1));
    return lanes_.try_emplace(task, next).first->second;
}

void LogBuilder::add_events(const Piece& piece) {
    const auto text_base = static_cast<std::int64_t>(texts_.size()) - 1;
    texts_.insert(texts_.end(), piece.tables.texts.begin() + 1, piece.tables.texts.end());
    EventLog::Block* block = blocks_.empty() ? nullptr : blocks_.back().get();
    const bool timed = format_.unit != TimeUnit::none;
    for (Event event : piece.events) {
        const NamesOfKind names = names_of_kind(event.kind);
        if (names.id_is_string) event.id = string_map_[event.id];
        switch (names.arg) {
        case NamesOfKind::Arg::number:
            break;
        case NamesOfKind::Arg::string:
            event.arg = string_map_[static_cast<std::size_t>(event.arg)];
            break;
        case NamesOfKind::Arg::text:
            event.arg += text_base;
            break;
        case NamesOfKind::Arg::mask:
            event.arg = mask_map_[static_cast<std::size_t>(event.arg)];
            break;
        }
        if (!format_.cpu_column && event.cpu == kNoCpu) event.cpu = lane_of(event.task);
        if (!timed) event.time = static_cast<std::int64_t>(events_);
        if (event.cpu != kNoCpu) highest_cpu_ = std::max<int>(highest_cpu_, event.cpu);
        sorted_ &= event.time >= last_log_time_ || events_ == 0;
        last_log_time_ = event.time;
        if (!block || block->size() == EventLog::kBlock) {
            block = blocks_.emplace_back(std::make_shared<EventLog::Block>()).get();
            block->reserve(EventLog::kBlock);
        }
        block->push_back(event);
        ++events_;
    }
}

void LogBuilder::sort_blocks() {
    std::vector<Event> all;
    all.reserve(events_);
    for (const auto& block : blocks_)
        all.insert(all.end(), block->begin(), block->end());
    std::stable_sort(all.begin(), all.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    auto from = all.cbegin();
    for (const auto& block : blocks_) {
        const auto n = static_cast<std::ptrdiff_t>(block->size());
        std::copy(from, from + n, block->begin());
        from += n;
    }
}

std::string LogBuilder::guess_clock() const {
    switch (format_.unit) {
    case TimeUnit::none:
        return "no time in the file: only the order of events is known";
    case TimeUnit::latency_us:
        return "microseconds since the start of the recording (latency format)";
    case TimeUnit::seconds:
        return "seconds, kept as nanoseconds";
    case TimeUnit::ticks:
        break;
    }
    if (format_.importer->format == RecordingFormat::trace_cmd_report)
        return "raw time stamps (--raw-ts), taken as nanoseconds";
    std::uint64_t same = 0, one = 0, steps = 0;
    const Event* before = nullptr;
    for (const auto& block : blocks_)
        for (const Event& event : *block) {
            if (event.kind == EventKind::lost) continue;
            if (before && steps < 4096) {
                ++steps;
                same += event.time == before->time;
                one += event.time == before->time + 1;
            }
            before = &event;
        }
    if (steps > 0 && 10 * one >= 9 * steps) return "counter: one tick an event, no time";
    if (steps > 0 && 2 * (same + one) >= steps) return "uptime: jiffies, of unknown length";
    return "x86-tsc: cycles of unknown length";
}

void LogBuilder::finish(EventLog& log, ImportReport& report, int& cpus) {
    if (!sorted_) sort_blocks();

    auto names = std::make_shared<Names>();
    names->strings.reserve(strings_.size());
    for (std::uint32_t i = 1; i < strings_.size(); ++i)
        names->strings.emplace_back(strings_.at(i));
    names->texts = std::move(texts_);
    names->masks = std::move(masks_);
    for (auto& [number, task] : tasks_) {
        // The latency format cuts a comm to 8 bytes; sched_switch has all of it.
        const bool cut = task.head_comm.size() == 8 && task.switch_comm.starts_with(task.head_comm);
        std::string& comm = task.head_comm.empty() || cut ? task.switch_comm : task.head_comm;
        if (!comm.empty()) names->tasks.emplace_back(number, std::move(comm));
        if (task.group != 0xffffffff) names->groups.emplace_back(number, task.group);
    }
    std::sort(names->tasks.begin(), names->tasks.end());
    std::sort(names->groups.begin(), names->groups.end());

    for (std::size_t id = 0; id < unknown_.size(); ++id)
        if (unknown_[id]) report_.unknown[names->strings[id]] = unknown_[id];
    for (std::size_t id = 0; id < undecoded_.size(); ++id)
        if (undecoded_[id]) report_.undecoded[names->strings[id]] = undecoded_[id];
    report_.clock = guess_clock();
    report = std::move(report_);

    double ticks_per_second = 1e9;
    if (format_.unit == TimeUnit::none) ticks_per_second = 0;
    if (format_.unit == TimeUnit::ticks && format_.importer->format != RecordingFormat::trace_cmd_report)
        ticks_per_second = 0;
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    if (!blocks_.empty()) blocks_.back()->shrink_to_fit();
    blocks.assign(blocks_.begin(), blocks_.end());
    blocks_.clear();
    cpus = std::max(highest_cpu_ + 1, format_.cpu_column ? cpus_named_ : 0);
    log = EventLog(std::move(blocks), 0, ticks_per_second, std::move(names));
}

} // namespace tlbscope
