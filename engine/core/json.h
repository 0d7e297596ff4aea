// Reading JSON objects so that every complaint names the file and the field.
#pragma once

#include "engine/core/error.h"

#include <boost/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlbscope {

// A view of one JSON object; the value must outlive it. Fields that were never asked for are
// reported by finish(), so that a misspelt field cannot pass unnoticed.
class JsonObject {
public:
    // `path` is the place inside the file, "" for the root.
    JsonObject(const boost::json::value& value, std::string file, std::string path);

    bool has(const char* field) const;
    bool is_null(const char* field);
    JsonObject object(const char* field);
    std::vector<JsonObject> objects(const char* field); // an array of them
    std::string string(const char* field);
    double number(const char* field, double low, double high);
    std::int64_t integer(const char* field, std::int64_t low, std::int64_t high);
    bool boolean(const char* field);
    // Throws Error for the first field nobody read.
    void finish() const;

    std::string at(const char* field) const { return path_.empty() ? field : path_ + "." + field; }
    // Throws Error at `field`.
    [[noreturn]] void fail(const char* field, const std::string& what, const std::string& hint = {}) const;

private:
    const boost::json::value& get(const char* field);

    const boost::json::object* object_;
    std::string file_, path_;
    std::vector<std::string> read_;
};

// Throws Error naming file, line and column.
boost::json::value parse_json(const std::string& text, const std::string& file);
// Whole file; throws Error when it cannot be read.
std::string read_text_file(const std::string& path);

} // namespace tlbscope
