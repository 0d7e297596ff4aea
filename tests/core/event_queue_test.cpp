#include "engine/core/event_queue.h"

#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

using namespace tlbscope;

namespace {

struct Id {
    std::uint64_t id;
};

// A set ordered by time and number of insertion is the queue as its contract says it.
class Both {
public:
    void push(Cycles time) {
        queue.push(time, {next_});
        expected_.insert({time, next_++});
    }
    void check_top() const {
        ASSERT_EQ(queue.size(), expected_.size());
        ASSERT_EQ(queue.empty(), expected_.empty());
        if (expected_.empty()) return;
        ASSERT_EQ(queue.top().time, expected_.begin()->first);
        ASSERT_EQ(queue.top().payload.id, expected_.begin()->second);
    }
    Cycles pop() {
        const auto item = queue.pop();
        EXPECT_EQ(item.time, expected_.begin()->first);
        EXPECT_EQ(item.payload.id, expected_.begin()->second);
        expected_.erase(expected_.begin());
        return item.time;
    }
    bool empty() const { return expected_.empty(); }
    EventQueue<Id> queue;

private:
    std::set<std::pair<Cycles, std::uint64_t>> expected_;
    std::uint64_t next_ = 0;
};

class EventQueueTest : public testing::TestWithParam<Cycles> {};

// Delays up to the parameter, many of them equal, some far away, some before what was taken already.
TEST_P(EventQueueTest, TakesByTimeThenByInsertion) {
    const auto span = static_cast<std::uint64_t>(GetParam());
    Random random(span);
    Both both;
    Cycles now = 0;
    for (int step = 0; step < 60000; ++step) {
        const bool growing = step / 3000 % 2 == 0;
        if (both.empty() || random.below(100) < (growing ? 60 : 40)) {
            const std::uint64_t kind = random.below(20);
            Cycles time = now + static_cast<Cycles>(random.below(span));
            if (kind == 0) time = now;
            if (kind == 1) time = now + static_cast<Cycles>(random.below(100 * span));
            if (kind == 2) time = static_cast<Cycles>(random.below(static_cast<std::uint64_t>(now) + 1));
            if (kind == 3) time = now / 1000 * 1000 + 1000;
            both.push(time);
        } else {
            now = std::max(now, both.pop());
        }
        both.check_top();
        if (HasFatalFailure()) return;
        if (step % 20000 == 19999) // until nothing is left
            while (!both.empty()) {
                now = std::max(now, both.pop());
                both.check_top();
                if (HasFailure()) return;
            }
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Spans, EventQueueTest,
                         testing::Values(1, 100, 1000, 100000, 262144, 300000, 5000000, 1000000000000));

TEST(EventQueue, ACopyRunsOnAlike) {
    Random random(1);
    EventQueue<Id> queue;
    for (std::uint64_t i = 0; i < 500; ++i)
        queue.push(static_cast<Cycles>(random.below(1000000)), {i});
    for (int i = 0; i < 200; ++i)
        queue.pop();
    EventQueue<Id> copy = queue;
    std::vector<std::uint64_t> order;
    while (!queue.empty()) {
        order.push_back(queue.pop().payload.id);
        if (order.back() % 3 == 0 && order.back() < 1000)
            queue.push(1000000 + static_cast<Cycles>(order.back()), {order.back() + 1000});
    }
    for (const std::uint64_t id : order) {
        ASSERT_FALSE(copy.empty());
        ASSERT_EQ(copy.pop().payload.id, id);
        if (id % 3 == 0 && id < 1000) copy.push(1000000 + static_cast<Cycles>(id), {id + 1000});
    }
    EXPECT_TRUE(copy.empty());
}

} // namespace
