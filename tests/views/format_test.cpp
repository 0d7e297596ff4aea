#include "views/format/format.h"

#include "tests/views/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tlbscope;

namespace {

std::string plain(QString text) { // the narrow space as _
    return text.replace(QChar(kThinSpace), u'_').toStdString();
}

} // namespace

TEST(Format, GroupsThousands) {
    EXPECT_EQ(plain(grouped(std::int64_t{0})), "0");
    EXPECT_EQ(plain(grouped(std::int64_t{999})), "999");
    EXPECT_EQ(plain(grouped(std::int64_t{1000})), "1_000");
    EXPECT_EQ(plain(grouped(std::int64_t{4366338})), "4_366_338");
    EXPECT_EQ(plain(grouped(std::int64_t{-4366338})), "−4_366_338");
    EXPECT_EQ(plain(grouped(std::numeric_limits<std::int64_t>::min())), "−9_223_372_036_854_775_808");
    EXPECT_EQ(plain(grouped(std::numeric_limits<std::uint64_t>::max())), "18_446_744_073_709_551_615");
}

TEST(Format, GroupingLosesNoDigit) {
    synthetic::Random random{3};
    for (int i = 0; i < 2000; ++i) {
        const auto value = static_cast<std::int64_t>(random.next() >> (i % 64));
        QString text = grouped(value);
        text.remove(QChar(kThinSpace)).replace(QChar(u'\u2212'), u'-');
        EXPECT_EQ(text.toLongLong(), value);
    }
}

TEST(Format, DurationsPickTheirUnit) {
    EXPECT_EQ(plain(durationText(0, 1e9)), "0 ns");
    EXPECT_EQ(plain(durationText(412, 1e9)), "412 ns");
    EXPECT_EQ(plain(durationText(20000, 1e9)), "20.0 µs");
    EXPECT_EQ(plain(durationText(1284217, 1e9)), "1.28 ms");
    EXPECT_EQ(plain(durationText(2.31e9, 1e9)), "2.31 s");
    EXPECT_EQ(plain(durationText(3400, 3.4e9)), "1.00 µs");
    EXPECT_EQ(plain(durationText(17, 0)), "17 ticks");
    // Rounding never writes 1000 of a unit.
    EXPECT_EQ(plain(durationText(999.6, 1e9)), "1.00 µs");
    EXPECT_EQ(plain(durationText(999600, 1e9)), "1.00 ms");
}

TEST(Format, ClocksKeepEveryNanosecondBelowASecond) {
    EXPECT_EQ(plain(clockText(1284217, 1e9)), "1.284_217 ms");
    EXPECT_EQ(plain(clockText(612189734000, 1e9)), "612.189_734 s");
    EXPECT_EQ(plain(clockText(42, 0)), "42");
}

TEST(Format, SmallHelpers) {
    EXPECT_EQ(plain(cyclesText(96100)), "96_100 cycles");
    EXPECT_EQ(plain(cyclesText(1)), "1 cycle");
    EXPECT_EQ(plain(pagesText(-1)), "all");
    EXPECT_EQ(plain(pagesText(1)), "1 page");
    EXPECT_EQ(plain(pagesText(129)), "129 pages");
    EXPECT_EQ(plain(bytesText(516 * 1024)), "516 KiB");
    EXPECT_EQ(plain(bytesText(2u << 20)), "2 MiB");
    EXPECT_EQ(plain(bytesText(1536)), "1.50 KiB");
    EXPECT_EQ(plain(siText(312)), "312");
    EXPECT_EQ(plain(siText(8412)), "8.41 k");
    EXPECT_EQ(plain(siText(999.7)), "1.00 k");
    EXPECT_EQ(plain(rateText(41e6, "accesses")), "41.0 M accesses/s");
    EXPECT_EQ(plain(percentText(0.0231)), "2.3 %");
    EXPECT_EQ(plain(percentText(0.47)), "47 %");
    EXPECT_EQ(plain(percentText(0.0004)), "< 0.1 %");
    EXPECT_EQ(plain(percentText(0)), "0 %");
    EXPECT_EQ(plain(percentText(std::nan(""))), "–");
}
