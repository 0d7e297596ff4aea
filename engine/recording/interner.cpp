#include "engine/recording/interner.h"

#include <cstring>

namespace tlbscope {
namespace {

constexpr std::uint64_t kMultiply = 0x9e3779b97f4a7c15;

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * kMultiply;
    return h ^ (h >> 29);
}

} // namespace

std::uint64_t hash_bytes(std::string_view text) {
    std::uint64_t h = text.size() * kMultiply;
    const char* p = text.data();
    std::size_t n = text.size();
    for (; n >= 8; n -= 8, p += 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        h = mix(h, word);
    }
    std::uint64_t tail = 0;
    if (n & 4) {
        std::uint32_t word;
        std::memcpy(&word, p, 4);
        tail = word;
        p += 4;
    }
    for (std::size_t i = 0; i < (n & 3); ++i)
        tail = tail << 8 | static_cast<unsigned char>(p[i]);
    return mix(h, tail);
}

Interner::Interner(Bytes bytes) : bytes_(bytes), entries_{{{}, 0}}, slots_(64) {}

std::uint32_t Interner::intern(std::string_view text) {
    return intern(text, bytes_ == Bytes::copy);
}

std::uint32_t Interner::intern_copy(std::string_view text) {
    return intern(text, true);
}

std::uint32_t Interner::intern(std::string_view text, bool copy) {
    if (text.empty()) return 0;
    const std::uint64_t hash = hash_bytes(text);
    std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    for (; slots_[slot]; slot = (slot + 1) & mask) {
        const Entry& entry = entries_[slots_[slot]];
        if (entry.hash == hash && entry.text == text) return slots_[slot];
    }
    if (2 * entries_.size() >= slots_.size()) {
        grow();
        mask = slots_.size() - 1;
        for (slot = hash & mask; slots_[slot]; slot = (slot + 1) & mask) {
        }
    }
    const std::uint32_t id = size();
    slots_[slot] = id;
    if (copy) text = copies_.emplace_back(text);
    entries_.push_back({text, hash});
    return id;
}

void Interner::clear() {
    entries_.resize(1);
    slots_.assign(slots_.size(), 0);
    copies_.clear();
}

void Interner::grow() {
    slots_.assign(slots_.size() * 2, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t id = 1; id < size(); ++id) {
        std::size_t slot = entries_[id].hash & mask;
        while (slots_[slot])
            slot = (slot + 1) & mask;
        slots_[slot] = id;
    }
}

} // namespace tlbscope
