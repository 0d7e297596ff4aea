#include "engine/core/event.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace tlbscope;

TEST(Event, EveryKindHasItsOwnName) {
    std::set<std::string> names;
    for (int k = 0; k < static_cast<int>(EventKind::count_); ++k)
        EXPECT_TRUE(names.insert(to_string(static_cast<EventKind>(k))).second) << k;
}
