#include "app/window/curve_figures.h"

#include <algorithm>
#include <cmath>

namespace tlbscope {
namespace {

constexpr int kDeliveryMilliseconds = 100;
constexpr std::size_t kKept = 48;

// The two points around `bytes` and how far it lies between them.
struct Between {
    const CurvePoint *left, *right;
    double share;
};
std::optional<Between> between(const std::map<int, CurvePoint>& line, double bytes) {
    const CurvePoint* before = nullptr;
    for (const auto& [n, point] : line) {
        if (point.seeds == 0) continue;
        if (point.working_set >= bytes) {
            if (!before)
                return point.working_set == bytes ? std::optional(Between{&point, &point, 0}) : std::nullopt;
            return Between{before, &point,
                           std::log(bytes / before->working_set) /
                               std::log(point.working_set / before->working_set)};
        }
        before = &point;
    }
    return {};
}

} // namespace

std::vector<CurvePoint> FigureData::line(std::size_t variant) const {
    std::vector<CurvePoint> line;
    for (const auto& [n, point] : points[variant])
        line.push_back(point);
    return line;
}

std::optional<double> FigureData::at(std::size_t variant, double bytes) const {
    const auto place = between(points[variant], bytes);
    if (!place) return {};
    return place->left->median + place->share * (place->right->median - place->left->median);
}

std::optional<double> FigureData::loss(std::size_t a, std::size_t b, double bytes) const {
    const auto loss = find_loss(line(a), line(b), bytes);
    if (!loss) return {};
    return loss->median;
}

std::optional<double> FigureData::band(std::size_t variant, double bytes) const {
    const auto place = between(points[variant], bytes);
    if (!place) return {};
    const auto half = [](const CurvePoint& p) {
        return p.median > 0 ? (p.high - p.low) / (2 * p.median) : 0;
    };
    return half(*place->left) + place->share * (half(*place->right) - half(*place->left));
}

CurveFigures::CurveFigures(std::string resources, QObject* parent) : QObject(parent) {
    delivery_.setSingleShot(true);
    delivery_.setInterval(kDeliveryMilliseconds);
    connect(&delivery_, &QTimer::timeout, this, &CurveFigures::deliver);
    runner_ =
        std::make_unique<CurveRunner>(std::move(resources), [this](std::uint64_t id, const CurvePoint& point,
                                                                   const CurveProgress& progress) {
            const std::lock_guard lock(mutex_);
            results_.push_back({id, point, progress});
            if (std::exchange(delivering_, true)) return;
            // Timers belong to their thread; this object outlives the runner.
            QMetaObject::invokeMethod(
                this, [this] { delivery_.start(); }, Qt::QueuedConnection);
        });
}

CurveFigures::~CurveFigures() {
    runner_.reset();
}

std::shared_ptr<const FigureData> CurveFigures::find(const FigureChoice& choice) const {
    for (const auto& data : kept_)
        if (data->choice == choice) return data;
    return nullptr;
}

std::shared_ptr<FigureData> CurveFigures::get(const FigureChoice& choice) {
    const auto at =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& d) { return d->choice == choice; });
    if (at != kept_.end()) {
        std::rotate(at, at + 1, kept_.end());
        return kept_.back();
    }
    auto data = std::make_shared<FigureData>();
    data->choice = choice;
    data->figure = make_figure(choice);
    data->points.resize(data->figure.spec.variants.size());
    kept_.push_back(data);
    forget();
    return data;
}

void CurveFigures::forget() {
    for (std::size_t i = 0; kept_.size() > kKept && i < kept_.size();) {
        const bool used = kept_[i] == shown_ || kept_[i] == running_ ||
                          std::find(waiting_.begin(), waiting_.end(), kept_[i]) != waiting_.end();
        if (used)
            ++i;
        else
            kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

std::shared_ptr<const FigureData> CurveFigures::show(const FigureChoice& choice) {
    shown_ = get(choice);
    if (!shown_->complete() && running_ != shown_) {
        // What is interrupted comes after it, anew; its points stay until then.
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), shown_), waiting_.end());
        runner_->cancel();
        running_.reset();
        waiting_.push_front(shown_);
        startNext();
    }
    return shown_;
}

void CurveFigures::prepare(const std::vector<FigureChoice>& choices) {
    waiting_.clear();
    if (shown_ && !shown_->complete() && running_ != shown_) waiting_.push_back(shown_);
    for (const FigureChoice& choice : choices) {
        try {
            auto data = get(choice);
            if (!data->complete() && data != running_ &&
                std::find(waiting_.begin(), waiting_.end(), data) == waiting_.end())
                waiting_.push_back(std::move(data));
        } catch (const std::exception&) {
            // Shown when it is that figure's turn.
        }
    }
    startNext();
}

void CurveFigures::setEnabled(bool enabled) {
    if (enabled == enabled_) return;
    enabled_ = enabled;
    if (!enabled && running_) {
        runner_->cancel();
        waiting_.push_front(running_);
        running_.reset();
    }
    startNext();
}

void CurveFigures::startNext() {
    while (enabled_ && !running_ && !waiting_.empty()) {
        running_ = waiting_.front();
        waiting_.pop_front();
        if (running_->complete()) {
            running_.reset();
            continue;
        }
        try {
            id_ = runner_->start(running_->figure.spec);
            ++started_;
            running_->done = 0;
        } catch (const std::exception& e) {
            const bool seen = running_ == shown_;
            running_.reset();
            if (seen) Q_EMIT failed(QString::fromUtf8(e.what()));
        }
    }
}

void CurveFigures::deliver() {
    std::vector<Result> results;
    {
        const std::lock_guard lock(mutex_);
        results.swap(results_);
        delivering_ = false;
    }
    bool touched = false;
    for (const Result& result : results) {
        if (!running_ || result.id != id_) continue;
        FigureData& data = *running_;
        if (result.point.variant < data.points.size()) {
            // Points of an interrupted run stay until there are better ones.
            CurvePoint& kept = data.points[result.point.variant][result.point.subintervals];
            if (result.point.seeds >= kept.seeds) kept = result.point;
        }
        data.done = std::max(data.done, result.progress.done);
        data.total = result.progress.total;
        data.progress =
            static_cast<double>(data.done) / static_cast<double>(std::max<std::size_t>(data.total, 1));
        touched = true;
    }
    if (!touched) return;
    const auto data = running_;
    if (data->complete()) running_.reset();
    Q_EMIT changed(data);
    startNext();
}

} // namespace tlbscope
