#include "app/cli/value_list.h"

#include "app/cli/command.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace tlbscope {

namespace {

constexpr std::size_t kMaxValues = 10000;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw UsageError("the list of values \"" + text + "\" " + why +
                     "; write for example 1,2,4 or -1..8 or 0..100:10 or 16..4096*2");
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "FIRST..LAST", ":STEP" or "*FACTOR" behind it.
std::vector<int> parse_range(const std::string& whole, std::string_view part, std::size_t dots) {
    std::string_view tail = part.substr(dots + 2);
    const std::size_t mark = tail.find_first_of(":*");
    std::optional<int> step = 1;
    const bool factor = mark != std::string_view::npos && tail[mark] == '*';
    if (mark != std::string_view::npos) {
        step = number(tail.substr(mark + 1));
        tail = tail.substr(0, mark);
    }
    const auto first = number(part.substr(0, dots));
    const auto last = number(tail);
    if (!first || !last || !step) refuse(whole, "has something else than numbers in " + std::string(part));
    if (*last < *first) refuse(whole, "ends below its beginning in " + std::string(part));
    if (*step < (factor ? 2 : 1)) refuse(whole, "does not get on with its step in " + std::string(part));
    if (factor && *first < 1) refuse(whole, "cannot multiply up from less than 1 in " + std::string(part));
    std::vector<int> values;
    for (std::int64_t value = *first; value <= *last; value = factor ? value * *step : value + *step) {
        if (values.size() == kMaxValues) refuse(whole, "has more than 10000 values");
        values.push_back(static_cast<int>(value));
    }
    return values;
}

} // namespace

std::vector<int> parse_value_list(const std::string& text) {
    std::vector<int> values;
    std::set<int> seen;
    std::string_view rest = text;
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        more = comma != std::string_view::npos;
        if (more) rest.remove_prefix(comma + 1);
        std::vector<int> some;
        if (const std::size_t dots = part.find(".."); dots != std::string_view::npos)
            some = parse_range(text, part, dots);
        else if (const auto single = number(part))
            some = {*single};
        else
            refuse(text, "has something else than a number in \"" + std::string(part) + "\"");
        for (const int value : some)
            if (seen.insert(value).second) values.push_back(value);
        if (values.size() > kMaxValues) refuse(text, "has more than 10000 values");
    }
    return values;
}

} // namespace tlbscope
