#include "engine/recording/line_reader.h"

#include <cstring>

namespace tlbscope {
namespace {

constexpr std::size_t kReadAhead = 64 * 1024;

char* find_newline(char* from, const char* end) {
    return static_cast<char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
}

} // namespace

LineReader::LineReader(const ByteSource& source, std::uint64_t from, std::uint64_t expected, Piece& piece)
    : source_(source), piece_(piece), window_offset_(from > 0 ? from - 1 : 0) {
    const std::size_t want = static_cast<std::size_t>(expected) + kReadAhead;
    begin_ = at_ = piece_.buffer(want);
    const std::size_t got = source_.read(window_offset_, begin_, want);
    end_ = begin_ + got;
    end_of_source_ = got < want;
    if (from == 0) return;
    std::string_view rest; // the line that began before
    next(rest);
}

bool LineReader::refill() {
    if (end_of_source_) return false;
    const std::size_t kept = static_cast<std::size_t>(end_ - at_);
    const std::uint64_t offset = window_offset_ + static_cast<std::uint64_t>(end_ - begin_);
    char* const fresh = piece_.buffer(kept + 4 * kReadAhead);
    std::memcpy(fresh, at_, kept);
    const std::size_t got = source_.read(offset, fresh + kept, 4 * kReadAhead);
    end_of_source_ = got < 4 * kReadAhead;
    window_offset_ = offset - kept;
    begin_ = at_ = fresh;
    end_ = fresh + kept + got;
    return got > 0;
}

bool LineReader::next(std::string_view& line) {
    cut_ = false;
    char* newline = find_newline(at_, end_);
    while (!newline) {
        const std::size_t scanned = static_cast<std::size_t>(end_ - at_);
        if (scanned > kLongestLine) return next_long(line);
        if (!refill()) {
            if (at_ == end_) return false;
            newline = end_; // the last line, not terminated
            break;
        }
        newline = find_newline(at_ + scanned, end_);
    }
    line_offset_ = window_offset_ + static_cast<std::uint64_t>(at_ - begin_);
    terminated_ = newline != end_;
    line = {at_, static_cast<std::size_t>(newline - at_)};
    at_ = newline + (terminated_ ? 1 : 0);
    while (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    if (line.size() > kLongestLine) {
        line = line.substr(0, kCutLine);
        cut_ = true;
    }
    return true;
}

// Keeps the beginning and reads on to the newline without keeping more.
bool LineReader::next_long(std::string_view& line) {
    line_offset_ = window_offset_ + static_cast<std::uint64_t>(at_ - begin_);
    line = {at_, kCutLine};
    cut_ = true;
    std::uint64_t offset = window_offset_ + static_cast<std::uint64_t>(end_ - begin_);
    char* const fresh = piece_.buffer(4 * kReadAhead);
    for (;;) {
        const std::size_t got = source_.read(offset, fresh, 4 * kReadAhead);
        window_offset_ = offset;
        begin_ = at_ = fresh;
        end_ = fresh + got;
        end_of_source_ = got < 4 * kReadAhead;
        char* const newline = find_newline(at_, end_);
        terminated_ = newline != nullptr;
        if (newline) {
            at_ = newline + 1;
            return true;
        }
        at_ = end_;
        if (end_of_source_) return true;
        offset += got;
    }
}

} // namespace tlbscope
