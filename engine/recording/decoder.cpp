#include "engine/recording/decoder.h"

#include "engine/recording/cpu_mask.h"
#include "engine/recording/scan.h"

#include <array>

namespace tlbscope {
namespace {

// Open addressing over a handful of rows; the hash looks at four bytes only.
class DecoderIndex {
public:
    DecoderIndex() {
        for (const auto rows : {flush_decoders(), ipi_decoders(), task_decoders()})
            for (const Decoder& row : rows) {
                std::size_t slot = hash(row.name);
                while (slots_[slot])
                    slot = (slot + 1) % slots_.size();
                slots_[slot] = &row;
            }
    }

    const Decoder* find(std::string_view name) const {
        if (name.empty()) return nullptr;
        for (std::size_t slot = hash(name); slots_[slot]; slot = (slot + 1) % slots_.size())
            if (slots_[slot]->name == name) return slots_[slot];
        return nullptr;
    }

private:
    static std::size_t hash(std::string_view name) {
        const auto at = [name](std::size_t i) { return static_cast<unsigned char>(name[i]); };
        const std::size_t h =
            name.size() * 31u + at(0) * 7u + at(name.size() / 2) * 131u + at(name.size() - 1) * 17u;
        return h % std::tuple_size_v<decltype(slots_)>;
    }

    std::array<const Decoder*, 512> slots_{};
};

const DecoderIndex& decoder_index() {
    static const DecoderIndex instance;
    return instance;
}

} // namespace

std::uint32_t DecodeTables::mask(std::string_view text, bool& good) {
    const std::uint32_t id = mask_texts.intern(text);
    good = true;
    if (id >= masks.size()) {
        masks.resize(id + 1);
        good = read_cpu_mask(text, mask_lists, masks[id]);
    }
    return id;
}

void DecodeTables::clear() {
    strings.clear();
    texts.resize(1);
    mask_texts.clear();
    masks.resize(1);
}

std::string_view function_name(std::string_view symbol) {
    if (symbol == "(nil)" || symbol.starts_with("0x0")) return {};
    return symbol.substr(0, symbol.find('+'));
}

// Defined with the other rows of tasks: sys_x(…), sys_x -> …, sys_enter_x, sys_exit_x.
bool decode_syscall(const LineHead& head, Event& event, DecodeTables& tables);

Decoded decode(const LineHead& head, Event& event, DecodeTables& tables) {
    event.kind = EventKind::other;
    switch (head.shape) {
    case LineShape::stack:
        return Decoded::refused;
    case LineShape::syscall:
    case LineShape::syscall_exit:
        if (decode_syscall(head, event, tables)) return Decoded::known;
        break;
    case LineShape::function:
        break;
    case LineShape::event:
        if (const Decoder* row = decoder_index().find(head.event)) {
            event.kind = row->kind;
            if (row->decode(head, event, tables)) return Decoded::known;
            event = Event{.time = event.time, .task = event.task, .cpu = event.cpu, .kind = EventKind::other};
            event.id = tables.strings.intern(head.event);
            return Decoded::undecoded;
        }
        if (head.event.starts_with("sys_e") && decode_syscall(head, event, tables)) return Decoded::known;
        // any further x86 interrupt vector: error_apic_entry, x86_platform_ipi_exit, …
        if (head.payload.starts_with("vector=")) {
            const bool entry = head.event.ends_with("_entry");
            if ((entry || head.event.ends_with("_exit")) && scan::field(head.payload, "vector", event.arg)) {
                event.kind = entry ? EventKind::irq_vector_entry : EventKind::irq_vector_exit;
                event.id = tables.strings.intern(head.event.substr(0, head.event.rfind('_')));
                return Decoded::known;
            }
        }
        break;
    }
    event = Event{.time = event.time, .task = event.task, .cpu = event.cpu, .kind = EventKind::other};
    event.id = tables.strings.intern(head.event);
    return Decoded::unknown;
}

} // namespace tlbscope
