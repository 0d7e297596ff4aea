// struct rw_semaphore as of 3.10 to 3.15: FIFO of sleepers, readers granted in batches, a woken
// writer competes and may lose to a stealing one (ce6711f3d196), no spinning (4fc828e24cd9 is 3.16).
#pragma once

#include "engine/core/types.h"

#include <deque>
#include <vector>

namespace tlbscope {

class RwSem {
public:
    struct Waiter {
        TaskId task = 0;
        bool write = false;
    };

    // down_read / down_write fast path. False: the caller is queued and must sleep.
    bool down_read(TaskId task) {
        if (!writer_ && queue_.empty()) {
            ++readers_;
            return true;
        }
        queue_.push_back({task, false});
        return false;
    }
    bool down_write(TaskId task) {
        if (!writer_ && readers_ == 0) { // stealing: a queue does not matter
            writer_ = true;
            return true;
        }
        queue_.push_back({task, true});
        return false;
    }

    // A woken writer tries again; on success it leaves the queue. Woken readers already hold it.
    bool retry_write(TaskId task) {
        if (writer_ || readers_ != 0) return false;
        writer_ = true;
        remove(task);
        return true;
    }

    // up_read / up_write: appends the tasks to wake. Readers at the head are granted the lock.
    void up_read(std::vector<TaskId>& wake) {
        --readers_;
        if (readers_ == 0) wake_head(wake);
    }
    void up_write(std::vector<TaskId>& wake) {
        writer_ = false;
        wake_head(wake);
    }

    bool held_for_write() const { return writer_; }
    std::uint32_t readers() const { return readers_; }
    std::size_t waiters() const { return queue_.size(); }

private:
    void wake_head(std::vector<TaskId>& wake) {
        if (queue_.empty()) return;
        if (queue_.front().write) {
            wake.push_back(queue_.front().task); // stays queued until it has the lock
            return;
        }
        while (!queue_.empty() && !queue_.front().write) {
            wake.push_back(queue_.front().task);
            queue_.pop_front();
            ++readers_;
        }
    }
    void remove(TaskId task) {
        for (auto at = queue_.begin(); at != queue_.end(); ++at)
            if (at->task == task) {
                queue_.erase(at);
                return;
            }
    }

    std::deque<Waiter> queue_;
    std::uint32_t readers_ = 0;
    bool writer_ = false;
};

} // namespace tlbscope
