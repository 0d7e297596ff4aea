#include "views/events/event_list_view.h"

#include "tests/views/synthetic.h"
#include "views/events/event_rows.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

using namespace tlbscope;

namespace {

// The first `size` events of a log, the first `drop` of them gone.
EventLog part(const EventLog& log, std::uint64_t drop, std::uint64_t size) {
    std::vector<std::shared_ptr<const EventLog::Block>> blocks;
    for (std::uint64_t i = drop; i < size;) {
        auto block = std::make_shared<EventLog::Block>();
        for (; i < size && block->size() < EventLog::kBlock; ++i)
            block->push_back(log[i]);
        blocks.push_back(std::move(block));
    }
    return EventLog(std::move(blocks), drop, log.ticks_per_second(), log.shared_names());
}

std::vector<std::uint64_t> matching(const EventLog& log, const EventFilter& filter) {
    std::vector<std::uint64_t> out;
    const EventMatcher matches(filter, log);
    for (std::uint64_t i = log.first_index(); i < log.end_index(); ++i)
        if (matches(log[i])) out.push_back(i);
    return out;
}

std::vector<std::uint64_t> rows_of(const EventModel& model) {
    std::vector<std::uint64_t> out;
    for (int r = 0; r < model.rowCount(); ++r)
        out.push_back(model.eventAt(r));
    return out;
}

} // namespace

TEST(EventModel, BehavesUnderTheModelTesterWhileTheLogMoves) {
    const EventLog whole = synthetic::log({.events = 30000});
    EventFilter flushes;
    flushes.kinds.set(static_cast<std::size_t>(EventKind::tlb_flush));
    for (const EventFilter& filter : {EventFilter{}, flushes}) {
        EventModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setFilter(filter);
        // Grow, drop from the front, step back, step back and drop, begin anew.
        const std::pair<std::uint64_t, std::uint64_t> steps[] = {
            {0, 100},     {0, 5000},     {2000, 9000},   {2000, 7000}, {2000, 7000},
            {6000, 6500}, {6000, 20000}, {19000, 30000}, {0, 10},      {0, 30000}};
        for (const auto& [drop, size] : steps) {
            const EventLog log = part(whole, drop, size);
            model.setLog(log, 1);
            model.finish();
            EXPECT_EQ(rows_of(model), matching(log, filter)) << drop << " … " << size;
        }
        model.setLog(EventLog(), 2);
        EXPECT_EQ(model.rowCount(), 0);
    }
}

TEST(EventModel, NoticesAPastThatHasChanged) {
    const EventLog one = synthetic::log({.seed = 1, .events = 4000}),
                   other = synthetic::log({.seed = 2, .events = 5000});
    EventFilter filter;
    filter.kinds.set(static_cast<std::size_t>(EventKind::tlb_flush));
    EventModel model;
    model.setFilter(filter);
    model.setLog(one, 1);
    model.finish();
    model.setLog(other, 1); // same run and more events, but another history
    model.finish();
    EXPECT_EQ(rows_of(model), matching(other, filter));
}

TEST(EventModel, FiltersInSlicesAndRestarts) {
    EventModel model;
    const EventLog log = synthetic::log({.events = 300000});
    model.setLog(log, 1);
    EventFilter filter;
    filter.cpus = {0};
    model.setFilter(filter);
    EXPECT_LT(model.progress(), 1); // nothing longer than a slice has happened yet
    QTest::qWait(0);
    filter.cpus = {1};
    model.setFilter(filter); // while the first is under way
    QTRY_COMPARE(model.progress(), 1.0);
    EXPECT_EQ(rows_of(model), matching(log, filter));
}

TEST(EventModel, RowsAndEventsAreInverse) {
    EventModel model;
    model.setLog(synthetic::log({.events = 3000}), 1);
    EventFilter filter;
    filter.text = "flush";
    for (int pass = 0; pass < 2; ++pass) {
        for (int row = 0; row < model.rowCount(); row += 13)
            EXPECT_EQ(model.rowOf(model.eventAt(row)), row);
        EXPECT_EQ(model.rowOf(1u << 30), model.rowCount() - 1);
        model.setFilter(filter);
        model.finish();
        ASSERT_GT(model.rowCount(), 0);
    }
}

TEST(CpuList, ReadsListsAndRejectsOthers) {
    EXPECT_EQ(*parseCpuList(QStringLiteral("0-3, 7")), (std::vector<CpuId>{0, 1, 2, 3, 7}));
    EXPECT_EQ(*parseCpuList(QStringLiteral("5,5,4")), (std::vector<CpuId>{4, 5}));
    EXPECT_TRUE(parseCpuList(QString())->empty());
    for (const char* wrong : {"x", "1-", "-1", "3-1", "1-2-3", "1024", "99999999999", ",", "1,,2"})
        EXPECT_FALSE(parseCpuList(QString::fromLatin1(wrong)).has_value()) << wrong;
}

TEST(EventKinds, GroupsDoNotOverlap) {
    for (int k = 0; k < static_cast<int>(EventKind::count_); ++k) {
        int groups = 0;
        for (int g = 0; g < static_cast<int>(KindGroup::count_); ++g)
            groups += inGroup(static_cast<EventKind>(k), static_cast<KindGroup>(g));
        EXPECT_LE(groups, 1) << to_string(static_cast<EventKind>(k));
    }
}

TEST(EventListView, FiltersFollowsAndActivates) {
    EventListView view;
    view.resize(760, 320);
    const auto snapshot = synthetic::snapshot({});
    view.setSnapshot(snapshot);
    EXPECT_EQ(view.model().rowCount(), 0); // hidden
    view.show();
    view.grab();
    EXPECT_EQ(view.model().rowCount(), 20000);
    EXPECT_EQ(view.model().eventAt(view.rows().cursorRow()), snapshot->cursor);
    EXPECT_LT(view.rows().paintedRows(), 30);
    QSignalSpy activated(&view, &EventListView::activated);
    QTest::keyClick(&view.rows(), Qt::Key_Down);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toULongLong(), snapshot->cursor + 1);
    view.setGroup(KindGroup::flushes, true);
    view.setCpuText(QStringLiteral("0"));
    view.model().finish();
    ASSERT_GT(view.model().rowCount(), 0);
    for (int r = 0; r < view.model().rowCount(); ++r) {
        const Event& e = view.model().log()[view.model().eventAt(r)];
        ASSERT_TRUE(inGroup(e.kind, KindGroup::flushes) && e.cpu == 0);
    }
    const int rows = view.model().rowCount();
    view.setCpuText(QStringLiteral("no list")); // the last good filter stays
    EXPECT_EQ(view.model().rowCount(), rows);
    view.findNext();
    ASSERT_EQ(activated.count(), 2);
    EXPECT_GT(activated[1][0].toULongLong(), snapshot->cursor);
}
