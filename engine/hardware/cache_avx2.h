// Cache::filter for sets of 8 and 16 ways with AVX2; the same results as without.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define TLBSCOPE_CACHE_AVX2 1
#else
#define TLBSCOPE_CACHE_AVX2 0
#endif

namespace tlbscope::avx2 {

#if TLBSCOPE_CACHE_AVX2
// Whether this processor can run the functions below; false until static initialization is over.
extern const bool available;
// As in move_to_front.h.
bool move_to_front_8(std::uint32_t* tags, std::uint32_t tag);
bool move_to_front_16(std::uint32_t* tags, std::uint32_t tag);
// Of sets of two levels: 0 the first had the tag, and the second is left alone; 1 the second; 2 neither.
unsigned move_to_front_8_8(std::uint32_t* first, std::uint32_t* second, std::uint32_t tag);
// `tags`: the cache's, as in Cache; the rest as in Cache::filter.
std::uint32_t filter_8(std::uint32_t* tags, std::uint32_t set_mask, const std::uint32_t* lines,
                       std::uint32_t count, std::uint32_t* missed);
std::uint32_t filter_16(std::uint32_t* tags, std::uint32_t set_mask, const std::uint32_t* lines,
                        std::uint32_t count, std::uint32_t* missed);
#else
inline constexpr bool available = false;
inline bool move_to_front_8(std::uint32_t*, std::uint32_t) {
    return false;
}
inline bool move_to_front_16(std::uint32_t*, std::uint32_t) {
    return false;
}
inline unsigned move_to_front_8_8(std::uint32_t*, std::uint32_t*, std::uint32_t) {
    return 2;
}
inline std::uint32_t filter_8(std::uint32_t*, std::uint32_t, const std::uint32_t*, std::uint32_t,
                              std::uint32_t*) {
    return 0;
}
inline std::uint32_t filter_16(std::uint32_t*, std::uint32_t, const std::uint32_t*, std::uint32_t,
                               std::uint32_t*) {
    return 0;
}
#endif

} // namespace tlbscope::avx2
