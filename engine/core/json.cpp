#include "engine/core/json.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace tlbscope {

namespace json = boost::json;

JsonObject::JsonObject(const json::value& value, std::string file, std::string path)
    : object_(value.if_object()), file_(std::move(file)), path_(std::move(path)) {
    if (!object_)
        throw Error(file_, (path_.empty() ? std::string("the document") : path_) + " is not an object");
}

void JsonObject::fail(const char* field, const std::string& what, const std::string& hint) const {
    throw Error(file_, at(field) + " " + what, hint);
}

bool JsonObject::has(const char* field) const {
    return object_->if_contains(field) != nullptr;
}

const json::value& JsonObject::get(const char* field) {
    const json::value* value = object_->if_contains(field);
    if (!value) fail(field, "is missing");
    read_.emplace_back(field);
    return *value;
}

bool JsonObject::is_null(const char* field) {
    return get(field).is_null();
}

JsonObject JsonObject::object(const char* field) {
    return JsonObject(get(field), file_, at(field));
}

std::vector<JsonObject> JsonObject::objects(const char* field) {
    const json::array* array = get(field).if_array();
    if (!array) fail(field, "is not an array");
    std::vector<JsonObject> objects;
    for (std::size_t i = 0; i < array->size(); ++i)
        objects.emplace_back((*array)[i], file_, at(field) + "[" + std::to_string(i) + "]");
    return objects;
}

std::string JsonObject::string(const char* field) {
    const json::value& value = get(field);
    if (!value.is_string()) fail(field, "is not a string");
    return std::string(value.get_string());
}

double JsonObject::number(const char* field, double low, double high) {
    const json::value& value = get(field);
    if (!value.is_number()) fail(field, "is not a number");
    const double number = value.to_number<double>();
    if (!(number >= low && number <= high)) {
        std::ostringstream range;
        range << low << " … " << high;
        fail(field, "is " + json::serialize(value), range.str());
    }
    return number;
}

std::int64_t JsonObject::integer(const char* field, std::int64_t low, std::int64_t high) {
    const json::value& value = get(field);
    json::error_code ec;
    const auto number = value.to_number<std::int64_t>(ec);
    if (ec) fail(field, "is not a whole number");
    if (number < low || number > high)
        fail(field, "is " + std::to_string(number), std::to_string(low) + " … " + std::to_string(high));
    return number;
}

bool JsonObject::boolean(const char* field) {
    const json::value& value = get(field);
    if (!value.is_bool()) fail(field, "is neither true nor false");
    return value.get_bool();
}

void JsonObject::finish() const {
    for (const auto& entry : *object_)
        if (std::find(read_.begin(), read_.end(), entry.key()) == read_.end())
            throw Error(file_, at(std::string(entry.key()).c_str()) + " is not a known field",
                        "check the spelling");
}

json::value parse_json(const std::string& text, const std::string& file) {
    json::stream_parser parser;
    json::error_code ec;
    const std::size_t consumed = parser.write_some(text.data(), text.size(), ec);
    if (!ec) parser.finish(ec);
    if (!ec && text.find_first_not_of(" \t\r\n", consumed) != std::string::npos) ec = json::error::extra_data;
    if (ec) {
        const auto bad = text.begin() + static_cast<std::ptrdiff_t>(std::min(consumed, text.size()));
        const auto line = std::count(text.begin(), bad, '\n') + 1;
        throw Error(file, "line " + std::to_string(line) + ": " + ec.message(),
                    "the file must be valid JSON");
    }
    return parser.release();
}

std::string read_text_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(path, std::string("cannot be read: ") + std::strerror(errno));
    std::ostringstream text;
    text << file.rdbuf();
    if (file.bad()) throw Error(path, "cannot be read to its end");
    return std::move(text).str();
}

} // namespace tlbscope
