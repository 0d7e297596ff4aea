#include "engine/recording/cpu_mask.h"

#include "engine/recording/scan.h"

#include <algorithm>

namespace tlbscope {
namespace {

using namespace scan;

void add_bits(std::uint64_t bits, std::uint64_t first, std::vector<CpuId>& cpus) {
    for (; bits; bits &= bits - 1) {
        const std::uint64_t cpu = first + static_cast<std::uint64_t>(__builtin_ctzll(bits));
        if (cpu < kNoCpu) cpus.push_back(static_cast<CpuId>(cpu));
    }
}

bool read_array(std::string_view text, std::vector<CpuId>& cpus) {
    const char* p = text.data() + 6;
    const char* const end = text.data() + text.size();
    for (std::uint64_t first = 0; p < end && *p != ']'; first += 8) {
        std::uint64_t byte = 0;
        const char* q = hexadecimal(p, end, byte);
        if (q == p || byte > 255) return false;
        add_bits(byte, first, cpus);
        p = blanks(q, end);
        if (p < end && *p == ',') p = blanks(p + 1, end);
    }
    return true;
}

bool read_list(std::string_view text, std::vector<CpuId>& cpus) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p < end) {
        std::uint64_t from = 0, to = 0;
        const char* q = decimal(p, end, from);
        if (q == p) return false;
        to = from;
        if (q < end && *q == '-') {
            p = q + 1;
            q = decimal(p, end, to);
            if (q == p) return false;
        }
        to = std::min<std::uint64_t>(to, kNoCpu - 1);
        for (std::uint64_t cpu = from; cpu <= to; ++cpu)
            cpus.push_back(static_cast<CpuId>(cpu));
        if (q < end && *q != ',') return false;
        p = q + 1;
    }
    return true;
}

bool read_groups(std::string_view text, std::vector<CpuId>& cpus) {
    std::uint64_t first = 0; // groups are printed highest first
    while (!text.empty()) {
        const std::size_t comma = text.rfind(',');
        const std::string_view group = comma == std::string_view::npos ? text : text.substr(comma + 1);
        std::uint64_t bits = 0;
        if (group.empty() ||
            hexadecimal(group.data(), group.data() + group.size(), bits) != group.data() + group.size())
            return false;
        add_bits(bits, first, cpus);
        first += group.size() > 8 ? 64 : 32;
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(0, comma);
    }
    return true;
}

// Groups after the first have eight digits; lists know no letters and no leading zeros.
bool looks_like_groups(std::string_view text, bool lists) {
    const std::size_t comma = text.find(',');
    for (std::string_view rest = comma == std::string_view::npos ? "" : text.substr(comma + 1);
         !rest.empty();) {
        const std::size_t next = rest.find(',');
        if (rest.substr(0, next).size() != 8) return false;
        rest = next == std::string_view::npos ? std::string_view{} : rest.substr(next + 1);
    }
    const std::string_view front = text.substr(0, comma);
    if (front.find('-') != std::string_view::npos) return false;
    const bool letters = front.find_first_of("abcdefABCDEF") != std::string_view::npos;
    const bool zeros = front.size() > 1 && front.front() == '0';
    return comma != std::string_view::npos || letters || zeros || !lists;
}

} // namespace

bool read_cpu_mask(std::string_view text, bool lists, std::vector<CpuId>& cpus) {
    cpus.clear();
    if (text.empty()) return true;
    bool good = false;
    if (text.starts_with("ARRAY["))
        good = read_array(text, cpus);
    else if (text.starts_with("0x"))
        good = read_groups(text.substr(2), cpus);
    else
        good = looks_like_groups(text, lists) ? read_groups(text, cpus) : read_list(text, cpus);
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return good;
}

std::string cpu_list(const std::vector<CpuId>& cpus) {
    std::string out;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t j = i;
        while (j + 1 < cpus.size() && cpus[j + 1] == cpus[j] + 1)
            ++j;
        if (!out.empty()) out += ',';
        out += std::to_string(cpus[i]);
        if (j > i) out += '-' + std::to_string(cpus[j]);
        i = j + 1;
    }
    return out;
}

} // namespace tlbscope
