#include "engine/experiment/simulate.h"
#include "engine/experiment/sweep.h"
#include "engine/experiment/sweep_results.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

namespace tlbscope {

namespace {

int pool_size(int threads) {
    if (threads > 0) return threads;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

// One started sweep; shared by the jobs of it that still run.
struct Sweep {
    Sweep(std::uint64_t number, const SweepSpec& spec, Measure how)
        : id(number), measure(std::move(how)), results(spec) {}

    const std::uint64_t id;
    const Measure measure;
    std::atomic<bool> cancelled{false};
    std::atomic<std::size_t> next{0};
    SweepResults results; // under Impl::mutex, apart from scenario() and jobs(), which never change
};

} // namespace

struct SweepRunner::Impl {
    Impl(MeasureFactory factory, Callback function, int threads)
        : measure_for(std::move(factory)), callback(std::move(function)), size(pool_size(threads)),
          pool(static_cast<std::size_t>(size)) {}

    MeasureFactory measure_for;
    Callback callback;
    // Held while a result is delivered, so that none can follow a cancel(). Recursive: the callback
    // itself may start and cancel.
    std::recursive_mutex mutex;
    std::map<int, std::shared_ptr<Sweep>> slots;
    std::uint64_t last_id = 0;
    int size;
    boost::asio::thread_pool pool;

    // Takes the next job, then queues again behind the jobs of other slots.
    void step(const std::shared_ptr<Sweep>& sweep) {
        if (sweep->cancelled) return;
        const std::size_t job = sweep->next++;
        if (job >= sweep->results.jobs()) return;
        std::optional<Measurement> measured;
        try {
            measured = sweep->measure(sweep->results.scenario(job), sweep->cancelled);
        } catch (const std::exception&) {
            // The scenario was checked in start(); what is left is this one job's bad luck (no memory), and
            // its point goes without this seed.
        }
        {
            const std::lock_guard lock(mutex);
            if (sweep->cancelled) return;
            const SweepPoint point = measured ? sweep->results.add(job, *measured) : sweep->results.skip(job);
            callback(sweep->id, point, sweep->results.progress());
        }
        boost::asio::post(pool, [this, sweep] { step(sweep); });
    }

    void cancel(int slot) {
        const std::lock_guard lock(mutex);
        const auto found = slots.find(slot);
        if (found == slots.end()) return;
        found->second->cancelled = true;
        slots.erase(found);
    }
};

SweepRunner::SweepRunner(std::string resources, Callback callback, int threads)
    : SweepRunner([resources = std::move(resources)](
                      const SweepSpec& spec) { return simulate_measure(spec, resources); },
                  std::move(callback), threads) {}

SweepRunner::SweepRunner(MeasureFactory measure, Callback callback, int threads)
    : impl_(std::make_unique<Impl>(std::move(measure), std::move(callback), threads)) {}

SweepRunner::~SweepRunner() {
    {
        const std::lock_guard lock(impl_->mutex);
        for (auto& [slot, sweep] : impl_->slots)
            sweep->cancelled = true;
        impl_->slots.clear();
    }
    impl_->pool.join();
}

std::uint64_t SweepRunner::start(const SweepSpec& spec, int slot) {
    Impl& impl = *impl_;
    const std::lock_guard lock(impl.mutex);
    auto sweep = std::make_shared<Sweep>(impl.last_id + 1, spec, impl.measure_for(spec));
    impl.cancel(slot);
    impl.last_id = sweep->id;
    impl.slots[slot] = sweep;
    const auto jobs = static_cast<int>(std::min<std::size_t>(sweep->results.jobs(), 1u << 20));
    for (int i = 0; i < std::min(impl.size, jobs); ++i)
        boost::asio::post(impl.pool, [&impl, sweep] { impl.step(sweep); });
    return sweep->id;
}

void SweepRunner::cancel(int slot) {
    impl_->cancel(slot);
}

} // namespace tlbscope
