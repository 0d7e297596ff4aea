#include "engine/workload/hint_loop.h"

#include <algorithm>

namespace tlbscope {

HintLoop::HintLoop(Kernel& kernel, CpuId cpu, const Mm& mm, const HintLayout& layout, Hints& hints,
                   Burst& burst)
    : kernel_(kernel), mmu_(kernel.mmu()), caches_(kernel.caches()), table_(mm.page_table), layout_(layout),
      hints_(hints), burst_(burst), now_(kernel.now()), l1d_latency_(caches_.l1d_latency()),
      core_(kernel.topology().core_of(cpu)), cpu_(cpu) {
    // Sets are chosen by the physical address, of which the page offset is known here.
    const CacheSpec& l1d = kernel.processor().l1d;
    const std::uint64_t sets = l1d.bytes ? l1d.bytes / 64 / l1d.ways : 1;
    set_mask_ = std::min<std::uint64_t>(sets, kPageBytes / 64) - 1;
}

bool HintLoop::touch_all(std::span<const HintAccess> accesses) {
    std::uint64_t page = ~std::uint64_t{0}, line = ~std::uint64_t{0};
    std::uint32_t frame = 0, translated = 0;
    for (const HintAccess& access : accesses) {
        if (access.address >> 6 == line) continue;
        line = access.address >> 6;
        if (access.address >> kPageShift != page) {
            page = access.address >> kPageShift;
            frame = translate(access.address, access.write);
            if (burst_.faulted) return false;
            ++translated;
        }
        touch(line, frame, access.write);
    }
    mmu_.add_hits(cpu_, static_cast<std::uint32_t>(accesses.size()) - translated);
    return true;
}

bool HintLoop::begin_lap() {
    return touch_all(hint_lap_accesses(layout_));
}

bool HintLoop::touch_iteration(HintStep step, std::uint32_t k, std::uint32_t last) {
    return touch_all(hint_accesses(layout_, step, k, last));
}

template <HintType Type>
void HintLoop::touch_records(std::uint64_t p, std::uint64_t q, std::uint32_t p_frame, std::uint32_t q_frame) {
    using enum HintField;
    struct Record {
        HintField field;
        bool child, write;
    };
    // As in hint_accesses(); of neighbours on one field the first.
    static constexpr Record records[] = {
        {dx, false, false},  {dx, true, true},    {xr, false, false},  {xr, true, true},  {xl, false, false},
        {xr, false, true},   {xl, true, true},    {frl, false, false}, {frl, true, true}, {frh, false, false},
        {frh, true, true},   {frl, false, true},  {frh, false, true},  {fll, true, true}, {flh, true, true},
        {fll, false, false}, {flh, false, false},
    };
    for (const Record& record : records)
        touch(
            ((record.child ? q : p) + hint_element_bytes(Type) * static_cast<std::uint64_t>(record.field)) >>
                6,
            record.child ? q_frame : p_frame, record.write);
}

// With every page in the L1 dTLB nothing is replaced there, and all that counts is when each was used last.
// No page walk loads lines in between then. Of the caches see accesses by number as hint_accesses() has
// them: 0 the queue's head; 1 to 18 both records in turn; 19 to 23 both queues in turn; 24 to 29 both
// records in turn. Within each of these stretches only the first access to a line matters, as long as the
// lines lie in different sets.
template <HintType Type>
bool HintLoop::iterate_as(HintStep step, std::uint32_t k, std::uint32_t last) {
    constexpr std::uint64_t element = hint_element_bytes(Type), record = hint_record_bytes(Type);
    constexpr std::uint64_t alo = element * static_cast<std::uint64_t>(HintField::alo),
                            dx = element * static_cast<std::uint64_t>(HintField::dx),
                            xr = element * static_cast<std::uint64_t>(HintField::xr);
    using enum HintStream;
    const auto at = [](HintStream stream) { return static_cast<std::size_t>(stream); };
    const std::uint64_t p = layout_.rect + record * step.parent();
    const std::uint64_t q = layout_.rect + record * (std::uint64_t{k} + 1);
    const std::uint64_t head = layout_.ixes + 4 * std::uint64_t{k};
    const std::uint64_t e = layout_.errs + element * (std::uint64_t{last} + 1);
    const std::uint64_t i = layout_.ixes + 4 * (std::uint64_t{last} + 1);

    // In the order of their last use.
    const std::array<PageNumber, kHintStreams> pages = {head >> kPageShift, i >> kPageShift, e >> kPageShift,
                                                        p >> kPageShift, q >> kPageShift};
    const std::array<std::uint32_t, kHintStreams> hints = {
        hint_of(pages[0]), hint_of(pages[1]), hint_of(pages[2]), hint_of(pages[3]), hint_of(pages[4])};
    std::array<std::uint32_t, kHintStreams> frames;
    const bool on_one_page = (p + record - 1) >> kPageShift == pages[at(parent)] &&
                             (q + record - 1) >> kPageShift == pages[at(child)] &&
                             (e + element) >> kPageShift == pages[at(error_queue)] &&
                             (i + 4) >> kPageShift == pages[at(index_queue)];
    if (!on_one_page || !mmu_.access_hits(cpu_, pages, hints, table_, frames)) [[unlikely]]
        return touch_iteration(step, k, last);
    mmu_.add_hits(cpu_, kHintAccesses - kHintStreams);
    const std::uint32_t p_frame = frames[at(parent)], q_frame = frames[at(child)];
    const std::uint32_t e_frame = frames[at(error_queue)], i_frame = frames[at(index_queue)];

    touch(head >> 6, frames[at(index_read)], false);
    const std::uint64_t p0 = (p + dx) >> 6, p1 = (p + xr) >> 6, q0 = (q + dx) >> 6, q1 = (q + xr) >> 6;
    if (collide(p0, q0) || collide(p0, q1) || collide(p1, q0) || collide(p1, q1)) [[unlikely]] {
        touch_records<Type>(p, q, p_frame, q_frame);
    } else {
        touch(p0, p_frame, false);
        touch(q0, q_frame, true);
        if (p1 != p0) touch(p1, p_frame, false);
        if (q1 != q0) touch(q1, q_frame, true);
    }
    // Left child, right child, and the error in the further slot once more.
    const std::uint64_t e0 = e >> 6, e1 = (e + element) >> 6, i0 = i >> 6, i1 = (i + 4) >> 6;
    touch(step.right_first() ? e1 : e0, e_frame, true);
    touch(step.right_first() ? i1 : i0, i_frame, true);
    if (e0 != e1 || i0 != i1 || collide(e0, i0)) [[unlikely]] {
        touch(step.right_first() ? e0 : e1, e_frame, true);
        touch(step.right_first() ? i0 : i1, i_frame, true);
        touch(e1, e_frame, false);
    }
    const std::uint64_t p2 = (p + alo) >> 6, p3 = p >> 6, q2 = (q + alo) >> 6, q3 = q >> 6;
    touch(p2, p_frame, false);
    touch(q2, q_frame, true);
    if (p2 != p3 || q2 != q3 || collide(p2, q2)) [[unlikely]] {
        touch(p3, p_frame, false);
        touch(q3, q_frame, true);
    }
    return true;
}

bool HintLoop::iterate(HintStep step, std::uint32_t k, std::uint32_t last) {
    return layout_.type == HintType::float64 ? iterate_as<HintType::float64>(step, k, last)
                                             : iterate_as<HintType::int32>(step, k, last);
}

} // namespace tlbscope
