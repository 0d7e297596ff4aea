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

bool HintLoop::touch_all(std::span<const HintAccess> accesses, const HintAccess* before) {
    std::uint64_t page = ~std::uint64_t{0}, line = ~std::uint64_t{0};
    std::uint32_t frame = 0;
    bool known = false; // the page's frame
    if (before) {
        page = before->address >> kPageShift;
        line = before->address >> 6;
    }
    for (const HintAccess& access : accesses) {
        const std::uint64_t its_line = access.address >> 6;
        if (its_line == line) continue;
        line = its_line;
        if (const std::uint64_t its_page = access.address >> kPageShift; its_page != page || !known) {
            page = its_page;
            translate(access.address, access.stream, access.write, frame);
            if (burst_.faulted) return false;
            known = true;
        }
        touch(line, frame, access.write);
    }
    return true;
}

bool HintLoop::begin_lap() {
    const auto accesses = hint_lap_accesses(layout_);
    accesses_ = 0;
    if (!touch_all(accesses)) return false;
    mmu_.add_hits(cpu_, static_cast<std::uint32_t>(accesses.size()) - accesses_);
    return true;
}

bool HintLoop::finish(HintStep step, std::uint32_t k, std::uint32_t last, std::size_t from) {
    const std::array<HintAccess, kHintAccesses> accesses = hint_accesses(layout_, step, k, last);
    if (!touch_all(std::span(accesses).subspan(from), from ? &accesses[from - 1] : nullptr)) return false;
    mmu_.add_hits(cpu_, static_cast<std::uint32_t>(kHintAccesses) - accesses_);
    return true;
}

// Accesses by number as hint_accesses() has them: 0 the queue's head; 1 to 18 both records in turn; 19 to 23
// both queues in turn; 24 to 29 both records in turn. Within each of these stretches only the first access
// to a line matters, as long as the lines lie in different sets and no page walk loads others in between.
// Where that is not so, the rest of the iteration is done access by access.
template <HintType Type>
bool HintLoop::iterate_as(HintStep step, std::uint32_t k, std::uint32_t last) {
    constexpr std::uint64_t element = hint_element_bytes(Type), record = hint_record_bytes(Type);
    constexpr std::uint64_t alo = element * static_cast<std::uint64_t>(HintField::alo),
                            dx = element * static_cast<std::uint64_t>(HintField::dx),
                            xr = element * static_cast<std::uint64_t>(HintField::xr);
    accesses_ = 0;
    const std::uint64_t p = layout_.rect + record * step.parent();
    const std::uint64_t q = layout_.rect + record * (std::uint64_t{k} + 1);
    if ((p ^ (p + record - 1)) >> kPageShift || (q ^ (q + record - 1)) >> kPageShift) [[unlikely]]
        return finish(step, k, last, 0); // a record on two pages

    std::uint32_t frame;
    const std::uint64_t head = layout_.ixes + 4 * std::uint64_t{k};
    translate(head, HintStream::index_read, false, frame);
    if (burst_.faulted) return false;
    touch(head >> 6, frame, false);

    std::uint32_t p_frame, q_frame;
    const std::uint64_t p0 = (p + dx) >> 6, p1 = (p + xr) >> 6, q0 = (q + dx) >> 6, q1 = (q + xr) >> 6;
    const bool p_hit = translate(p, HintStream::parent, true, p_frame);
    if (burst_.faulted) return false;
    touch(p0, p_frame, false);
    if (!p_hit) [[unlikely]]
        return finish(step, k, last, 2);
    const bool q_hit = translate(q, HintStream::child, true, q_frame);
    if (burst_.faulted) return false;
    touch(q0, q_frame, true);
    if (!q_hit || collide(p0, q0) || collide(p0, q1) || collide(p1, q0) || collide(p1, q1)) [[unlikely]]
        return finish(step, k, last, 4);
    if (p1 != p0) touch(p1, p_frame, false);
    if (q1 != q0) touch(q1, q_frame, true);
    translate(p, HintStream::parent, true, p_frame);

    const std::uint64_t end = layout_.errs + element * (std::uint64_t{last} + 1);
    const std::uint64_t end_index = layout_.ixes + 4 * (std::uint64_t{last} + 1);
    const std::uint64_t e0 = (step.right_first() ? end + element : end) >> 6;
    const std::uint64_t e1 = (step.right_first() ? end : end + element) >> 6;
    const std::uint64_t i0 = (step.right_first() ? end_index + 4 : end_index) >> 6;
    const std::uint64_t i1 = (step.right_first() ? end_index : end_index + 4) >> 6;
    if ((end ^ (end + element)) >> kPageShift || (end_index ^ (end_index + 4)) >> kPageShift) [[unlikely]]
        return finish(step, k, last, 19);
    const bool e_hit = translate(end, HintStream::error_queue, true, frame);
    if (burst_.faulted) return false;
    touch(e0, frame, true);
    if (!e_hit) [[unlikely]]
        return finish(step, k, last, 20);
    std::uint32_t i_frame;
    const bool i_hit = translate(end_index, HintStream::index_queue, true, i_frame);
    if (burst_.faulted) return false;
    touch(i0, i_frame, true);
    if (!i_hit || collide(e0, i0) || collide(e0, i1) || collide(e1, i0) || collide(e1, i1)) [[unlikely]]
        return finish(step, k, last, 21);
    if (e1 != e0) touch(e1, frame, true);
    if (i1 != i0) touch(i1, i_frame, true);
    translate(end, HintStream::error_queue, true, frame);

    const std::uint64_t p2 = (p + alo) >> 6, p3 = p >> 6, q2 = (q + alo) >> 6, q3 = q >> 6;
    if (collide(p2, q2) || collide(p2, q3) || collide(p3, q2) || collide(p3, q3)) [[unlikely]]
        return finish(step, k, last, 24);
    const bool p_still = translate(p, HintStream::parent, true, p_frame);
    touch(p2, p_frame, false);
    if (!p_still) [[unlikely]]
        return finish(step, k, last, 25);
    const bool q_still = translate(q, HintStream::child, true, q_frame);
    touch(q2, q_frame, true);
    if (!q_still) [[unlikely]]
        return finish(step, k, last, 27);
    if (p3 != p2) touch(p3, p_frame, false);
    if (q3 != q2) touch(q3, q_frame, true);
    mmu_.add_hits(cpu_, static_cast<std::uint32_t>(kHintAccesses) - accesses_);
    return true;
}

bool HintLoop::iterate(HintStep step, std::uint32_t k, std::uint32_t last) {
    return layout_.type == HintType::float64 ? iterate_as<HintType::float64>(step, k, last)
                                             : iterate_as<HintType::int32>(step, k, last);
}

} // namespace tlbscope
