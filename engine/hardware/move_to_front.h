// One set of a cache with true LRU: its tags in the order of their last use, most recent first.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tlbscope {

// Moves `tag` to the front of tags[0 … ways), over the last tag where it was absent. True when it was
// there.
inline bool move_to_front(std::uint32_t* tags, std::uint32_t ways, std::uint32_t tag) {
    std::uint32_t moving = tag;
    for (std::uint32_t w = 0; w < ways; ++w) {
        const std::uint32_t here = tags[w];
        tags[w] = moving;
        if (here == tag) return true;
        moving = here;
    }
    return false;
}

// The same for a number of ways known beforehand, 4, 8, 12 or 16, without a branch: nobody could
// predict them, and a miss does what a hit in the last way does.
template <int Ways>
inline bool move_to_front(std::uint32_t* tags, std::uint32_t tag) {
#ifdef __SSE2__
    constexpr int kParts = Ways / 4;
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    __m128i part[kParts],
        equal[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (int i = 0; i < kParts; ++i) {
        part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags + 4 * i));
        equal[i] = _mm_cmpeq_epi32(part[i], wanted);
    }
    unsigned hits, position;
    if constexpr (Ways == 4) {
        hits = static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(equal[0])));
        position = static_cast<unsigned>(std::countr_zero(hits | 8));
    } else if constexpr (Ways == 8) { // two bits a way
        hits = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi32(equal[0], equal[1])));
        position = static_cast<unsigned>(std::countr_zero(hits | 1 << 14)) / 2;
    } else {
        hits = static_cast<unsigned>(_mm_movemask_epi8(
            _mm_packs_epi16(_mm_packs_epi32(equal[0], equal[1]), _mm_packs_epi32(equal[2], equal[3]))));
        position = static_cast<unsigned>(std::countr_zero(hits | 1 << (Ways - 1)));
    }
    // Ones in the ways 0 … position, which take their neighbour's tag.
    static constexpr struct {
        std::uint32_t word[32] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                  ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    } kMask;
    const std::uint32_t* const mask = kMask.word + 15 - position;
    __m128i carried = _mm_cvtsi32_si128(static_cast<int>(tag));
    for (int i = 0; i < kParts; ++i) {
        const __m128i shifted = _mm_or_si128(_mm_slli_si128(part[i], 4), carried);
        carried = _mm_srli_si128(part[i], 12);
        const __m128i moves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + 4 * i));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(tags + 4 * i),
                         _mm_or_si128(_mm_and_si128(moves, shifted), _mm_andnot_si128(moves, part[i])));
    }
    return hits != 0;
#else
    return move_to_front(tags, Ways, tag);
#endif
}

} // namespace tlbscope
