#include "views/timeline/timeline_view.h"

#include "views/format/format.h"

#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {
constexpr std::uint64_t kIndexSlice = 400000; // events taken into the overview a slice: 1 to 2 ms
constexpr double kFirstEvents = 260;          // shown when a run or recording is opened
constexpr double kFirstSeconds = 60e-6;       // at least, of a simulation: a few shootdowns
} // namespace

TimelineView::TimelineView(QWidget* parent)
    : Panel(tr("Timeline"), parent), indexTimer_(new QTimer(this)),
      scroll_(new QScrollBar(Qt::Vertical, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    indexTimer_->setInterval(0);
    indexTimer_->setSingleShot(true);
    connect(indexTimer_, &QTimer::timeout, this, [this] {
        if (!hasLog() || !isVisible()) return;
        if (!overview_.update(snapshot_->log, snapshot_->run, kIndexSlice)) indexTimer_->start();
        update();
    });
    connect(&loader_, &LaneLoader::ready, this, [this] { refresh(); });
    connect(scroll_, &QScrollBar::valueChanged, this, [this] { refresh(); });
    scroll_->hide();
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const {
    return {Theme::current().px(900), Theme::current().px(330)};
}
QSize TimelineView::minimumSizeHint() const {
    return {Theme::current().px(360), Theme::current().px(170)};
}

double TimelineView::ticksPerSecond() const {
    return snapshot_ ? snapshot_->log.ticks_per_second() : 1e9;
}

std::pair<double, double> TimelineView::runRange() const {
    const EventLog& log = snapshot_->log;
    const double begin = double(log[log.first_index()].time);
    return {begin, std::max(double(log[log.end_index() - 1].time), begin + 1)};
}

void TimelineView::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    const bool newRun = !snapshot || !snapshot_ || snapshot->run != snapshot_->run;
    snapshot_ = std::move(snapshot);
    if (newRun) {
        loader_.clear();
        overview_.clear();
        map_ = {0, 0, 1};
        follow_ = true;
        scroll_->setValue(0);
    }
    if (!isVisible()) return;
    if (hasLog()) {
        if (map_.end <= map_.begin) firstWindow();
        follow();
        if (!overview_.update(snapshot_->log, snapshot_->run, kIndexSlice)) indexTimer_->start();
    }
    updateContext();
    updateScroll();
    update();
}

void TimelineView::shown() {
    setSnapshot(snapshot_);
}

void TimelineView::firstWindow() {
    const EventLog& log = snapshot_->log;
    const auto [begin, end] = runRange();
    const double perEvent = (end - begin) / double(log.end_index() - log.first_index());
    // A run that has only just begun says nothing yet about its density.
    const double least = snapshot_->machine->recorded ? 1.0 : kFirstSeconds * ticksPerSecond();
    const double width = std::max(least, std::min(perEvent * kFirstEvents, end - begin));
    const double now = std::clamp(double(snapshot_->now), begin, end);
    map_.begin = std::max(begin, now - width * 0.6);
    map_.end = map_.begin + width;
}

// Keeps the cursor in sight; the window moves in steps of its own width only when the cursor would leave it.
void TimelineView::follow() {
    if (!follow_ || drag_ != Drag::none) return;
    const double now = double(snapshot_->now), width = map_.span();
    if (now >= map_.begin + width * 0.02 && now <= map_.begin + width * 0.92) return;
    const double share = now > map_.end - width * 0.08 && now < map_.end + width ? 0.92 : 0.5;
    map_.begin = now - width * share;
    map_.end = map_.begin + width;
}

void TimelineView::setWindow(double begin, double end) {
    if (!hasLog()) return;
    const auto [first, last] = runRange();
    const double whole = last - first;
    double width = std::clamp(end - begin, 20.0, whole * 1.1);
    if (!std::isfinite(width)) return;
    double from = (begin + end) / 2 - width / 2;
    from = std::clamp(from, first - width * 0.5, last - width * 0.5);
    map_.begin = from;
    map_.end = from + width;
    const double now = double(snapshot_->now);
    follow_ = now >= map_.begin && now <= map_.end;
    updateContext();
    refresh();
}

void TimelineView::showAll() {
    if (!hasLog()) return;
    const auto [begin, end] = runRange();
    setWindow(begin - (end - begin) * 0.01, end + (end - begin) * 0.01);
}

void TimelineView::updateContext() {
    if (!hasLog()) return setContext({});
    const QString what =
        tr("%1 CPUs · ").arg(cpus()) + durationText(map_.span(), ticksPerSecond()) + tr(" shown");
    setContextChoices({what + tr(" · wheel zooms, drag pans, click seeks · ← → by event, ⇧ ← → by shootdown"),
                       what + tr(" · ← → by event, ⇧ ← → by shootdown"), what});
    setAccessibleDescription(tr("%1 lanes, cursor at ").arg(cpus()) +
                             clockText(snapshot_->now, ticksPerSecond()) + tr(", shown ") +
                             durationText(map_.span(), ticksPerSecond()));
}

TimelineView::Places TimelineView::places() const {
    const Theme& t = Theme::current();
    const QRect box = contentRect();
    Places p;
    const int label =
        textWidth(FontRole::monoSmall, cpus() > 100 ? QStringLiteral("CPU 1023") : QStringLiteral("CPU 99")) +
        t.px(10);
    const int axis = lineHeight(FontRole::caption) + t.px(7), overview = t.px(34), gap = t.px(8);
    const int bar = scroll_->isVisibleTo(this) ? scroll_->sizeHint().width() + t.px(2) : 0;
    const int left = box.left() + label, width = std::max(10, box.width() - label - bar);
    p.axis = QRect(left, box.top(), width, axis);
    p.overview = QRect(left, box.bottom() + 1 - overview, width, overview);
    p.lanes = QRect(left, box.top() + axis, width, std::max(8, p.overview.top() - gap - box.top() - axis));
    p.labels = QRect(box.left(), p.lanes.top(), label, p.lanes.height());
    const int count = std::max(1, cpus());
    const int step = std::clamp(p.lanes.height() / count, t.px(6), t.px(26));
    p.laneGap = step >= t.px(16) ? t.px(4) : step >= t.px(9) ? 2 : 1;
    p.laneHeight = step - p.laneGap;
    return p;
}

int TimelineView::laneTop(const Places& p, int lane) const {
    return p.lanes.top() + lane * (p.laneHeight + p.laneGap) - scroll_->value();
}

void TimelineView::updateScroll() {
    const Theme& t = Theme::current();
    Places p = places();
    const int need = cpus() * (p.laneHeight + p.laneGap);
    const bool over = need > p.lanes.height();
    if (over != scroll_->isVisibleTo(this)) {
        scroll_->setVisible(over);
        p = places();
    }
    if (!over) return scroll_->setRange(0, 0);
    scroll_->setGeometry(p.lanes.right() + t.px(2), p.lanes.top(), scroll_->sizeHint().width(),
                         p.lanes.height());
    scroll_->setRange(0, need - p.lanes.height());
    scroll_->setPageStep(p.lanes.height());
    scroll_->setSingleStep(p.laneHeight + p.laneGap);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    updateScroll();
}

void TimelineView::themeChanged() {
    ++theme_;
    updateScroll();
}

TimeMap TimelineView::mapOf(const Places& p) const {
    return {map_.begin, map_.end, double(std::max(1, p.lanes.width()))};
}

// Asks for the window and half of it on either side, so that small moves need nothing new.
void TimelineView::requestData(const Places&) {
    const auto& loaded = loader_.lanes();
    const double width = map_.span();
    const EventLog& log = snapshot_->log;
    if (loaded && loaded->run == snapshot_->run && loaded->begin <= map_.begin && loaded->end >= map_.end &&
        loaded->end - loaded->begin <= width * (loaded->exact ? 8 : 2.5) &&
        loaded->lastEvent <= log.end_index()) {
        const bool ended = loaded->lastEvent < log.end_index();
        // A grown log matters only if the newest events known then are in sight or not far.
        if (!ended || loaded->lastEvent == 0 || double(log[loaded->lastEvent - 1].time) > loaded->end) return;
        if (loaded->lastEvent - loaded->firstEvent > kExactEvents &&
            double(log.end_index() - loaded->lastEvent) <
                0.01 * double(loaded->lastEvent - loaded->firstEvent))
            return;
    }
    LaneRequest request;
    request.log = log;
    request.run = snapshot_->run;
    request.cpus = cpus();
    request.begin = map_.begin - width / 2;
    request.end = map_.end + width / 2;
    ++made_;
    loader_.request(request);
}

void TimelineView::finish() {
    if (!hasLog()) return;
    if (map_.end <= map_.begin) firstWindow();
    while (!overview_.update(snapshot_->log, snapshot_->run, kIndexSlice)) {
    }
    requestData(places());
    loader_.waitForDone();
}

void TimelineView::scrubTo(double x) {
    const TimeMap map = mapOf(places());
    Q_EMIT seekRequested(static_cast<qint64>(std::llround(map.time(x - places().lanes.left()))));
}

} // namespace tlbscope
