#include "engine/experiment/parallel.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace tlbscope {

int pool_size(int threads) {
    if (threads > 0) return threads;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_parallel(std::size_t count, int threads, const std::atomic<bool>& cancel,
                  const std::function<void(std::size_t job)>& job) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t i = next++; i < count && !cancel && !failed; i = next++) {
            try {
                job(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                failed = true;
            }
        }
    };
    const auto helpers =
        std::min(static_cast<std::size_t>(pool_size(threads)), std::max<std::size_t>(count, 1)) - 1;
    if (helpers > 0) {
        boost::asio::thread_pool pool(helpers);
        for (std::size_t i = 0; i < helpers; ++i)
            boost::asio::post(pool, work);
        work();
        pool.join();
    } else {
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace tlbscope
