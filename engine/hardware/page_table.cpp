#include "engine/hardware/page_table.h"

namespace tlbscope {

PageTable::PageTable(std::uint32_t root_frame, Paging paging) : paging_(paging) {
    tables_.push_back({root_frame, {}, -1});
    if (paging_ != Paging::four_level) loaded_levels_ = 2;
    if (paging_ == Paging::two_level) {
        index_bits_ = 10;
        index_mask_ = 1023;
        entry_shift_ = 2;
    }
}

std::uint32_t PageTable::known_frame(std::uint32_t above, std::uint32_t index, int level) const {
    if (level > loaded_levels_) return root_frame();
    if (paging_ != Paging::two_level) return kOwnFrame;
    if (level == 2) return root_frame(); // quarters of the one page directory
    const std::uint64_t other = tables_[above].entry[index ^ 1];
    if (other == 0 || is_leaf(other, 2)) return kOwnFrame;
    return tables_[other >> 1].frame; // the other half of the page table
}

PageTable::Walk PageTable::walk(PageNumber page) const {
    Walk walk;
    std::uint32_t table = 0;
    for (int level = kLevels; level >= 1; --level) {
        const Table& t = tables_[table];
        walk.table = table;
        const std::uint32_t index = index_at(page, level);
        if (level <= loaded_levels_)
            walk.entry_address[static_cast<std::size_t>(walk.levels++)] = address_in(t.frame, page, level);
        const std::uint64_t entry = t.entry[index];
        if (entry == 0 && paging_ == Paging::two_level) add_missing_loads(walk, table, page, level);
        if (is_leaf(entry, level) || was_huge(entry, t, level)) {
            walk.leaf.pte = entry;
            walk.leaf.huge = level == 2;
            if (t.versions >= 0) {
                const Versions& v = versions_[static_cast<std::size_t>(t.versions)];
                walk.leaf.version = v.version[index];
                walk.leaf.flushed = v.flushed[index];
            }
            return walk;
        }
        if (entry == 0) return walk;
        table = static_cast<std::uint32_t>(entry >> 1);
    }
    return walk;
}

// The frames hold more than the tables that were made in them: the page directory is there whatever is
// mapped, and a page table wherever one of its halves is.
void PageTable::add_missing_loads(Walk& walk, std::uint32_t table, PageNumber page, int level) const {
    const std::uint32_t frame = level > 2    ? root_frame()
                                : level == 2 ? known_frame(table, index_at(page, 2), 1)
                                             : kOwnFrame;
    if (frame == kOwnFrame) return;
    walk.entry_address[static_cast<std::size_t>(walk.levels++)] = address_in(frame, page, level > 2 ? 2 : 1);
}

PageTable::Slot PageTable::find_slot(PageNumber page) const {
    std::uint32_t table = 0;
    for (int level = kLevels; level >= 1; --level) {
        const std::uint32_t index = index_at(page, level);
        const std::uint64_t entry = tables_[table].entry[index];
        if (is_leaf(entry, level) || was_huge(entry, tables_[table], level))
            return {table, index, true, level};
        if (entry == 0) return {};
        table = static_cast<std::uint32_t>(entry >> 1);
    }
    return {};
}

PageTable::Leaf PageTable::leaf(PageNumber page) const {
    const Slot slot = find_slot(page);
    if (!slot.found) return {};
    const Table& table = tables_[slot.table];
    Leaf leaf{table.entry[slot.index], 0, 0, slot.level == 2};
    if (table.versions >= 0) {
        const Versions& v = versions_[static_cast<std::size_t>(table.versions)];
        leaf.version = v.version[slot.index];
        leaf.flushed = v.flushed[slot.index];
    }
    return leaf;
}

std::uint32_t PageTable::make_table(std::uint32_t above, std::uint32_t index, std::uint32_t frame) {
    const auto made = static_cast<std::uint32_t>(tables_.size());
    tables_[above].entry[index] = std::uint64_t{made} << 1;
    tables_.push_back({frame, {}, -1});
    if (const std::int32_t old = tables_[above].versions; old >= 0) {
        // A 2 MiB page was here before: its history is that of every page below.
        tables_[made].versions = static_cast<std::int32_t>(versions_.size());
        versions_.emplace_back();
        const Versions& huge = versions_[static_cast<std::size_t>(old)];
        versions_.back().version.fill(huge.version[index]);
        versions_.back().flushed.fill(huge.flushed[index]);
    }
    return made;
}

void PageTable::write(const Slot& slot, Pte pte) {
    Table& table = tables_[slot.table];
    if (table.versions < 0) {
        table.versions = static_cast<std::int32_t>(versions_.size());
        versions_.emplace_back();
    }
    table.entry[slot.index] = pte;
    versions_[static_cast<std::size_t>(table.versions)].version[slot.index] = ++changes_;
}

Pte PageTable::clear(PageNumber page) {
    const Slot slot = find_slot(page);
    if (!slot.found) return 0;
    const Pte old = tables_[slot.table].entry[slot.index];
    if (old) write(slot, 0);
    return old;
}

void PageTable::mark_flushed(PageNumber first, std::uint64_t pages, std::uint32_t upto) {
    for (PageNumber page = first; page < first + pages;) {
        const Slot slot = find_slot(page);
        if (!slot.found) {
            page = (page | 511) + 1; // nothing mapped in this 2 MiB
            continue;
        }
        Table& table = tables_[slot.table];
        if (table.versions >= 0) {
            Versions& v = versions_[static_cast<std::size_t>(table.versions)];
            if (v.version[slot.index] <= upto) v.flushed[slot.index] = v.version[slot.index];
        }
        page = slot.level == 2 ? (page | 511) + 1 : page + 1;
    }
}

} // namespace tlbscope
