#include "engine/experiment/validation.h"

#include "engine/core/error.h"
#include "engine/experiment/parallel.h"

#include <mutex>

namespace tlbscope {

std::vector<ValidationRow> validate_model(const std::vector<PublishedFigure>& figures,
                                          const PublishedModel& model, const std::atomic<bool>& cancel,
                                          const std::function<void(std::size_t, const ValidationRow&)>& row,
                                          int threads) {
    std::vector<ValidationRow> rows;
    for (const PublishedFigure& figure : figures) {
        rows.emplace_back();
        rows.back().figure = figure;
    }
    std::mutex mutex;
    run_parallel(rows.size(), threads, cancel, [&](std::size_t i) {
        double value = 0;
        std::string error;
        try {
            if (!model(figures[i], cancel, value)) return;
        } catch (const Error& why) {
            error = why.what();
        }
        const std::lock_guard lock(mutex);
        if (cancel) return;
        rows[i].done = true;
        rows[i].model = value;
        rows[i].error = error;
        if (row) row(i, rows[i]);
    });
    return rows;
}

} // namespace tlbscope
