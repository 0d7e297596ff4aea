#include "engine/hardware/cache_level.h"

#include <algorithm>
#include <array>

namespace tlbscope {

CacheLevel::CacheLevel(const CacheSpec& spec) : ways_(spec.ways), aliased_(spec.alias_64k) {
    if (!ways_) return;
    const auto sets = static_cast<std::uint32_t>(spec.bytes / 64 / spec.ways);
    set_mask_ = sets - 1;
    tags_.assign(std::size_t{sets} * ways_, 0);
    if (aliased_) keys_.assign(tags_.size(), kNoKey);
    if (spec.replacement == Replacement::plru) {
        kind_ = ways_ == 4 ? Kind::tree_4 : ways_ == 8 ? Kind::tree_8 : Kind::tree;
        levels_ = static_cast<std::uint32_t>(std::bit_width(ways_) - 1);
        orders_.assign(sets, 0);
    } else if (aliased_) {
        kind_ = Kind::list_aliased;
    } else {
        kind_ = ways_ == 8 ? Kind::list_8 : ways_ == 16 ? Kind::list_16 : Kind::list;
    }
}

bool CacheLevel::access_any(std::uint32_t set, LineNumber tag, std::uint32_t linear) {
    LineNumber* const tags = tags_.data() + std::size_t{set} * ways_;
    switch (kind_) {
    case Kind::list_16:
        return avx2::available ? avx2::move_to_front_16(tags, tag) : move_to_front<16>(tags, tag);
    case Kind::list_aliased:
        return access_list_aliased(set, tag, linear);
    case Kind::tree: {
        const auto way = static_cast<std::uint32_t>(std::find(tags, tags + ways_, tag) - tags);
        if (way == ways_) {
            replace<0>(set, tag, linear);
            return false;
        }
        use<0>(set, way);
        return true;
    }
    default:
        return move_to_front(tags, ways_, tag);
    }
}

bool CacheLevel::access_list_aliased(std::uint32_t set, LineNumber tag, std::uint32_t linear) {
    const std::size_t first = std::size_t{set} * ways_;
    LineNumber* const tags = tags_.data() + first;
    std::uint16_t* const keys = keys_.data() + first;
    const auto found = static_cast<std::uint32_t>(std::find(tags, tags + ways_, tag) - tags);
    const bool hit = found < ways_;
    std::uint32_t at = found; // whose place the line in front of it takes
    if (!hit)
        for (at = 0; at + 1 < ways_ && keys[at] != key_of(linear);)
            ++at;
    const std::uint16_t key = hit ? keys[at] : key_of(linear);
    std::copy_backward(tags, tags + at, tags + at + 1);
    std::copy_backward(keys, keys + at, keys + at + 1);
    tags[0] = tag;
    keys[0] = key;
    return hit;
}

// By state of the tree, which has bits 1 … ways - 1.
template <int Ways>
constexpr auto kVictims = [] {
    std::array<std::uint8_t, 1 << Ways> victims{};
    for (unsigned order = 0; order < victims.size(); ++order)
        victims[order] =
            static_cast<std::uint8_t>(set_order::plru_victim(order, std::bit_width(unsigned{Ways}) - 1));
    return victims;
}();

template <int Ways>
void CacheLevel::replace(std::uint32_t set, LineNumber tag, std::uint32_t linear) {
    const std::uint32_t ways = Ways ? Ways : ways_;
    LineNumber* const tags = tags_.data() + std::size_t{set} * ways;
    std::uint32_t way = ways;
    if (aliased_) {
        const std::uint16_t* const keys = keys_.data() + std::size_t{set} * ways;
        way = static_cast<std::uint32_t>(std::find(keys, keys + ways, key_of(linear)) - keys);
    }
    if constexpr (Ways == 0) {
        if (way == ways) way = static_cast<std::uint32_t>(std::find(tags, tags + ways, 0u) - tags);
        if (way == ways) way = set_order::plru_victim(orders_[set], levels_);
    } else if (way == ways) {
        const unsigned empty = match<Ways>(tags, 0);
        way = empty ? static_cast<std::uint32_t>(std::countr_zero(empty)) / kBits<Ways>
                    : kVictims<Ways>[orders_[set]];
    }
    tags[way] = tag;
    if (aliased_) keys_[std::size_t{set} * ways + way] = key_of(linear);
    use<Ways>(set, way);
}
template void CacheLevel::replace<4>(std::uint32_t, LineNumber, std::uint32_t);
template void CacheLevel::replace<8>(std::uint32_t, LineNumber, std::uint32_t);

bool CacheLevel::holds(std::uint32_t set, LineNumber tag) const {
    const LineNumber* const tags = tags_.data() + std::size_t{set} * ways_;
    return std::find(tags, tags + ways_, tag) != tags + ways_;
}

bool CacheLevel::add(LineNumber line) {
    if (!ways_ || holds(line & set_mask_, line + 1)) return false;
    access(line, line);
    return true;
}

template <int Ways>
std::uint32_t CacheLevel::filter(LineNumber* tags, std::uint32_t set_mask, const LineNumber* lines,
                                 std::uint32_t count, LineNumber* missed) {
    std::uint32_t misses = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const LineNumber line = lines[i];
        const bool hit = move_to_front<Ways>(tags + std::size_t{line & set_mask} * Ways, line + 1);
        missed[misses] = line;
        misses += !hit;
    }
    return misses;
}

std::uint32_t CacheLevel::filter(const LineNumber* lines, std::uint32_t count, LineNumber* missed) {
    if (avx2::available) {
        if (kind_ == Kind::list_8) return avx2::filter_8(tags_.data(), set_mask_, lines, count, missed);
        if (kind_ == Kind::list_16) return avx2::filter_16(tags_.data(), set_mask_, lines, count, missed);
    }
    if (kind_ <= Kind::list_16) switch (ways_) {
        case 4:
            return filter<4>(tags_.data(), set_mask_, lines, count, missed);
        case 8:
            return filter<8>(tags_.data(), set_mask_, lines, count, missed);
        case 12:
            return filter<12>(tags_.data(), set_mask_, lines, count, missed);
        case 16:
            return filter<16>(tags_.data(), set_mask_, lines, count, missed);
        default:
            break;
        }
    std::uint32_t misses = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const LineNumber line = lines[i];
        const bool hit = access(line, line);
        missed[misses] = line;
        misses += !hit;
    }
    return misses;
}

} // namespace tlbscope
