// One cache of a core or socket: the tags of its lines, and which of them is replaced next.
#pragma once

#include "engine/core/types.h"
#include "engine/hardware/cache_avx2.h"
#include "engine/hardware/move_to_front.h"
#include "engine/hardware/processor.h"
#include "engine/hardware/set_order.h"

#include <bit>
#include <cstdint>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tlbscope {

// Physical address divided by 64, below 0xffffffff; covers 256 GiB.
using LineNumber = std::uint32_t;

// True LRU keeps the tags of a set in the order of their use; PLRU leaves a line in its way and keeps a
// tree beside the set. With alias_64k every line also has a key, the bits 15:6 of the linear address
// that loaded it: no two lines of a set have the same.
class CacheLevel {
public:
    CacheLevel() = default;
    // `spec` as the loader of processors accepts it.
    explicit CacheLevel(const CacheSpec& spec);

    bool exists() const { return ways_ != 0; }
    // Four ways and a tree: hit_quick may be called.
    bool is_quick() const { return kind_ == Kind::tree_4; }
    // access() where the line is there; false, and nothing else, where it is not.
    bool hit_quick(LineNumber line) { return hit_tree<4>(line & set_mask_, line + 1); }
    // access() where it is not.
    void load_quick(LineNumber line, std::uint32_t linear) { replace<4>(line & set_mask_, line + 1, linear); }
    std::uint32_t set_mask() const { return set_mask_; }

    // True when the line was there; afterwards it is there and most recent. A cache that does not
    // exist never has it. `linear`: the linear address divided by 64; its low ten bits count, and only
    // where lines are aliased.
    bool access(LineNumber line, std::uint32_t linear) {
        const std::uint32_t set = line & set_mask_;
        if (kind_ == Kind::list_8) // 0 is empty
            return avx2::available ? avx2::move_to_front_8(tags_.data() + std::size_t{set} * 8, line + 1)
                                   : move_to_front<8>(tags_.data() + std::size_t{set} * 8, line + 1);
        if (kind_ == Kind::tree_4) return access_tree<4>(set, line + 1, linear);
        if (kind_ == Kind::tree_8) return access_tree<8>(set, line + 1, linear);
        return access_any(set, line + 1, linear);
    }

    // Eight ways and true LRU, on a processor with AVX2: set_8() is what avx2 moves in.
    bool is_list_8() const { return kind_ == Kind::list_8 && avx2::available; }
    LineNumber* set_8(LineNumber line) { return tags_.data() + std::size_t{line & set_mask_} * 8; }

    // Loads the line where it is absent; leaves it as it is where it is present. True when it was
    // absent.
    bool add(LineNumber line);

    // Accesses `count` lines in turn and writes those that were absent, in their order, to `missed`,
    // which may be `lines` itself. Returns how many. Their linear address is the physical one.
    std::uint32_t filter(const LineNumber* lines, std::uint32_t count, LineNumber* missed);

private:
    enum class Kind : std::uint8_t {
        list,
        list_8,
        list_16,
        list_aliased,
        tree, // of any number of ways
        tree_4,
        tree_8,
    };

    template <int Ways>
    static std::uint32_t filter(LineNumber* tags, std::uint32_t set_mask, const LineNumber* lines,
                                std::uint32_t count, LineNumber* missed);

    template <int Ways>
    [[gnu::always_inline]] bool hit_tree(std::uint32_t set, LineNumber tag) {
        const unsigned holders = match<Ways>(tags_.data() + std::size_t{set} * Ways, tag);
        if (!holders) [[unlikely]]
            return false;
        use<Ways>(set, static_cast<unsigned>(std::countr_zero(holders)) / kBits<Ways>);
        return true;
    }
    template <int Ways>
    bool access_tree(std::uint32_t set, LineNumber tag, std::uint32_t linear) {
        if (hit_tree<Ways>(set, tag)) [[likely]]
            return true;
        replace<Ways>(set, tag, linear);
        return false;
    }
    // Ways 0: as many as there are.
    template <int Ways>
    void use(std::uint32_t set, unsigned way) {
        const auto& uses = set_order::kPlruUses[Ways ? std::bit_width(unsigned{Ways}) - 1 : levels_];
        orders_[set] = static_cast<std::uint16_t>(set_order::use(orders_[set], uses[way]));
    }
    // The ways that hold `tag`, kBits bits each, without a branch.
    template <int Ways>
    static constexpr unsigned kBits = Ways == 4 ? 1 : 2;
    template <int Ways>
    static unsigned match(const LineNumber* tags, LineNumber tag) {
        static_assert(Ways == 4 || Ways == 8);
#ifdef __SSE2__
        const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
        const auto* const at = reinterpret_cast<const __m128i*>(tags);
        const __m128i low = _mm_cmpeq_epi32(_mm_loadu_si128(at), wanted);
        if constexpr (Ways == 4) {
            return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(low)));
        } else {
            const __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128(at + 1), wanted);
            return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi32(low, high)));
        }
#else
        unsigned holders = 0;
        for (unsigned way = 0; way < Ways; ++way)
            holders |= (tags[way] == tag ? (1u << kBits<Ways>)-1 : 0u) << (way * kBits<Ways>);
        return holders;
#endif
    }
    bool access_any(std::uint32_t set, LineNumber tag, std::uint32_t linear);
    bool access_list_aliased(std::uint32_t set, LineNumber tag, std::uint32_t linear);
    bool holds(std::uint32_t set, LineNumber tag) const;
    // Of a tree: loads an absent line. Ways 0: as many as there are.
    template <int Ways>
    void replace(std::uint32_t set, LineNumber tag, std::uint32_t linear);
    static std::uint16_t key_of(std::uint32_t linear) {
        return static_cast<std::uint16_t>(linear & 1023);
    }

    static constexpr std::uint16_t kNoKey = 0xffff;

    std::uint32_t set_mask_ = 0, ways_ = 0, levels_ = 0;
    Kind kind_ = Kind::list;
    bool aliased_ = false;
    std::vector<LineNumber> tags_;      // line + 1, by set
    std::vector<std::uint16_t> orders_; // by set: the tree of set_order.h
    std::vector<std::uint16_t> keys_;   // as tags_, where lines are aliased; kNoKey: empty
};

} // namespace tlbscope
