// The events of a log, or those that a filter lets through, as rows; nothing is copied.
#pragma once

#include "engine/recording/search.h"

#include <QAbstractTableModel>

#include <deque>
#include <optional>

class QTimer;

namespace tlbscope {

// Filters in slices of about two milliseconds on a zero timer; rows appear as they are found. GUI thread
// only.
class EventModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Cpu, Task, Name, Details, ColumnCount };

    explicit EventModel(QObject* parent = nullptr);

    // `run` tells logs apart: a log of the same run is taken as grown (or stepped back) from the last one.
    void setLog(const EventLog& log, std::uint64_t run);
    void setFilter(const EventFilter& filter);
    const EventFilter& filter() const { return filter_; }
    const EventLog& log() const { return log_; }
    bool filtering() const { return !filter_.empty(); }
    // Share of the log that has been looked through, 1 when done.
    double progress() const;
    void finish(); // filter to the end now; for tests and pictures

    std::uint64_t eventAt(int row) const; // index into the log
    // The last row whose event is at or before `event`; -1 if there is none.
    int rowOf(std::uint64_t event) const;
    QString text(int row, int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void progressed();

private:
    void setLog(const EventLog& log, std::uint64_t run, bool anew);
    void restart();
    bool slice(std::uint64_t most);

    EventLog log_;
    std::uint64_t run_ = ~std::uint64_t{0};
    std::optional<Event> lastSeen_; // newest event of the log, to notice a past that has changed
    EventFilter filter_;
    std::optional<EventMatcher> matcher_;
    std::deque<std::uint64_t> matches_; // where filtering
    std::uint64_t next_ = 0;            // first event not looked at
    int removed_ = 0;                   // rows already gone from the front while log_ still holds them
    QTimer* timer_;
};

// Kinds by the group that the chips of the list name.
enum class KindGroup : std::uint8_t { flushes, ipis, syscalls, faults, scheduler, locks, count_ };
const char* to_string(KindGroup group);
bool inGroup(EventKind kind, KindGroup group);

} // namespace tlbscope
