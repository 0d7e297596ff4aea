// Strings to small numbers. Number 0 is the empty string. Keeps views: the bytes must outlive it,
// unless it is told to copy them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tlbscope {

std::uint64_t hash_bytes(std::string_view text);

class Interner {
public:
    enum class Bytes : std::uint8_t { view, copy };

    explicit Interner(Bytes bytes = Bytes::view);

    std::uint32_t intern(std::string_view text);
    // For bytes that do not outlive the interner; copies only what is new.
    std::uint32_t intern_copy(std::string_view text);
    std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
    std::string_view at(std::uint32_t id) const { return entries_[id].text; }
    void clear();

private:
    struct Entry {
        std::string_view text;
        std::uint64_t hash;
    };

    std::uint32_t intern(std::string_view text, bool copy);
    void grow();

    Bytes bytes_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_; // 0: free, else the number (the empty string has no slot)
    std::deque<std::string> copies_;
};

} // namespace tlbscope
