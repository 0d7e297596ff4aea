#include "engine/recording/byte_source.h"

#include "engine/core/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tlbscope {

FileSource::FileSource(std::string path) : path_(std::move(path)) {
    file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) throw Error(path_, std::string("cannot be opened: ") + std::strerror(errno));
    struct stat status {};
    const auto fail = [this](const std::string& what) {
        ::close(file_);
        file_ = -1;
        throw Error(path_, what);
    };
    if (::fstat(file_, &status) != 0) fail(std::string("cannot be examined: ") + std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail("is a directory, not a recording");
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        size_ = static_cast<std::uint64_t>(status.st_size);
        ::posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);
        return;
    }
    in_memory_ = true;
    constexpr std::size_t kStep = 1 << 20;
    for (;;) {
        memory_.resize(size_ + kStep);
        const ssize_t n = ::read(file_, memory_.data() + size_, kStep);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
        size_ += static_cast<std::uint64_t>(n);
        if (n == 0) break;
    }
    memory_.resize(size_);
}

FileSource::~FileSource() {
    if (file_ >= 0) ::close(file_);
}

std::size_t FileSource::read(std::uint64_t offset, char* to, std::size_t n) const {
    if (in_memory_) return TextSource({memory_.data(), memory_.size()}).read(offset, to, n);
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::pread(file_, to + done, n - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw Error(path_, std::string("cannot be read: ") + std::strerror(errno));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::size_t TextSource::read(std::uint64_t offset, char* to, std::size_t n) const {
    if (offset >= text_.size()) return 0;
    const std::size_t count = std::min(n, text_.size() - static_cast<std::size_t>(offset));
    std::memcpy(to, text_.data() + offset, count);
    return count;
}

} // namespace tlbscope
