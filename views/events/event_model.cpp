#include "views/events/event_model.h"

#include "engine/recording/describe.h"
#include "views/format/format.h"

#include <QTimer>

#include <algorithm>

namespace tlbscope {

namespace {
constexpr std::uint64_t kSlice = 1 << 17; // events
}

const char* to_string(KindGroup group) {
    switch (group) {
    case KindGroup::flushes:
        return "Flushes";
    case KindGroup::ipis:
        return "IPIs";
    case KindGroup::syscalls:
        return "System calls";
    case KindGroup::faults:
        return "Faults";
    case KindGroup::scheduler:
        return "Scheduler";
    case KindGroup::locks:
        return "Locks";
    case KindGroup::count_:
        break;
    }
    return "";
}

bool inGroup(EventKind kind, KindGroup group) {
    using K = EventKind;
    switch (group) {
    case KindGroup::flushes:
        return kind == K::tlb_flush || kind == K::flush_decision || kind == K::shootdown_wait ||
               kind == K::shootdown_done || kind == K::leave_mm || kind == K::pv_flush;
    case KindGroup::ipis:
        return (kind >= K::csd_queue_cpu && kind <= K::call_function_exit) || kind == K::ipi_ack ||
               kind == K::reschedule_entry || kind == K::reschedule_exit;
    case KindGroup::syscalls:
        return kind == K::sys_enter || kind == K::sys_exit;
    case KindGroup::faults:
        return kind == K::page_fault_user || kind == K::page_fault_kernel || kind == K::page_fault_exit;
    case KindGroup::scheduler:
        return kind == K::sched_switch || kind == K::local_timer_entry || kind == K::local_timer_exit ||
               kind == K::workload_record;
    case KindGroup::locks:
        return kind == K::mmap_sem_blocked || kind == K::mmap_sem_acquired || kind == K::irq_disable ||
               kind == K::irq_enable;
    case KindGroup::count_:
        break;
    }
    return false;
}

EventModel::EventModel(QObject* parent) : QAbstractTableModel(parent), timer_(new QTimer(this)) {
    timer_->setSingleShot(true);
    timer_->setInterval(0);
    connect(timer_, &QTimer::timeout, this, [this] {
        if (!slice(kSlice)) timer_->start();
        Q_EMIT progressed();
    });
}

double EventModel::progress() const {
    const std::uint64_t size = log_.end_index() - log_.first_index();
    return !filtering() || size == 0 ? 1 : double(next_ - log_.first_index()) / double(size);
}

void EventModel::restart() {
    timer_->stop();
    matches_.clear();
    next_ = log_.first_index();
    matcher_.reset();
    if (!filtering()) return;
    matcher_.emplace(filter_, log_);
    timer_->start();
}

void EventModel::setFilter(const EventFilter& filter) {
    beginResetModel();
    filter_ = filter;
    restart();
    endResetModel();
    Q_EMIT progressed();
}

void EventModel::setLog(const EventLog& log, std::uint64_t run) {
    setLog(log, run, false);
}

void EventModel::setLog(const EventLog& log, std::uint64_t run, bool anew) {
    const bool sameRun = run == run_ && !log_.empty() && !log.empty() &&
                         log.first_index() >= log_.first_index() && log.first_index() < log_.end_index();
    // The newest event known must still be where it was, unless the run has stepped back behind it.
    const bool samePast =
        !anew && sameRun &&
        (log.end_index() < log_.end_index() || !lastSeen_ || log[log_.end_index() - 1] == *lastSeen_);
    if (!samePast) {
        beginResetModel();
        log_ = log;
        run_ = run;
        restart();
        endResetModel();
    } else {
        const std::uint64_t oldFirst = log_.first_index(), oldEnd = log_.end_index();
        if (log.end_index() < oldEnd) { // stepped back; the front does not move then, or all begins anew
            if (log.first_index() != oldFirst) return setLog(log, run, true);
            const int keep =
                filtering()
                    ? static_cast<int>(std::lower_bound(matches_.begin(), matches_.end(), log.end_index()) -
                                       matches_.begin())
                    : static_cast<int>(log.end_index() - oldFirst);
            const bool fewer = keep < rowCount();
            if (fewer) beginRemoveRows({}, keep, rowCount() - 1);
            if (filtering()) matches_.erase(matches_.begin() + keep, matches_.end());
            log_ = log;
            next_ = std::min(next_, log.end_index());
            if (fewer) endRemoveRows();
        } else {
            const int gone =
                filtering()
                    ? static_cast<int>(std::lower_bound(matches_.begin(), matches_.end(), log.first_index()) -
                                       matches_.begin())
                    : static_cast<int>(log.first_index() - oldFirst);
            const int added = filtering() ? 0 : static_cast<int>(log.end_index() - oldEnd);
            const int before = rowCount();
            // The old log keeps its events alive until the rows are gone.
            if (gone > 0) {
                beginRemoveRows({}, 0, gone - 1);
                removed_ = gone;
                if (filtering()) {
                    matches_.erase(matches_.begin(), matches_.begin() + gone);
                    removed_ = 0;
                }
                endRemoveRows();
            }
            if (added > 0) beginInsertRows({}, before - gone, before - gone + added - 1);
            log_ = log;
            removed_ = 0;
            if (added > 0) endInsertRows();
            next_ = std::max(next_, log.first_index());
            if (filtering() && next_ < log.end_index()) {
                matcher_.emplace(filter_, log_);
                if (!timer_->isActive() && !slice(kSlice)) timer_->start();
            }
        }
    }
    lastSeen_.reset();
    if (!log_.empty()) lastSeen_ = log_[log_.end_index() - 1];
}

// Looks at up to `most` events; true when the end has been reached.
bool EventModel::slice(std::uint64_t most) {
    if (!matcher_) return true;
    std::vector<std::uint64_t> found;
    const std::uint64_t end = std::min(log_.end_index(), next_ + most);
    for (; next_ < end; ++next_)
        if ((*matcher_)(log_[next_])) found.push_back(next_);
    if (!found.empty()) {
        const int rows = rowCount();
        beginInsertRows({}, rows, rows + static_cast<int>(found.size()) - 1);
        matches_.insert(matches_.end(), found.begin(), found.end());
        endInsertRows();
    }
    return next_ >= log_.end_index();
}

void EventModel::finish() {
    timer_->stop();
    while (!slice(kSlice)) {
    }
    Q_EMIT progressed();
}

std::uint64_t EventModel::eventAt(int row) const {
    return filtering() ? matches_[static_cast<std::size_t>(row)]
                       : log_.first_index() + static_cast<std::uint64_t>(row + removed_);
}

int EventModel::rowOf(std::uint64_t event) const {
    if (filtering())
        return static_cast<int>(std::upper_bound(matches_.begin(), matches_.end(), event) -
                                matches_.begin()) -
               1;
    if (log_.empty() || event < log_.first_index()) return -1;
    return static_cast<int>(std::min(event, log_.end_index() - 1) - log_.first_index());
}

int EventModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    const std::uint64_t rows =
        filtering() ? matches_.size()
                    : log_.end_index() - log_.first_index() - static_cast<std::uint64_t>(removed_);
    return static_cast<int>(std::min<std::uint64_t>(rows, 2'000'000'000));
}

int EventModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString EventModel::text(int row, int column) const {
    const Event& e = log_[eventAt(row)];
    switch (column) {
    case Time:
        return clockText(e.time, log_.ticks_per_second());
    case Cpu:
        return QString::number(e.cpu);
    case Task:
        return QString::fromStdString(task_name(e.task, log_));
    case Name:
        return QString::fromStdString(event_name(e, log_));
    case Details: {
        const QString all = QString::fromStdString(describe(e, log_));
        const QString name = QString::fromStdString(event_name(e, log_)); // stands in a column of its own
        if (!all.startsWith(name)) return all;
        return all.mid(name.size() + (all.mid(name.size()).startsWith(QStringLiteral(": ")) ? 2 : 0))
            .trimmed();
    }
    default:
        return {};
    }
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return text(index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return int(index.column() == Time || index.column() == Cpu ? Qt::AlignRight | Qt::AlignVCenter
                                                                   : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Cpu:
        return tr("CPU");
    case Task:
        return tr("Task");
    case Name:
        return tr("Event");
    case Details:
        return tr("Details");
    default:
        return {};
    }
}

} // namespace tlbscope
