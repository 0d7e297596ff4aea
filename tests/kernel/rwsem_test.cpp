#include "engine/core/random.h"
#include "engine/kernel/rwsem.h"

#include <gtest/gtest.h>

#include <set>

using namespace tlbscope;

TEST(RwSem, ReadersShareAndAWriterExcludes) {
    RwSem sem;
    std::vector<TaskId> wake;
    EXPECT_TRUE(sem.down_read(1));
    EXPECT_TRUE(sem.down_read(2));
    EXPECT_FALSE(sem.down_write(3));
    EXPECT_FALSE(sem.down_read(4)) << "readers queue behind a waiting writer";
    sem.up_read(wake);
    EXPECT_TRUE(wake.empty());
    sem.up_read(wake);
    EXPECT_EQ(wake, std::vector<TaskId>{3});
    EXPECT_TRUE(sem.down_write(5)) << "a running writer may steal the free lock";
    EXPECT_FALSE(sem.retry_write(3));
    wake.clear();
    sem.up_write(wake);
    EXPECT_EQ(wake, std::vector<TaskId>{3}) << "the sleeper stays at the head";
    EXPECT_TRUE(sem.retry_write(3));
    wake.clear();
    sem.up_write(wake);
    EXPECT_EQ(wake, std::vector<TaskId>{4});
    EXPECT_EQ(sem.readers(), 1u) << "a woken reader holds it already";
}

// Never two writers, never a writer beside a reader, and nobody is forgotten.
TEST(RwSem, RandomUseKeepsItsRules) {
    Random random(7);
    RwSem sem;
    std::set<TaskId> readers, writers, asleep_readers, asleep_writers, woken_writers, idle;
    for (TaskId t = 1; t <= 12; ++t)
        idle.insert(t);
    std::vector<TaskId> wake;
    const auto pick = [&](const std::set<TaskId>& set) {
        auto at = set.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random.below(set.size())));
        return *at;
    };
    const auto take_woken = [&] {
        for (const TaskId t : wake) {
            if (asleep_readers.erase(t))
                readers.insert(t);
            else
                woken_writers.insert(t);
        }
        wake.clear();
    };
    for (int i = 0; i < 100000; ++i) {
        switch (random.below(4)) {
        case 0:
            if (!idle.empty()) {
                const TaskId t = pick(idle);
                idle.erase(t);
                (sem.down_read(t) ? readers : asleep_readers).insert(t);
            }
            break;
        case 1:
            if (!idle.empty()) {
                const TaskId t = pick(idle);
                idle.erase(t);
                (sem.down_write(t) ? writers : asleep_writers).insert(t);
            }
            break;
        case 2:
            if (!woken_writers.empty()) {
                const TaskId t = pick(woken_writers);
                woken_writers.erase(t);
                if (sem.retry_write(t)) {
                    asleep_writers.erase(t);
                    writers.insert(t);
                }
            }
            break;
        default:
            if (!readers.empty()) {
                const TaskId t = pick(readers);
                readers.erase(t);
                idle.insert(t);
                sem.up_read(wake);
            } else if (!writers.empty()) {
                const TaskId t = pick(writers);
                writers.erase(t);
                idle.insert(t);
                sem.up_write(wake);
            }
            take_woken();
        }
        ASSERT_LE(writers.size(), 1u);
        ASSERT_TRUE(writers.empty() || readers.empty());
        ASSERT_EQ(sem.readers(), readers.size());
        ASSERT_EQ(sem.held_for_write(), !writers.empty());
        // A free lock with sleepers has woken somebody.
        if (readers.empty() && writers.empty()) {
            ASSERT_TRUE((asleep_readers.empty() && asleep_writers.empty()) || !woken_writers.empty());
        }
    }
}
