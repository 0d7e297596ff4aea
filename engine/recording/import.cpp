#include "engine/recording/import.h"

#include "engine/core/error.h"
#include "engine/recording/byte_source.h"
#include "engine/recording/importer.h"
#include "engine/recording/in_order.h"
#include "engine/recording/log_builder.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace tlbscope {
namespace {

constexpr std::size_t kSniffBytes = 1 << 20;

// Threads take pieces in turn; whoever completes the piece that is next in the file appends it, and all
// that wait behind it, so memory never holds more than the few pieces in flight besides the log.
class ParallelImport {
public:
    ParallelImport(const ByteSource& source, const Sniffed& format, const ImportOptions& options)
        : source_(source), format_(format), options_(options), builder_(format),
          step_(std::max<std::size_t>(options.piece_bytes, 1)), pieces_((source.size() + step_ - 1) / step_) {
    }

    ImportedRecording run() {
        const auto hardware = std::max(1u, std::thread::hardware_concurrency());
        std::size_t threads = options_.threads > 0 ? static_cast<std::size_t>(options_.threads) : hardware;
        threads = std::min<std::size_t>({threads, static_cast<std::size_t>(pieces_), 64});
        {
            std::vector<std::jthread> helpers;
            for (std::size_t i = 1; i < threads; ++i)
                helpers.emplace_back([this] { work(); });
            work();
        }
        if (failure_) std::rethrow_exception(failure_);
        ImportedRecording recording;
        builder_.finish(recording.log, recording.report, recording.cpus);
        recording.report.bytes = source_.size();
        recording.report.cancelled = cancelled();
        return recording;
    }

private:
    bool cancelled() const { return options_.cancel && options_.cancel->load(std::memory_order_relaxed); }

    void work() {
        try {
            for (;;) {
                const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
                if (number >= pieces_ || stop_.load(std::memory_order_relaxed) || cancelled()) return;
                std::unique_ptr<Piece> piece = take_spare();
                const std::uint64_t from = number * step_;
                parse_piece(source_, from, std::min<std::uint64_t>(from + step_, source_.size()), format_,
                            *piece);
                in_order_.deliver(
                    number, std::move(piece),
                    [this](std::uint64_t n, std::unique_ptr<Piece> p) { append(n, std::move(p)); });
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            stop_ = true;
        }
    }

    std::unique_ptr<Piece> take_spare() {
        const std::lock_guard lock(mutex_);
        if (spare_.empty()) return std::make_unique<Piece>();
        std::unique_ptr<Piece> piece = std::move(spare_.back());
        spare_.pop_back();
        return piece;
    }

    void append(std::uint64_t number, std::unique_ptr<Piece> piece) {
        builder_.append(*piece);
        piece->clear();
        if (options_.progress)
            options_.progress(std::min<std::uint64_t>((number + 1) * step_, source_.size()), source_.size());
        const std::lock_guard lock(mutex_);
        spare_.push_back(std::move(piece));
    }

    const ByteSource& source_;
    const Sniffed format_;
    const ImportOptions& options_;
    LogBuilder builder_; // used by one thread at a time, see InOrder
    const std::uint64_t step_, pieces_;

    std::atomic<std::uint64_t> next_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::vector<std::unique_ptr<Piece>> spare_;
    InOrder<Piece> in_order_;
    std::exception_ptr failure_;
};

ImportedRecording import_source(const ByteSource& source, const std::string& where,
                                const ImportOptions& options) {
    std::string begin(static_cast<std::size_t>(std::min<std::uint64_t>(source.size(), kSniffBytes)), '\0');
    begin.resize(source.read(0, begin.data(), begin.size()));
    const Sniffed format = sniff(begin, where);
    ImportedRecording recording = ParallelImport(source, format, options).run();
    if (options.ticks_per_second > 0) recording.log.set_ticks_per_second(options.ticks_per_second);
    return recording;
}

} // namespace

ImportedRecording import_file(const std::string& path, const ImportOptions& options) {
    return import_source(FileSource(path), path, options);
}

ImportedRecording import_text(std::string_view text, const std::string& where, const ImportOptions& options) {
    return import_source(TextSource(text), where, options);
}

} // namespace tlbscope
