// Where simulated events go: always counted and hashed, kept only if somebody listens.
#pragma once

#include "engine/core/event.h"

#include <cstring>
#include <vector>

namespace tlbscope {

class Recorder {
public:
    // `sink` is not owned; null: nobody listens.
    void listen(std::vector<Event>* sink) { sink_ = sink; }

    void emit(const Event& event) {
        std::uint64_t words[4];
        std::memcpy(words, &event, sizeof words);
        for (const std::uint64_t word : words) {
            hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15u;
            hash_ ^= hash_ >> 32;
        }
        ++count_;
        if (sink_) sink_->push_back(event);
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t hash() const { return hash_; }

private:
    std::vector<Event>* sink_ = nullptr;
    std::uint64_t count_ = 0;
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

} // namespace tlbscope
