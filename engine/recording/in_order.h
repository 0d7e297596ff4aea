// Hands things on in the order of their numbers, though several threads finish them in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tlbscope {

template <class T>
class InOrder {
public:
    // Numbers from 0 on, each delivered once, from any thread. Calls `take` with the number and the thing for
    // each that is next, never from two threads at once and not with the lock held; the thread that delivers
    // the missing one hands on all that waited for it.
    template <class Take>
    void deliver(std::uint64_t number, std::unique_ptr<T> thing, Take take) {
        std::unique_lock lock(mutex_);
        waiting_.emplace_back(number, std::move(thing));
        if (taking_) return; // that thread will see it
        taking_ = true;
        for (;;) {
            const auto next = std::find_if(waiting_.begin(), waiting_.end(),
                                           [this](const auto& w) { return w.first == next_; });
            if (next == waiting_.end()) break;
            std::unique_ptr<T> ready = std::move(next->second);
            waiting_.erase(next);
            lock.unlock();
            take(next_, std::move(ready));
            lock.lock();
            ++next_;
        }
        taking_ = false;
    }

private:
    std::mutex mutex_;
    std::vector<std::pair<std::uint64_t, std::unique_ptr<T>>> waiting_;
    std::uint64_t next_ = 0; // written with the lock held, by the taking thread alone
    bool taking_ = false;
};

} // namespace tlbscope
