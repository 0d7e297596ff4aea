#include "app/cli/figures.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace tlbscope {

namespace {

std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
            out += escaped;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

std::string number_text(double value) {
    if (!std::isfinite(value)) return "null";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

struct Plain {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(std::uint64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return number_text(value); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string& value) const { return value; }
};

std::string json_value(const FigureValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return json_string(*text);
    return std::visit(Plain{}, value);
}

std::string csv_value(const FigureValue& value) {
    return csv_field(std::visit(Plain{}, value));
}

// Members of one object, without its braces.
class JsonObjectText {
public:
    explicit JsonObjectText(std::string indent) : indent_(std::move(indent)) {}

    void member(const std::string& key, const std::string& value) {
        const std::size_t dot = key.find('.');
        const std::string group = dot == std::string::npos ? "" : key.substr(0, dot);
        if (group != group_) leave();
        if (group.empty()) {
            next(indent_);
            text_ += json_string(key) + ": " + value;
            return;
        }
        if (group_.empty()) {
            next(indent_);
            text_ += json_string(group) + ": {";
            group_ = group;
            first_ = true;
        }
        next(indent_ + "  ");
        text_ += json_string(key.substr(dot + 1)) + ": " + value;
    }
    std::string take() {
        leave();
        return std::move(text_);
    }

private:
    void next(const std::string& indent) {
        text_ += (first_ ? "\n" : ",\n") + indent;
        first_ = false;
    }
    void leave() {
        if (group_.empty()) return;
        text_ += "\n" + indent_ + "}";
        group_.clear();
        first_ = false;
    }

    std::string indent_, text_, group_;
    bool first_ = true;
};

std::string group_digits(const std::string& digits) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i && (digits.size() - i) % 3 == 0) out += ' ';
        out += digits[i];
    }
    return out;
}

} // namespace

std::string to_json(const Figures& figures, const std::vector<FigureTable>& tables) {
    JsonObjectText object("  ");
    for (const Figure& figure : figures.all())
        object.member(figure.key, json_value(figure.value));
    for (const FigureTable& table : tables) {
        std::string rows = "[";
        for (const Figures& row : table.rows) {
            JsonObjectText member("      ");
            for (const Figure& figure : row.all())
                member.member(figure.key, json_value(figure.value));
            rows += (rows.size() > 1 ? ",\n    {" : "\n    {") + member.take() + "\n    }";
        }
        object.member(table.key, rows + (rows.size() > 1 ? "\n  ]" : "]"));
    }
    return "{" + object.take() + "\n}\n";
}

std::string to_csv(const Figures& figures) {
    std::string out = "key,value\n";
    for (const Figure& figure : figures.all())
        out += csv_field(figure.key) + "," + csv_value(figure.value) + "\n";
    return out;
}

std::string to_csv(const std::vector<Figures>& rows) {
    std::string out;
    const auto line = [&out](const Figures& row, auto&& text_of) {
        bool first = true;
        for (const Figure& figure : row.all()) {
            if (!first) out += ',';
            first = false;
            out += text_of(figure);
        }
        out += '\n';
    };
    if (!rows.empty()) line(rows.front(), [](const Figure& figure) { return csv_field(figure.key); });
    for (const Figures& row : rows)
        line(row, [](const Figure& figure) { return csv_value(figure.value); });
    return out;
}

std::string with_spaces(std::int64_t number) {
    const std::string digits = std::to_string(number);
    return digits.front() == '-' ? "-" + group_digits(digits.substr(1)) : group_digits(digits);
}

std::string with_spaces(double number, int digits) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, "%.*f", digits, number);
    const std::string text = buffer;
    const std::size_t begin = text.front() == '-' ? 1 : 0;
    const std::size_t point = std::min(text.find('.'), text.size());
    return text.substr(0, begin) + group_digits(text.substr(begin, point - begin)) + text.substr(point);
}

} // namespace tlbscope
