#include "engine/experiment/curve.h"
#include "engine/experiment/curve_results.h"
#include "engine/experiment/parallel.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

namespace tlbscope {

namespace {

// One started figure; shared by the jobs of it that still run.
struct Figure {
    Figure(std::uint64_t number, const CurveSpec& spec, CurveMeasure how)
        : id(number), measure(std::move(how)), results(spec) {}

    const std::uint64_t id;
    const CurveMeasure measure;
    std::atomic<bool> cancelled{false};
    std::atomic<std::size_t> next{0};
    CurveResults results; // under Impl::mutex, apart from scenario(), limits() and jobs(), which never change
};

// Linux gives every thread its own nice value: the window's comes first. Where it is refused the figure
// runs on all the same.
void lower_priority() {
    thread_local const int done = setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
    static_cast<void>(done);
}

} // namespace

struct CurveRunner::Impl {
    Impl(MeasureFactory factory, Callback function, int threads)
        : measure_for(std::move(factory)), callback(std::move(function)), size(pool_size(threads)),
          pool(static_cast<std::size_t>(size)) {}

    MeasureFactory measure_for;
    Callback callback;
    // Held while a result is delivered, so that none can follow a cancel(). Recursive: the callback
    // itself may start and cancel.
    std::recursive_mutex mutex;
    std::shared_ptr<Figure> current;
    std::uint64_t last_id = 0;
    int size;
    boost::asio::thread_pool pool;

    void run(const std::shared_ptr<Figure>& figure) {
        lower_priority();
        while (!figure->cancelled) {
            const std::size_t job = figure->next++;
            if (job >= figure->results.jobs()) return;
            CurveRun run;
            bool done = false;
            try {
                done = figure->measure(figure->results.scenario(job), figure->results.limits(),
                                       figure->cancelled, run);
            } catch (const std::exception&) {
                // start() has checked every variant; what is left is this one run's bad luck (no memory).
            }
            const std::lock_guard lock(mutex);
            if (figure->cancelled) return;
            const CurvePoint point = done ? figure->results.add(job, run) : figure->results.skip(job);
            callback(figure->id, point, figure->results.progress());
        }
    }

    void cancel() {
        const std::lock_guard lock(mutex);
        if (current) current->cancelled = true;
        current.reset();
    }
};

CurveRunner::CurveRunner(std::string resources, Callback callback, int threads)
    : CurveRunner(
          [resources = std::move(resources)](const CurveSpec& spec) {
              return simulate_curve(CurveResults(spec).first_scenarios(), resources);
          },
          std::move(callback), threads) {}

CurveRunner::CurveRunner(MeasureFactory measure, Callback callback, int threads)
    : impl_(std::make_unique<Impl>(std::move(measure), std::move(callback), threads)) {}

CurveRunner::~CurveRunner() {
    impl_->cancel();
    impl_->pool.join();
}

std::uint64_t CurveRunner::start(const CurveSpec& spec) {
    Impl& impl = *impl_;
    const std::lock_guard lock(impl.mutex);
    auto figure = std::make_shared<Figure>(impl.last_id + 1, spec, impl.measure_for(spec));
    impl.cancel();
    impl.last_id = figure->id;
    impl.current = figure;
    const auto jobs = static_cast<int>(std::min<std::size_t>(figure->results.jobs(), 1u << 20));
    for (int i = 0; i < std::min(impl.size, jobs); ++i)
        boost::asio::post(impl.pool, [&impl, figure] { impl.run(figure); });
    return figure->id;
}

void CurveRunner::cancel() {
    impl_->cancel();
}

} // namespace tlbscope
