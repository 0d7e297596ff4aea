// tlb:tlb_flush and the paravirtual flushes of Xen, Hyper-V and KVM.
#include "engine/recording/decoder.h"
#include "engine/recording/scan.h"

#include <array>

namespace tlbscope {
namespace {

using namespace scan;

// Both spellings of a text, whatever the case ("local MM shootdown" since 6.19).
bool same_text(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

bool reason_code(std::string_view text, std::int64_t& code) {
    text = {blanks(text.data(), text.data() + text.size()), text.data() + text.size()};
    if (number(text, code)) return true; // 5, 0x5 (5)
    const std::size_t open = text.find('(');
    if (open != std::string_view::npos && number(text.substr(open + 1), code))
        return true; // name (5), " (5)"
    // formats that print neither number nor text but the enumerator (3.16 to 4.1)
    static constexpr std::array<std::string_view, 6> enumerators = {
        "TLB_FLUSH_ON_TASK_SWITCH", "TLB_REMOTE_SHOOTDOWN", "TLB_LOCAL_SHOOTDOWN",
        "TLB_LOCAL_MM_SHOOTDOWN",   "TLB_REMOTE_SEND_IPI",  "TLB_REMOTE_WRONG_CPU"};
    for (int i = 0; i < 6; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (same_text(text, to_string(static_cast<FlushReason>(i))) || same_text(text, enumerators[at])) {
            code = i;
            return true;
        }
    }
    return false;
}

// "pages:1 reason:remote shootdown (1)", "pages=1 reason= (4)", "reason=0x4 (4) pages=0x8 (8)"
bool tlb_flush(const LineHead& head, Event& event, DecodeTables&) {
    const std::string_view payload = head.payload;
    const std::size_t reason = payload.find("reason");
    if (reason == std::string_view::npos || reason + 7 > payload.size()) return false;
    if (payload.starts_with("pages:") || payload.starts_with("pages=")) {
        if (!number(payload.substr(6), event.arg)) return false;
    } else if (!field(payload, "pages", event.arg)) {
        return false;
    }
    std::int64_t code = 0;
    if (!reason_code(payload.substr(reason + 7), code) || code < 0 || code > 254) return false;
    event.sub = static_cast<std::uint8_t>(code);
    return true;
}

// "ncpus 3 mm 00000000d2a1 addr 7f00, end ffffffffffffffff", "addr 7f00", "processor_mask 0x0 …"
bool pv_flush(const LineHead& head, Event& event, DecodeTables& tables) {
    const auto after = [&](std::string_view key, bool hex, std::uint64_t& value) {
        const std::size_t at = head.payload.find(key);
        if (at == std::string_view::npos) return false;
        const char* const end = head.payload.data() + head.payload.size();
        const char* p = blanks(head.payload.data() + at + key.size(), end);
        if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
            p += 2;
            hex = true;
        }
        return (hex ? hexadecimal(p, end, value) : decimal(p, end, value)) != p;
    };
    std::uint64_t value = 0;
    if (after("ncpus", false, value)) event.aux = static_cast<std::uint32_t>(value);
    if (after("processor_mask", true, value))
        event.aux = static_cast<std::uint32_t>(__builtin_popcountll(value));
    if (after("addr", true, value)) event.arg = static_cast<std::int64_t>(value);
    event.id = tables.strings.intern(head.event);
    return true;
}

constexpr std::array kRows = {
    Decoder{"tlb_flush", EventKind::tlb_flush, tlb_flush},
    Decoder{"xen_mmu_flush_tlb", EventKind::pv_flush, pv_flush},
    Decoder{"xen_mmu_flush_tlb_all", EventKind::pv_flush, pv_flush},
    Decoder{"xen_mmu_flush_tlb_one_user", EventKind::pv_flush, pv_flush},
    Decoder{"xen_mmu_flush_tlb_single", EventKind::pv_flush, pv_flush},
    Decoder{"xen_mmu_flush_tlb_others", EventKind::pv_flush, pv_flush},
    Decoder{"xen_mmu_flush_tlb_multi", EventKind::pv_flush, pv_flush},
    Decoder{"hyperv_mmu_flush_tlb_others", EventKind::pv_flush, pv_flush},
    Decoder{"hyperv_mmu_flush_tlb_multi", EventKind::pv_flush, pv_flush},
    Decoder{"hyperv_nested_flush_guest_mapping", EventKind::pv_flush, pv_flush},
    Decoder{"hyperv_nested_flush_guest_mapping_range", EventKind::pv_flush, pv_flush},
    Decoder{"kvm_hv_flush_tlb", EventKind::pv_flush, pv_flush},
    Decoder{"kvm_hv_flush_tlb_ex", EventKind::pv_flush, pv_flush},
};

} // namespace

std::span<const Decoder> flush_decoders() {
    return kRows;
}

} // namespace tlbscope
