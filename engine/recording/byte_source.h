// The bytes of a recording, read at any offset by any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tlbscope {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;
    // Up to n bytes at `offset`; fewer only at the end. Throws Error when the medium fails.
    virtual std::size_t read(std::uint64_t offset, char* to, std::size_t n) const = 0;
};

// A regular file, read with pread: a file that shrinks meanwhile ends early instead of raising SIGBUS,
// and copying costs less than mapping. Files that do not know their size (tracefs, pipes) are read to
// their end first. Throws Error naming the path.
class FileSource final : public ByteSource {
public:
    explicit FileSource(std::string path);
    ~FileSource() override;
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    std::uint64_t size() const override { return size_; }
    std::size_t read(std::uint64_t offset, char* to, std::size_t n) const override;

private:
    std::string path_;
    int file_ = -1;
    std::uint64_t size_ = 0;
    bool in_memory_ = false;
    std::vector<char> memory_;
};

// Bytes somebody else holds.
class TextSource final : public ByteSource {
public:
    explicit TextSource(std::string_view text) : text_(text) {}
    std::uint64_t size() const override { return text_.size(); }
    std::size_t read(std::uint64_t offset, char* to, std::size_t n) const override;

private:
    std::string_view text_;
};

} // namespace tlbscope
