// Lines of a piece of a source, as views into buffers that the piece keeps.
#pragma once

#include "engine/recording/piece.h"

namespace tlbscope {

// Longer lines are cut to kCutLine bytes and marked, so that no input makes memory grow.
inline constexpr std::size_t kLongestLine = 64 * 1024;
inline constexpr std::size_t kCutLine = 160;

class LineReader {
public:
    // Begins with the first line that starts at or after `from`. `expected` bytes are read at once.
    LineReader(const ByteSource& source, std::uint64_t from, std::uint64_t expected, Piece& piece);

    // False at the end of the source. `line` is without \n and \r.
    bool next(std::string_view& line);
    std::uint64_t offset() const { return line_offset_; } // of the line last returned
    bool terminated() const { return terminated_; }       // it ended in a newline
    bool cut() const { return cut_; }                     // it was longer than kLongestLine

private:
    bool refill();
    bool next_long(std::string_view& line);

    const ByteSource& source_;
    Piece& piece_;
    char* begin_ = nullptr; // of the window
    char* at_ = nullptr;
    char* end_ = nullptr;
    std::uint64_t window_offset_; // in the source, of begin_
    std::uint64_t line_offset_ = 0;
    bool terminated_ = true, cut_ = false, end_of_source_ = false;
};

} // namespace tlbscope
