// Cache sets of 8 and 16 ways with AVX2: the same as move_to_front.h in half the instructions. Compiled
// for these functions alone and used where the processor this runs on has it.
#include "engine/hardware/cache_avx2.h"

#if TLBSCOPE_CACHE_AVX2

#include <bit>
#include <cstddef>
#include <immintrin.h>

#define TLBSCOPE_AVX2 __attribute__((target("avx2,bmi"))) inline

namespace tlbscope::avx2 {

namespace {

// Lanes for a hit in way p: the ways before it move one up; lane 0 is replaced afterwards.
struct Moves {
    alignas(32) std::uint32_t lane[8][8];
};
constexpr Moves kMoves = [] {
    Moves moves{};
    for (std::uint32_t p = 0; p < 8; ++p)
        for (std::uint32_t i = 0; i < 8; ++i)
            moves.lane[p][i] = i == 0 || i > p ? i : i - 1;
    return moves;
}();
// Ones in the ways 0 … p: load from word + 15 - p.
alignas(32) constexpr std::uint32_t kUpTo[32] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                                 ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

TLBSCOPE_AVX2 __m256i load(const std::uint32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
TLBSCOPE_AVX2 void store(std::uint32_t* to, __m256i what) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), what);
}
TLBSCOPE_AVX2 unsigned equal(__m256i a, __m256i b) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b))));
}

TLBSCOPE_AVX2 bool front_8(std::uint32_t* tags, std::uint32_t tag) {
    const __m256i wanted = _mm256_set1_epi32(static_cast<int>(tag));
    const __m256i set = load(tags);
    const unsigned hits = equal(set, wanted);
    const __m256i moves = load(kMoves.lane[std::countr_zero(hits | 0x80)]);
    store(tags, _mm256_blend_epi32(_mm256_permutevar8x32_epi32(set, moves), wanted, 1));
    return hits != 0;
}

TLBSCOPE_AVX2 bool front_16(std::uint32_t* tags, std::uint32_t tag) {
    const __m256i wanted = _mm256_set1_epi32(static_cast<int>(tag));
    const __m256i low = load(tags), high = load(tags + 8);
    const unsigned hits = equal(low, wanted) | equal(high, wanted) << 8;
    const std::uint32_t* const mask = kUpTo + 15 - std::countr_zero(hits | 0x8000);
    const __m256i up = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    const __m256i low_up = _mm256_permutevar8x32_epi32(low, up);
    const __m256i high_up = _mm256_permutevar8x32_epi32(high, up);
    store(tags, _mm256_blendv_epi8(low, _mm256_blend_epi32(low_up, wanted, 1), load(mask)));
    store(tags + 8, _mm256_blendv_epi8(high, _mm256_blend_epi32(high_up, low_up, 1), load(mask + 8)));
    return hits != 0;
}

} // namespace

__attribute__((target("avx2,bmi"))) std::uint32_t filter_8(std::uint32_t* tags, std::uint32_t set_mask,
                                                           const std::uint32_t* lines, std::uint32_t count,
                                                           std::uint32_t* missed) {
    std::uint32_t misses = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t line = lines[i];
        missed[misses] = line;
        misses += !front_8(tags + std::size_t{line & set_mask} * 8, line + 1);
    }
    return misses;
}

__attribute__((target("avx2,bmi"))) std::uint32_t filter_16(std::uint32_t* tags, std::uint32_t set_mask,
                                                            const std::uint32_t* lines, std::uint32_t count,
                                                            std::uint32_t* missed) {
    std::uint32_t misses = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t line = lines[i];
        missed[misses] = line;
        misses += !front_16(tags + std::size_t{line & set_mask} * 16, line + 1);
    }
    return misses;
}

__attribute__((target("avx2,bmi"))) bool move_to_front_8(std::uint32_t* tags, std::uint32_t tag) {
    return front_8(tags, tag);
}
__attribute__((target("avx2,bmi"))) bool move_to_front_16(std::uint32_t* tags, std::uint32_t tag) {
    return front_16(tags, tag);
}
__attribute__((target("avx2,bmi"))) unsigned move_to_front_8_8(std::uint32_t* first, std::uint32_t* second,
                                                               std::uint32_t tag) {
    if (front_8(first, tag)) return 0;
    return front_8(second, tag) ? 1 : 2;
}

const bool available = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");

} // namespace tlbscope::avx2

#endif
