// Test recordings: where they are, and ways to compare what was read from them.
#pragma once

#include "engine/recording/describe.h"
#include "engine/recording/import.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tlbscope::test {

inline std::string data_path(const std::string& name) {
    return std::string(TLBSCOPE_TEST_DATA) + "/recording/" + name;
}

inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string data(const std::string& name) {
    return file_text(data_path(name));
}

inline ImportedRecording open(const std::string& name, const ImportOptions& options = {}) {
    return import_file(data_path(name), options);
}

inline std::vector<Event> events(const EventLog& log) {
    std::vector<Event> all;
    for (std::uint64_t i = log.first_index(); i < log.end_index(); ++i)
        all.push_back(log[i]);
    return all;
}

// Events with all names written out, so that recordings with other name numbers compare.
inline std::vector<std::string> lines(const EventLog& log) {
    std::vector<std::string> all;
    for (const Event& e : events(log))
        all.push_back(describe_line(e, log));
    return all;
}

// Without comm, time and the rest of the head.
inline std::vector<std::string> payloads(const EventLog& log) {
    std::vector<std::string> all;
    for (const Event& e : events(log))
        all.push_back(describe(e, log));
    return all;
}

// First difference only: whole recordings in a message help nobody.
inline std::string difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        if (a[i] != b[i]) return std::to_string(i) + ": " + a[i] + " | " + b[i];
    return a.size() == b.size() ? "" : std::to_string(a.size()) + " and " + std::to_string(b.size());
}

inline std::uint64_t accounted_lines(const ImportReport& r) {
    return r.parsed + r.lost_lines + r.headers + r.blank + r.stack + r.continuation + r.ignored + r.unparsed;
}

} // namespace tlbscope::test
