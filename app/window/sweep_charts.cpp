#include "app/window/sweep_charts.h"

#include "engine/kernel/flush_policy.h"

#include <algorithm>

namespace tlbscope {
namespace {

constexpr int kRestMilliseconds = 300;
// Simulated seconds measured at each point with up to this many threads; fewer with more of them, so
// that a point stays about as much work.
constexpr int kThreadsAtFullLength = 8;
constexpr double kLeastMeasured = 5e-3, kFirstMapping = 30e-6;
constexpr int kDeliveryMilliseconds = 50; // charts are drawn at 20 Hz at most

} // namespace

SweepCharts::SweepCharts(const std::string& resources, QObject* parent) : QObject(parent) {
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMilliseconds);
    connect(&rest_, &QTimer::timeout, this, &SweepCharts::startWhatIsDue);
    delivery_.setSingleShot(true);
    delivery_.setInterval(kDeliveryMilliseconds);
    connect(&delivery_, &QTimer::timeout, this, &SweepCharts::deliver);
    runner_ = std::make_unique<SweepRunner>(
        resources, [this](std::uint64_t id, const SweepPoint& point, double progress) {
            const std::lock_guard lock(mutex_);
            results_.push_back({id, point, progress});
            if (std::exchange(waiting_, true)) return;
            // Timers belong to their thread; this object outlives the runner.
            QMetaObject::invokeMethod(
                this, [this] { delivery_.start(); }, Qt::QueuedConnection);
        });
}

SweepCharts::~SweepCharts() {
    runner_.reset();
}

SweepSpec SweepCharts::specOf(Slot slot, bool& possible) const {
    SweepSpec spec;
    spec.base = scenario_;
    if (scenario_.threads > kThreadsAtFullLength) {
        const double share = static_cast<double>(kThreadsAtFullLength) / scenario_.threads;
        spec.measure_seconds = std::max(spec.measure_seconds * share, kLeastMeasured);
        // At first every thread maps memory once, one after the other.
        spec.warmup_seconds += scenario_.threads * kFirstMapping;
    }
    possible = true;
    if (slot == workingSet) {
        spec.axis = SweepAxis::working_set_pages;
        spec.base.working_set_pages = Scenario{}.working_set_pages;
        for (int pages = 16; pages <= 8192; pages *= 2) {
            spec.values.push_back(pages);
            if (pages >= 128 && pages < 4096) spec.values.push_back(pages + pages / 2);
        }
        return spec;
    }
    const FlushPolicy& policy = find_flush_policy(scenario_.policy);
    spec.base.shift = spec.base.ceiling = Scenario::kDefault;
    if (policy.uses_shift) {
        spec.axis = SweepAxis::shift;
        for (int shift = -1; shift <= 8; ++shift)
            spec.values.push_back(shift);
    } else if (policy.uses_ceiling) {
        spec.axis = SweepAxis::ceiling;
        spec.values = {0, 8, 16, 33, 64, 96, 128, 129, 192, 256, 512};
    } else {
        possible = false;
    }
    return spec;
}

void SweepCharts::setScenario(const Scenario& scenario) {
    scenario_ = scenario;
    haveScenario_ = true;
    for (int slot = 0; slot < kSlots; ++slot) {
        bool possible = false;
        const SweepSpec spec = specOf(static_cast<Slot>(slot), possible);
        Series& series = series_[slot];
        const bool same = series.possible == possible && spec.axis == series.spec.axis &&
                          spec.base == series.spec.base && spec.values == series.spec.values;
        if (same && (series.id != 0 || due_[slot] || !possible)) continue;
        runner_->cancel(slot);
        series = {spec, possible, 0, {}, 0};
        due_[slot] = possible;
        Q_EMIT changed(slot);
    }
    if (enabled_ && (due_[0] || due_[1])) rest_.start();
}

void SweepCharts::setShown(Slot slot, bool shown) {
    if (shown == shown_[slot]) return;
    shown_[slot] = shown;
    Series& series = series_[slot];
    if (!shown && series.id != 0 && series.progress < 1) {
        runner_->cancel(slot);
        series.id = 0;
        due_[slot] = true;
    } else if (shown && due_[slot] && enabled_) {
        rest_.start();
    }
}

void SweepCharts::setEnabled(bool enabled) {
    if (enabled == enabled_) return;
    enabled_ = enabled;
    for (int slot = 0; slot < kSlots; ++slot) {
        if (enabled || series_[slot].id == 0 || series_[slot].progress >= 1) continue;
        runner_->cancel(slot);
        series_[slot].id = 0;
        due_[slot] = true;
    }
    if (enabled && (due_[0] || due_[1])) rest_.start();
}

void SweepCharts::startNow() {
    rest_.stop();
    startWhatIsDue();
}

void SweepCharts::startWhatIsDue() {
    if (!enabled_ || !haveScenario_) return;
    for (int slot = 0; slot < kSlots; ++slot) {
        if (!due_[slot] || !shown_[slot]) continue;
        due_[slot] = false;
        Series& series = series_[slot];
        series.points.clear();
        series.progress = 0;
        try {
            series.id = runner_->start(series.spec, slot);
            ++started_;
        } catch (const std::exception& e) {
            Q_EMIT failed(QString::fromUtf8(e.what()));
        }
        Q_EMIT changed(slot);
    }
}

void SweepCharts::deliver() {
    std::vector<Result> results;
    {
        const std::lock_guard lock(mutex_);
        results.swap(results_);
        waiting_ = false;
    }
    bool touched[kSlots] = {false, false};
    for (const Result& result : results)
        for (int slot = 0; slot < kSlots; ++slot) {
            Series& series = series_[slot];
            if (series.id == 0 || series.id != result.id) continue;
            if (result.point.seeds > 0) series.points[result.point.value] = result.point;
            series.progress = std::max(series.progress, result.progress);
            touched[slot] = true;
        }
    for (int slot = 0; slot < kSlots; ++slot)
        if (touched[slot]) Q_EMIT changed(slot);
}

double SweepCharts::progress() const {
    double sum = 0;
    int count = 0;
    for (int slot = 0; slot < kSlots; ++slot) {
        if (!shown_[slot] || !series_[slot].possible) continue;
        sum += series_[slot].progress;
        ++count;
    }
    return count ? sum / count : 1;
}

bool SweepCharts::finished() const {
    for (int slot = 0; slot < kSlots; ++slot)
        if (shown_[slot] && series_[slot].possible && series_[slot].progress < 1) return false;
    return true;
}

} // namespace tlbscope
