// csd:*, ipi:* and irq_vectors:*.
#include "engine/recording/decoder.h"
#include "engine/recording/scan.h"

#include <array>

namespace tlbscope {
namespace {

using namespace scan;

// 000000004f7d3881 (hashed, kernel text), 0xffff888627d2e660 (report, perf), (nil), decimal in synthetic
// events. All zero or (nil): a local call.
bool csd_pointer(std::string_view text, std::int64_t& pointer) {
    if (text == "(nil)") {
        pointer = 0;
        return true;
    }
    if (text.starts_with("0x")) return number(text, pointer);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const bool whole = text.size() == 16 || text.size() == 8;
    if (whole && hexadecimal(text.data(), end, value) == end) {
        pointer = static_cast<std::int64_t>(value);
        return true;
    }
    return number(text, pointer);
}

std::string_view symbol_field(std::string_view payload, std::string_view key) {
    std::string_view text;
    return field(payload, key, text) ? function_name(text) : std::string_view{};
}

bool target_cpu(std::string_view payload, Event& event) {
    std::int64_t cpu = 0;
    if (!field(payload, "cpu", cpu) || cpu < 0 || cpu >= kNoCpu) return false;
    event.aux = static_cast<std::uint32_t>(cpu);
    return true;
}

// "cpu=1 callsite=on_each_cpu_cond_mask+0x20/0x60 func=flush_tlb_func csd=000000004f7d3881"
bool csd_queue_cpu(const LineHead& head, Event& event, DecodeTables& tables) {
    std::string_view csd;
    if (!target_cpu(head.payload, event) || !field(head.payload, "csd", csd) || !csd_pointer(csd, event.arg))
        return false;
    event.id = tables.strings.intern(symbol_field(head.payload, "func"));
    return true;
}

// "func=flush_tlb_func, csd=000000004f7d3881"
bool csd_function(const LineHead& head, Event& event, DecodeTables& tables) {
    std::string_view csd;
    if (!field(head.payload, "csd", csd) || !csd_pointer(csd, event.arg)) return false;
    event.id = tables.strings.intern(symbol_field(head.payload, "func"));
    return true;
}

// "cpu=3 callsite=f+0x54/0x60 callback=g+0x0/0x10"
bool ipi_send_cpu(const LineHead& head, Event& event, DecodeTables& tables) {
    if (!target_cpu(head.payload, event)) return false;
    event.arg = tables.strings.intern(symbol_field(head.payload, "callsite"));
    event.id = tables.strings.intern(symbol_field(head.payload, "callback"));
    return true;
}

// The mask may be empty or hold blanks (ARRAY[0f, 00]).
bool mask_field(std::string_view payload, std::string_view key, Event& event, DecodeTables& tables) {
    const std::size_t at = payload.find(key);
    if (at == std::string_view::npos || at + key.size() >= payload.size() || payload[at + key.size()] != '=')
        return false;
    const std::string_view rest = payload.substr(at + key.size() + 1);
    const std::size_t stop = rest.starts_with("ARRAY[") ? rest.find(']') : rest.find(' ');
    bool good = false;
    event.arg = tables.mask(rest.substr(0, stop), good);
    return good;
}

// "cpumask=0-1,3 callsite=f+0x54 callback=g+0x0"
bool ipi_send_cpumask(const LineHead& head, Event& event, DecodeTables& tables) {
    if (!mask_field(head.payload, "cpumask", event, tables)) return false;
    event.id = tables.strings.intern(symbol_field(head.payload, "callback"));
    return true;
}

bool reason(std::string_view payload, Event& event, DecodeTables& tables) {
    const std::size_t open = payload.rfind('(');
    const std::size_t close = payload.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
    event.id = tables.strings.intern(payload.substr(open + 1, close - open - 1));
    return true;
}

// "target_mask=00000000,00000bff (Function call interrupts)"
bool ipi_raise(const LineHead& head, Event& event, DecodeTables& tables) {
    return mask_field(head.payload, "target_mask", event, tables) && reason(head.payload, event, tables);
}

bool ipi_entry_exit(const LineHead& head, Event& event, DecodeTables& tables) {
    return reason(head.payload, event, tables);
}

bool vector(const LineHead& head, Event& event, DecodeTables&) {
    if (head.payload.starts_with("vector=")) return number(head.payload.substr(7), event.arg);
    return field(head.payload, "vector", event.arg);
}

constexpr std::array kRows = {
    Decoder{"csd_queue_cpu", EventKind::csd_queue_cpu, csd_queue_cpu},
    Decoder{"csd_function_entry", EventKind::csd_function_entry, csd_function},
    Decoder{"csd_function_exit", EventKind::csd_function_exit, csd_function},
    Decoder{"ipi_send_cpu", EventKind::ipi_send_cpu, ipi_send_cpu},
    Decoder{"ipi_send_cpumask", EventKind::ipi_send_cpumask, ipi_send_cpumask},
    Decoder{"ipi_raise", EventKind::ipi_raise, ipi_raise},
    Decoder{"ipi_entry", EventKind::ipi_entry, ipi_entry_exit},
    Decoder{"ipi_exit", EventKind::ipi_exit, ipi_entry_exit},
    Decoder{"call_function_single_entry", EventKind::call_function_single_entry, vector},
    Decoder{"call_function_single_exit", EventKind::call_function_single_exit, vector},
    Decoder{"call_function_entry", EventKind::call_function_entry, vector},
    Decoder{"call_function_exit", EventKind::call_function_exit, vector},
    Decoder{"reschedule_entry", EventKind::reschedule_entry, vector},
    Decoder{"reschedule_exit", EventKind::reschedule_exit, vector},
    Decoder{"local_timer_entry", EventKind::local_timer_entry, vector},
    Decoder{"local_timer_exit", EventKind::local_timer_exit, vector},
};

} // namespace

std::span<const Decoder> ipi_decoders() {
    return kRows;
}

} // namespace tlbscope
