// Payload of one event to one Event record, by the event's name. A new kind is a function and a row.
#pragma once

#include "engine/core/event.h"
#include "engine/recording/interner.h"
#include "engine/recording/line_head.h"

#include <span>
#include <vector>

namespace tlbscope {

// Names met while decoding; Event::id and Event::arg hold their numbers (names_of_kind in log_builder.cpp
// says which). Local to a piece of the file until the pieces are joined.
struct DecodeTables {
    Interner strings;
    std::vector<std::string> texts{""};
    Interner mask_texts;
    std::vector<std::vector<CpuId>> masks{{}}; // by number in mask_texts
    bool mask_lists = false;

    std::uint32_t mask(std::string_view text, bool& good);
    void clear();
};

// Fills kind, sub, arg, aux, id; cpu, task and time are already there. False: the payload is not what the
// name promises.
using DecodeFunction = bool (*)(const LineHead& head, Event& event, DecodeTables& tables);

struct Decoder {
    std::string_view name; // of the tracepoint
    EventKind kind;
    DecodeFunction decode;
};

// The rows, one file a subsystem.
std::span<const Decoder> flush_decoders();
std::span<const Decoder> ipi_decoders();
std::span<const Decoder> task_decoders();

enum class Decoded : std::uint8_t {
    known,     // understood
    unknown,   // no decoder for this name: kind other
    undecoded, // a known name with a payload that was not understood: kind other
    refused,   // not an event
};

// The whole step. `name` (if not null) receives the number of the event's name when it is kind other.
Decoded decode(const LineHead& head, Event& event, DecodeTables& tables);

// The comm of the task that is switched out, "" if the payload does not tell. Line heads of the latency
// format cut it to 8 bytes.
std::string_view previous_comm(std::string_view sched_switch_payload);

// "f+0x54/0x60" -> "f", "0x0" and "(nil)" -> "".
std::string_view function_name(std::string_view symbol);

} // namespace tlbscope
