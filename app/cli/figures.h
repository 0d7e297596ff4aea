// Named figures, printed as JSON or CSV with the same keys.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tlbscope {

using FigureValue = std::variant<std::int64_t, std::uint64_t, double, bool, std::string>;

// A key with dots, "counters.ipis_sent", is a member of an object in JSON and stays as it is in CSV.
struct Figure {
    std::string key;
    FigureValue value;
};

// In the order added; the figures of one object must follow one another.
class Figures {
public:
    void add(std::string key, FigureValue value) { all_.push_back({std::move(key), std::move(value)}); }
    const std::vector<Figure>& all() const { return all_; }

private:
    std::vector<Figure> all_;
};

// An object over several lines. `tables` become arrays of objects behind the other members.
struct FigureTable {
    std::string key;
    std::vector<Figures> rows;
};
std::string to_json(const Figures& figures, const std::vector<FigureTable>& tables = {});

// "key,value" and a line for each.
std::string to_csv(const Figures& figures);
// A line of keys, taken from the first row, and a line for each row.
std::string to_csv(const std::vector<Figures>& rows);

// "84 769": thousands apart by a space.
std::string with_spaces(std::int64_t number);
// "12.3": fixed digits behind the point, thousands apart by a space.
std::string with_spaces(double number, int digits);

} // namespace tlbscope
