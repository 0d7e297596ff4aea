// Independent jobs on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace tlbscope {

// `threads`, or as many as there are CPUs for 0; at least 1.
int pool_size(int threads);

// Calls job(0) … job(count - 1), each once and begun in this order, on the calling thread and a pool,
// until `cancel` is set or a job throws. The first exception comes out here when all threads have come to
// rest.
void run_parallel(std::size_t count, int threads, const std::atomic<bool>& cancel,
                  const std::function<void(std::size_t job)>& job);

} // namespace tlbscope
