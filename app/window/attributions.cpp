#include "app/window/attributions.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cmath>

namespace tlbscope {
namespace {

constexpr int kRestMilliseconds = 150;
constexpr std::size_t kKept = 256;

} // namespace

AttributionKey attribution_key(const PresetFigure& figure, const FigureChoice& choice, double bytes) {
    const CurveAxis axis = curve_axis(choice.workload);
    AttributionKey key;
    key.a = figure.spec.variants[figure.reference].scenario;
    key.b = figure.spec.variants[figure.compared].scenario;
    key.subintervals = std::clamp(static_cast<int>(std::lround(bytes / axis.bytes)), axis.low, axis.high);
    key.seeds = choice.seeds;
    return key;
}

Attributions::Attributions(std::string resources, QObject* parent)
    : QObject(parent), resources_(std::move(resources)) {
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMilliseconds);
    connect(&rest_, &QTimer::timeout, this, &Attributions::next);
}

Attributions::~Attributions() {
    cancel();
    pool_.join();
}

const AttributionBand* Attributions::find(const AttributionKey& key) const {
    for (const auto& [known, band] : kept_)
        if (known == key) return &band;
    return nullptr;
}

const AttributionBand* Attributions::show(const AttributionKey& key) {
    if (const AttributionBand* band = find(key)) {
        wanted_.reset();
        return band;
    }
    if (running_ && running_->key == key) {
        wanted_.reset();
        return nullptr;
    }
    wanted_ = key;
    rest_.start();
    return nullptr;
}

void Attributions::prepare(const std::vector<AttributionKey>& keys) {
    waiting_.clear();
    for (const AttributionKey& key : keys)
        if (!find(key) && !(running_ && running_->key == key)) waiting_.push_back(key);
    next();
}

void Attributions::setEnabled(bool enabled) {
    if (enabled == enabled_) return;
    enabled_ = enabled;
    if (!enabled && running_) {
        waiting_.push_front(running_->key);
        cancel();
    }
    next();
}

void Attributions::cancel() {
    if (running_) running_->cancel = true;
    running_.reset();
}

void Attributions::next() {
    if (!enabled_ || rest_.isActive()) return;
    AttributionKey key;
    if (wanted_) {
        key = *wanted_;
        wanted_.reset();
        if (running_ && running_->key != key) {
            waiting_.push_front(running_->key);
            cancel();
        }
    } else if (!running_ && !waiting_.empty()) {
        key = waiting_.front();
        waiting_.pop_front();
    } else {
        return;
    }
    if (running_) return;
    running_ = std::make_shared<Job>();
    running_->id = ++ids_;
    running_->key = key;
    boost::asio::post(pool_, [this, job = running_] { run(job); });
}

void Attributions::run(const std::shared_ptr<Job>& job) {
    if (job->cancel) return;
    const auto tell = [this, id = job->id](const AttributionBand& band, bool finished, const QString& error) {
        QMetaObject::invokeMethod(
            this, [=, this] { take(id, band, finished, error); }, Qt::QueuedConnection);
    };
    try {
        const AttributionBand band =
            attribute(job->key.a, job->key.b, job->key.subintervals, job->key.seeds, resources_, job->cancel,
                      [&](const AttributionBand& partial) { tell(partial, false, {}); });
        if (!job->cancel) tell(band, true, {});
    } catch (const std::exception& e) {
        tell({}, true, QString::fromUtf8(e.what()));
    }
}

void Attributions::take(std::uint64_t id, const AttributionBand& band, bool finished, const QString& error) {
    if (!running_ || running_->id != id) return;
    const AttributionKey key = running_->key;
    if (finished) {
        running_.reset();
        if (error.isEmpty()) {
            kept_.emplace_back(key, band);
            if (kept_.size() > kKept) kept_.pop_front();
        }
    }
    if (!error.isEmpty())
        Q_EMIT failed(error);
    else
        Q_EMIT changed(key, band,
                       finished ? 1 : static_cast<double>(band.seeds.size()) / std::max(key.seeds, 1));
    if (finished) next();
}

} // namespace tlbscope
