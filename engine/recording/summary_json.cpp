#include "engine/recording/summary.h"

#include <boost/json.hpp>

namespace tlbscope {
namespace {

namespace json = boost::json;

// Names in recordings may be any bytes; JSON is UTF-8.
std::string utf8(const std::string& bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes.size();) {
        const auto c = static_cast<unsigned char>(bytes[i]);
        const std::size_t n = c < 0x80                ? 1
                              : c >= 0xc2 && c < 0xe0 ? 2
                              : c >= 0xe0 && c < 0xf0 ? 3
                              : c >= 0xf0 && c < 0xf5 ? 4
                                                      : 0;
        bool good = n > 0 && i + n <= bytes.size();
        for (std::size_t k = 1; good && k < n; ++k)
            good = (static_cast<unsigned char>(bytes[i + k]) & 0xc0) == 0x80;
        if (good && n == 3) {
            const auto second = static_cast<unsigned char>(bytes[i + 1]);
            good = !(c == 0xe0 && second < 0xa0) && !(c == 0xed && second >= 0xa0);
        }
        if (good && n == 4) {
            const auto second = static_cast<unsigned char>(bytes[i + 1]);
            good = !(c == 0xf0 && second < 0x90) && !(c == 0xf4 && second >= 0x90);
        }
        if (good) {
            out.append(bytes, i, n);
            i += n;
        } else {
            out += "\xef\xbf\xbd";
            ++i;
        }
    }
    return out;
}

json::value distribution_json(const Distribution& d) {
    if (d.count == 0) return nullptr;
    return json::object{{"count", d.count}, {"min", d.min}, {"median", d.median}, {"p95", d.p95},
                        {"p99", d.p99},     {"max", d.max}, {"mean", d.mean},     {"total", d.total}};
}

template <class Map>
json::object counts_json(const Map& counts) {
    json::object out;
    for (const auto& [name, count] : counts)
        out[utf8(name)] = count;
    return out;
}

json::object import_json(const ImportReport& r) {
    json::array examples;
    for (const UnparsedLine& e : r.examples)
        examples.push_back(json::object{{"line", e.line}, {"text", utf8(e.text)}});
    return {{"bytes", r.bytes},
            {"lines", r.lines},
            {"parsed", r.parsed},
            {"headers", r.headers},
            {"blank", r.blank},
            {"stack", r.stack},
            {"continuation", r.continuation},
            {"ignored", r.ignored},
            {"lost_lines", r.lost_lines},
            {"unparsed", r.unparsed},
            {"unparsed_examples", std::move(examples)},
            {"unknown", counts_json(r.unknown)},
            {"undecoded", counts_json(r.undecoded)},
            {"lost_events", r.lost_events},
            {"losses_of_unknown_size", r.losses_of_unknown_size},
            {"overwritten", r.overwritten},
            {"backward_steps", r.backward_steps},
            {"largest_backward_step", r.largest_backward_step},
            {"markers", r.markers},
            {"unterminated", r.unterminated},
            {"cancelled", r.cancelled}};
}

const char* reason_name(int code) {
    return to_string(static_cast<FlushReason>(code));
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

// One row for every number of the JSON: its path, last step apart.
void flatten(const std::string& section, const std::string& name, const json::value& value,
             std::string& out) {
    if (value.is_object()) {
        for (const auto& [key, inner] : value.get_object())
            if (inner.is_structured())
                flatten(section.empty() ? std::string(key) : section,
                        section.empty() ? name : name + (name.empty() ? "" : ".") + std::string(key), inner,
                        out);
            else
                out += csv_field(section) + ',' + csv_field(name) + ',' + csv_field(std::string(key)) + ',' +
                       csv_field(inner.is_string() ? std::string(inner.get_string())
                                 : inner.is_null() ? ""
                                                   : json::serialize(inner)) +
                       '\n';
        return;
    }
    std::size_t row = 0;
    for (const json::value& inner : value.get_array()) {
        // rows are named by what identifies them, else numbered
        std::string label = std::to_string(row++);
        for (const char* key : {"code", "cpu", "name", "function", "task", "line"})
            if (const json::value* id = inner.get_object().if_contains(key)) {
                label = id->is_string() ? std::string(id->get_string()) : json::serialize(*id);
                break;
            }
        flatten(section, name.empty() ? label : name + '.' + label, inner, out);
    }
}

} // namespace

json::object to_json(const Summary& s) {
    json::object out{{"schema", "tlbscope.inspect/1"},
                     {"file", utf8(s.file)},
                     {"format", s.format},
                     {"clock", s.clock},
                     {"time_unit", s.nanoseconds ? "ns" : "ticks"},
                     {"cpus", s.cpus},
                     {"lanes_are_threads", s.lanes_are_threads},
                     {"events", s.events},
                     {"first_time", s.first_time},
                     {"last_time", s.last_time},
                     {"duration", s.last_time - s.first_time}};
    if (s.import) out["import"] = import_json(*s.import);

    json::array reasons;
    for (const ReasonCount& r : s.reasons)
        reasons.push_back(json::object{{"code", r.code},
                                       {"name", reason_name(r.code)},
                                       {"count", r.count},
                                       {"full", r.full},
                                       {"nothing_to_do", r.nothing_to_do},
                                       {"pages", r.pages}});
    out["flushes"] = json::object{{"total", s.flushes},
                                  {"full", s.full_flushes},
                                  {"nothing_to_do", s.flushes_of_nothing},
                                  {"by_reason", std::move(reasons)}};
    out["shootdowns"] = json::object{{"total", s.shootdowns},
                                     {"without_target", s.without_target},
                                     {"sends", s.sends},
                                     {"matched_by_csd", s.matched_by_csd},
                                     {"matched_by_time", s.matched_by_time},
                                     {"sends_unmatched", s.sends_unmatched},
                                     {"receives_unmatched", s.receives_unmatched},
                                     {"announced_without_receive", s.announced_without_receive}};
    out["delivery"] = distribution_json(s.delivery);
    out["service"] = distribution_json(s.service);
    out["wait"] = distribution_json(s.wait);
    out["switch_to_flush"] = distribution_json(s.switch_to_flush);

    json::array rows;
    for (const InitiatorCount& i : s.initiators)
        rows.push_back(json::object{{"task", i.task},
                                    {"comm", utf8(i.comm)},
                                    {"shootdowns", i.shootdowns},
                                    {"full", i.full},
                                    {"targets", i.targets},
                                    {"wait", i.wait}});
    out["initiators"] = std::exchange(rows, {});
    for (const VictimCount& v : s.victims)
        rows.push_back(json::object{
            {"task", v.task}, {"comm", utf8(v.comm)}, {"interrupts", v.interrupts}, {"service", v.service}});
    out["victims"] = std::exchange(rows, {});
    for (const CpuCount& c : s.per_cpu)
        rows.push_back(json::object{{"cpu", c.cpu},
                                    {"events", c.events},
                                    {"flushes", c.flushes},
                                    {"shootdowns_sent", c.shootdowns_sent},
                                    {"ipis_sent", c.ipis_sent},
                                    {"shootdowns_received", c.shootdowns_received},
                                    {"function_call_interrupts", c.function_call_interrupts},
                                    {"interrupts", c.interrupts},
                                    {"switches", c.switches},
                                    {"faults", c.faults},
                                    {"lost", c.lost},
                                    {"service", c.service},
                                    {"wait", c.wait}});
    out["per_cpu"] = std::exchange(rows, {});
    for (const SyscallCount& c : s.syscalls)
        rows.push_back(json::object{
            {"name", utf8(c.name)}, {"enters", c.enters}, {"exits", c.exits}, {"shootdowns", c.shootdowns}});
    out["syscalls"] = std::exchange(rows, {});
    for (const CallbackCount& c : s.callbacks)
        rows.push_back(json::object{{"function", utf8(c.function)},
                                    {"queued", c.queued},
                                    {"ipis", c.ipis},
                                    {"executed", c.executed},
                                    {"executed_locally", c.executed_locally},
                                    {"flushes_tlb", is_flush_function(c.function)}});
    out["callbacks"] = std::exchange(rows, {});
    json::object kinds;
    for (const auto& [kind, count] : s.kinds)
        kinds[to_string(kind)] = count;
    out["kinds"] = std::move(kinds);
    return out;
}

std::string to_csv(const Summary& summary) {
    std::string out = "section,name,measure,value\n";
    json::object all = to_json(summary);
    flatten("", "", all, out);
    return out;
}

} // namespace tlbscope
