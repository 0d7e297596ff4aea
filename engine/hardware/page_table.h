// An x86 radix page table, as the page walker reads it.
#pragma once

#include "engine/core/types.h"
#include "engine/hardware/processor.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tlbscope {

// A leaf entry: frame number << 12 | flags, as in the SDM, volume 3, 4.5.4.
using Pte = std::uint64_t;
inline constexpr Pte kPtePresent = 1, kPteWrite = 2, kPteHuge = 0x80, kPteGlobal = 0x100;
inline std::uint32_t frame_of(Pte pte) {
    return static_cast<std::uint32_t>(pte >> kPageShift);
}
inline Pte make_pte(std::uint32_t frame, Pte flags) {
    return (Pte{frame} << kPageShift) | flags;
}

// change_count() numbers the changes of leaf entries; a leaf's `version` is the number of its last
// one. A TLB entry keeps the count at which it was loaded or last found right: it is stale where the
// leaf's version is newer. A flush that has been reported complete raises `flushed` to the version
// at that moment: using an entry older than that is a violation.
//
// Inside, every format is kept as four levels of 512 entries; it says which of them a walk loads, and
// from where. two_level: a page table of 1024 entries is two neighbouring leaf tables in one frame, and
// a 4 MiB page two neighbouring 2 MiB leaves, which the caller sets both.
class PageTable {
public:
    // `root_frame`: physical page that CR3 points to: the top-level table; with pae the one that holds
    // the four PDPTEs. Pages are below 2^36, without long mode below 2^20.
    explicit PageTable(std::uint32_t root_frame = 0, Paging paging = Paging::four_level);
    Paging paging() const { return paging_; }

    struct Leaf {
        Pte pte = 0;
        std::uint32_t version = 0, flushed = 0;
        bool huge = false;
    };

    // What a walk of `page` meets: the physical byte addresses of the entries it loads, top first.
    struct Walk {
        std::array<std::uint64_t, 4> entry_address{};
        std::uint32_t table = 0; // number of the last table looked at
        int levels = 0;          // entries loaded; at most 4, without long mode 2, and fewer for a 2 MiB
                                 // page or a missing table
        Leaf leaf;               // pte 0: not present
    };
    Walk walk(PageNumber page) const;

    // The walk's last step alone, for a walker that knows the lowest table from a paging-structure
    // cache: the Walk::table of a walk that loaded a 4 KiB entry.
    struct LastStep {
        std::uint64_t entry_address = 0;
        Pte pte = 0;
    };
    LastStep last_step(std::uint32_t table, PageNumber page) const {
        const Table& t = tables_[table];
        return {address_in(t.frame, page, 1), t.entry[index_at(page, 1)]};
    }

    Leaf leaf(PageNumber page) const;

    // Sets or clears (pte 0) the 4 KiB entry of `page`, making missing tables from `new_frame`
    // (called once per new table that is in memory, returns its physical page).
    template <class NewFrame>
    void set(PageNumber page, Pte pte, NewFrame&& new_frame) {
        const Slot slot = make_slot(page, 1, new_frame);
        write(slot, pte);
    }
    // 2 MiB entry at `page` (512-aligned); there must be no 4 KiB table below it.
    template <class NewFrame>
    void set_huge(PageNumber page, Pte pte, NewFrame&& new_frame) {
        const Slot slot = make_slot(page, 2, new_frame);
        write(slot, pte ? pte | kPteHuge : 0);
    }
    // Clears the 4 KiB entry of `page`; nothing happens where no table exists. Returns the old entry.
    Pte clear(PageNumber page);

    // The flush of [first, first + pages) has been reported complete. `upto` is change_count() when it
    // began: pages changed since then await a flush of their own and are left as they are.
    void mark_flushed(PageNumber first, std::uint64_t pages, std::uint32_t upto = ~std::uint32_t{0});

    // Grows with every change; a TLB hit needs no look at the table while this has not moved.
    std::uint32_t change_count() const { return changes_; }
    std::size_t memory_bytes() const {
        return tables_.size() * sizeof(Table) + versions_.size() * sizeof(Versions);
    }
    std::uint32_t root_frame() const { return tables_[0].frame; }

private:
    static constexpr int kLevels = 4;
    struct Versions {
        std::array<std::uint32_t, 512> version{}, flushed{};
    };
    struct Table {
        std::uint32_t frame = 0;
        // Leaf PTE, or index of the next table << 1 (bit 0 clear) for inner levels; 0 is empty.
        std::array<std::uint64_t, 512> entry{};
        std::int32_t versions = -1; // into versions_, where the table holds leaves
    };
    struct Slot {
        std::uint32_t table = 0, index = 0;
        bool found = false;
        int level = 1;
    };

    static std::uint32_t index_at(PageNumber page, int level) {
        return static_cast<std::uint32_t>(page >> (9 * (level - 1))) & 511;
    }
    static bool is_leaf(std::uint64_t entry, int level) {
        return level == 1 || (level == 2 && (entry & kPtePresent) && (entry & kPteHuge));
    }
    // An empty entry of a table that has held 2 MiB leaves still knows when it was changed and flushed.
    static bool was_huge(std::uint64_t entry, const Table& table, int level) {
        return entry == 0 && level == 2 && table.versions >= 0;
    }
    // Physical byte address of the entry for `page` in a table of `level` that lies in `frame`.
    std::uint64_t address_in(std::uint32_t frame, PageNumber page, int level) const {
        const std::uint64_t index = (page >> (index_bits_ * (level - 1))) & index_mask_;
        return (std::uint64_t{frame} << kPageShift) + (index << entry_shift_);
    }
    // The frame of a new table of `level` below tables_[above].entry[index], where it needs none of its
    // own: kOwnFrame otherwise.
    static constexpr std::uint32_t kOwnFrame = 0xffffffff;
    std::uint32_t known_frame(std::uint32_t above, std::uint32_t index, int level) const;
    void add_missing_loads(Walk& walk, std::uint32_t table, PageNumber page, int level) const;
    // Makes the missing table below tables_[above].entry[index].
    std::uint32_t make_table(std::uint32_t above, std::uint32_t index, std::uint32_t frame);
    // Leaf slot of the page, 4 KiB or 2 MiB, mapped or not.
    Slot find_slot(PageNumber page) const;
    void write(const Slot& slot, Pte pte);

    template <class NewFrame>
    Slot make_slot(PageNumber page, int leaf_level, NewFrame& new_frame) {
        std::uint32_t table = 0;
        for (int level = kLevels; level > leaf_level; --level) {
            const std::uint32_t index = index_at(page, level);
            const std::uint64_t entry = tables_[table].entry[index];
            if (entry) {
                table = static_cast<std::uint32_t>(entry >> 1);
                continue;
            }
            const std::uint32_t frame = known_frame(table, index, level - 1);
            table = make_table(table, index, frame == kOwnFrame ? new_frame() : frame);
        }
        return {table, index_at(page, leaf_level), true, leaf_level};
    }

    std::vector<Table> tables_;
    std::vector<Versions> versions_;
    std::uint32_t changes_ = 0;
    Paging paging_ = Paging::four_level;
    // Levels above are registers or do not exist: nothing is loaded for them.
    int loaded_levels_ = kLevels;
    int index_bits_ = 9, entry_shift_ = 3;
    std::uint32_t index_mask_ = 511;
};

} // namespace tlbscope
