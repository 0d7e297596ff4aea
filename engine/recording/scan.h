// Small scanners over bytes. All take [p, end), never read end, and return where they stopped.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tlbscope::scan {

inline bool blank(char c) {
    return c == ' ' || c == '\t';
}
inline bool digit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}
inline bool letter(char c) {
    return static_cast<unsigned char>((c | 0x20) - 'a') < 26;
}
inline bool name_char(char c) {
    return digit(c) || letter(c) || c == '_' || c == '.';
}
inline char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

inline int hex_value(char c) {
    if (digit(c)) return c - '0';
    const char l = lower(c);
    return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

inline const char* blanks(const char* p, const char* end) {
    while (p < end && blank(*p))
        ++p;
    return p;
}

// Decimal digits; more than 19 of them stop at the 19th, so that `value` never overflows.
inline const char* decimal(const char* p, const char* end, std::uint64_t& value) {
    std::uint64_t v = 0;
    const char* const limit = end - p > 19 ? p + 19 : end;
    while (p < limit && digit(*p))
        v = v * 10 + static_cast<std::uint64_t>(*p++ - '0');
    value = v;
    return p;
}

// Hexadecimal digits without 0x, at most 16.
inline const char* hexadecimal(const char* p, const char* end, std::uint64_t& value) {
    std::uint64_t v = 0;
    const char* const limit = end - p > 16 ? p + 16 : end;
    for (int d = 0; p < limit && (d = hex_value(*p)) >= 0; ++p)
        v = v << 4 | static_cast<unsigned>(d);
    value = v;
    return p;
}

// -12, 12 or 0x1f as the kernel prints fields; 64-bit hexadecimal wraps (0xffffffffffffffff is -1).
// Returns p when there is no number.
inline const char* number(const char* p, const char* end, std::int64_t& value) {
    std::uint64_t v = 0;
    if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
        const char* q = hexadecimal(p + 2, end, v);
        if (q == p + 2) return p;
        value = static_cast<std::int64_t>(v);
        return q;
    }
    const bool minus = p < end && *p == '-';
    const char* const first = p + minus;
    const char* q = decimal(first, end, v);
    if (q == first) return p;
    value = static_cast<std::int64_t>(minus ? 0 - v : v);
    return q;
}

inline bool number(std::string_view text, std::int64_t& value) {
    return number(text.data(), text.data() + text.size(), value) != text.data();
}

// What follows `key` and '=' or ':' up to the next blank or comma ("a, b" and "a b" both occur).
// A blank after the colon is skipped ("addr: 0x1000"). False when the key is not there.
inline bool field(std::string_view payload, std::string_view key, std::string_view& value) {
    for (std::size_t at = payload.find(key); at != std::string_view::npos; at = payload.find(key, at + 1)) {
        std::size_t i = at + key.size();
        const bool begins = at == 0 || blank(payload[at - 1]) || payload[at - 1] == ',';
        if (!begins || i >= payload.size() || (payload[i] != '=' && payload[i] != ':')) continue;
        const bool colon = payload[i++] == ':';
        while (colon && i < payload.size() && blank(payload[i]))
            ++i;
        std::size_t to = i;
        while (to < payload.size() && !blank(payload[to]) && payload[to] != ',')
            ++to;
        value = payload.substr(i, to - i);
        return true;
    }
    return false;
}

inline bool field(std::string_view payload, std::string_view key, std::int64_t& value) {
    std::string_view text;
    return field(payload, key, text) && number(text, value);
}

} // namespace tlbscope::scan
