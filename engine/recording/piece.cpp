#include "engine/recording/piece.h"

#include "engine/recording/line_reader.h"
#include "engine/recording/loose_line.h"
#include "engine/recording/scan.h"

#include <algorithm>

namespace tlbscope {
namespace {

constexpr std::size_t kExamples = 10;
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kCutComm = 8; // latency format, report -l

void count(std::vector<std::uint64_t>& counts, std::uint32_t id) {
    if (id >= counts.size()) counts.resize(id + 1);
    ++counts[id];
}

class PieceParser {
public:
    PieceParser(const Sniffed& format, Piece& piece)
        : format_(format), piece_(piece), report_(piece.report),
          perf_(format.importer->format == RecordingFormat::perf_script) {}

    void parse(const ByteSource& source, std::uint64_t from, std::uint64_t to) {
        LineReader reader(source, from, to - from, piece_);
        std::string_view line;
        bool started = from == 0;
        while (reader.next(line)) {
            if (line.ends_with("\\n\\")) line.remove_suffix(3); // systrace inside a JavaScript string
            LineHead head;
            const bool is_event = !reader.cut() && read_head(line, head);
            if (!started && !is_event) continue;
            if (is_event && reader.offset() >= to) {
                if (started) flush_losses(head.time);
                return;
            }
            started = true;
            ++report_.lines;
            if (is_event)
                take_event(head, line);
            else
                take_loose(line);
            if (!reader.terminated()) {
                report_.unterminated = true;
                // A line that was cut short may have lost the half of a number: not an event.
                if (is_event && undecoded_ && !piece_.events.empty()) drop_last(line);
            }
        }
        flush_losses(piece_.last_time);
    }

private:
    bool read_head(std::string_view line, LineHead& head) const {
        if (!format_.read_head(line, head) || head.unit != format_.unit) return false;
        if (!format_.cpu_column) head.cpu = kNoCpu;
        return !format_.cpu_column || head.cpu != kNoCpu;
    }

    void take_event(const LineHead& head, std::string_view line) {
        undecoded_ = false;
        if (head.shape == LineShape::stack) {
            ++report_.stack;
            in_marker_ = false;
            return;
        }
        if (perf_ && head.event.starts_with("PERF_RECORD_")) return take_record(head);
        flush_losses(head.time);
        Event event{.time = head.time, .task = head.task, .cpu = head.cpu};
        const Decoded decoded = decode(head, event, piece_.tables);
        if (decoded == Decoded::refused) return unparsed(line);
        if (decoded == Decoded::unknown) count(piece_.unknown, event.id);
        if (decoded == Decoded::undecoded) count(piece_.undecoded, event.id);
        undecoded_ = decoded == Decoded::undecoded;
        if (event.task != kNoTask) piece_.tasks.head(event.task, head.group, head.comm);
        if (event.kind == EventKind::sched_switch) {
            piece_.tasks.switched(event.aux, piece_.tables.strings.at(event.id));
            if (head.comm.size() == kCutComm && event.task != kNoTask)
                piece_.tasks.switched(event.task, previous_comm(head.payload));
        }
        in_marker_ = event.kind == EventKind::marker;
        report_.markers += in_marker_;
        ++report_.parsed;
        step_to(head.time);
        piece_.events.push_back(event);
    }

    // Backward steps are counted between the lines as they stand in the file.
    void step_to(std::int64_t time) {
        if (piece_.events.empty()) {
            piece_.first_time = time;
        } else if (time < piece_.last_time) {
            ++report_.backward_steps;
            report_.largest_backward_step = std::max(report_.largest_backward_step, piece_.last_time - time);
        }
        piece_.last_time = time;
    }

    void take_record(const LineHead& head) {
        in_marker_ = false;
        if (head.event != "PERF_RECORD_LOST") {
            ++report_.ignored;
            return;
        }
        std::int64_t n = -1;
        std::string_view text = head.payload;
        if (text.starts_with("lost ")) text.remove_prefix(5);
        if (!scan::number(text, n)) n = -1;
        lose(head.cpu, n);
        if (head.time > 0) flush_losses(head.time);
    }

    void take_loose(std::string_view line) {
        const LooseLine loose = read_loose_line(line, perf_);
        switch (loose.kind) {
        case LooseLine::Kind::blank:
            ++report_.blank;
            break;
        case LooseLine::Kind::stack:
            ++report_.stack;
            break;
        case LooseLine::Kind::header:
            ++report_.headers;
            piece_.cpus_named = std::max(piece_.cpus_named, loose.cpus);
            if (loose.entries_written) {
                piece_.entries_in_buffer = loose.entries_in_buffer;
                piece_.entries_written = loose.entries_written;
            }
            break;
        case LooseLine::Kind::lost:
            lose(loose.cpu, loose.count);
            break;
        case LooseLine::Kind::other:
            if (in_marker_)
                continue_marker(line);
            else
                unparsed(line);
            return;
        }
        if (loose.kind != LooseLine::Kind::blank) in_marker_ = false;
    }

    void continue_marker(std::string_view line) {
        ++report_.continuation;
        std::string& text = piece_.tables.texts.back();
        if (text.size() + 1 + line.size() > kLongestText) return;
        text += '\n';
        text += line;
    }

    void lose(CpuId cpu, std::int64_t n) {
        ++report_.lost_lines;
        if (n < 0)
            ++report_.losses_of_unknown_size;
        else
            report_.lost_events += static_cast<std::uint64_t>(n);
        losses_.push_back({.arg = n, .task = kNoTask, .cpu = cpu, .kind = EventKind::lost});
    }

    // A loss has no time of its own: it lies before the next event of the file.
    void flush_losses(std::int64_t time) {
        for (Event& loss : losses_) {
            loss.time = time;
            if (piece_.events.empty()) piece_.first_time = piece_.last_time = time;
            piece_.events.push_back(loss);
        }
        losses_.clear();
    }

    void unparsed(std::string_view line) {
        ++report_.unparsed;
        in_marker_ = false;
        if (report_.examples.size() < kExamples)
            report_.examples.push_back({report_.lines, std::string(line.substr(0, kCutLine))});
    }

    void drop_last(std::string_view line) {
        --piece_.undecoded[piece_.events.back().id];
        piece_.events.pop_back();
        --report_.parsed;
        unparsed(line);
    }

    const Sniffed& format_;
    Piece& piece_;
    ImportReport& report_;
    const bool perf_;
    bool in_marker_ = false, undecoded_ = false;
    std::vector<Event> losses_;
};

} // namespace

char* Piece::buffer(std::size_t capacity) {
    if (buffers_used == buffers.size()) buffers.emplace_back();
    Buffer& b = buffers[buffers_used++];
    if (b.capacity < capacity) {
        b.bytes = std::make_unique_for_overwrite<char[]>(capacity);
        b.capacity = capacity;
    }
    return b.bytes.get();
}

void Piece::clear() {
    events.clear();
    tables.clear();
    tasks.clear();
    report = {};
    unknown.clear();
    undecoded.clear();
    cpus_named = 0;
    entries_in_buffer = entries_written = 0;
    first_time = last_time = 0;
    buffers_used = 0;
    if (buffers.size() > 4) buffers.resize(4);
}

void parse_piece(const ByteSource& source, std::uint64_t from, std::uint64_t to, const Sniffed& format,
                 Piece& piece) {
    piece.tables.mask_lists = format.importer->mask_lists;
    PieceParser(format, piece).parse(source, from, to);
}

} // namespace tlbscope
