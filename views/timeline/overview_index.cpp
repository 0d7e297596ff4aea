#include "views/timeline/overview_index.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {

void OverviewIndex::clear() {
    run_ = ~std::uint64_t{0};
    chunks_.clear();
    next_ = first_ = 0;
}

bool OverviewIndex::update(const EventLog& log, std::uint64_t run, std::uint64_t most) {
    // A run that stepped back has a shorter log.
    if (run != run_ || log.end_index() < next_ || log.first_index() > next_) {
        clear();
        run_ = run;
        next_ = first_ = log.first_index();
    }
    std::size_t gone = 0; // what the log has dropped
    while (gone < chunks_.size() && first_ + chunks_[gone].events <= log.first_index())
        first_ += chunks_[gone++].events;
    chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(gone));
    const std::uint64_t end = std::min(log.end_index(), next_ + most);
    for (; next_ < end; ++next_) {
        const Event& e = log[next_];
        if (chunks_.empty() || chunks_.back().events >= kChunk) chunks_.push_back({e.time, e.time, 0, 0, 0});
        Chunk& chunk = chunks_.back();
        chunk.end = e.time;
        ++chunk.events;
        chunk.flushes = static_cast<std::uint16_t>(chunk.flushes + (e.kind == EventKind::tlb_flush));
        chunk.ipis = static_cast<std::uint16_t>(
            chunk.ipis + (e.kind == EventKind::ipi_send_cpu || e.kind == EventKind::csd_queue_cpu));
    }
    return next_ == log.end_index();
}

std::vector<OverviewIndex::Column> OverviewIndex::columns(double begin, double end, int columns) const {
    std::vector<Column> out(static_cast<std::size_t>(std::max(0, columns)));
    if (columns <= 0 || !(end > begin)) return out;
    const double perTick = columns / (end - begin);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        const Chunk& chunk = chunks_[i];
        // Up to the next chunk's begin, so that nothing falls between two.
        const double from = double(chunk.begin);
        const double to =
            std::max(from + 1, i + 1 < chunks_.size() ? double(chunks_[i + 1].begin) : double(chunk.end));
        const double a = (from - begin) * perTick, b = (to - begin) * perTick;
        if (b <= 0 || a >= columns) continue;
        const float rate = static_cast<float>(chunk.events / (to - from));
        const auto firstColumn = static_cast<std::size_t>(std::max(0.0, a));
        const auto lastColumn = static_cast<std::size_t>(std::min<double>(columns - 1, std::max(0.0, b)));
        for (std::size_t c = firstColumn; c <= lastColumn; ++c) {
            const double share = std::min(b, double(c) + 1) - std::max(a, double(c));
            if (share <= 0) continue;
            out[c].mean += static_cast<float>(rate * share);
            out[c].flushes += static_cast<float>(chunk.flushes / (to - from) * share);
            out[c].peak = std::max(out[c].peak, rate);
        }
    }
    return out;
}

} // namespace tlbscope
