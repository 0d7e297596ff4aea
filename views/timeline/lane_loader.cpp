#include "views/timeline/lane_loader.h"

#include <QCoreApplication>

namespace tlbscope {

namespace {
// A few milliseconds of work at most.
constexpr std::uint64_t kAtOnce = 16000;
} // namespace

LaneLoader::LaneLoader(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
}

LaneLoader::~LaneLoader() {
    if (cancel_) *cancel_ = true;
    pool_.waitForDone();
}

void LaneLoader::clear() {
    if (cancel_) *cancel_ = true;
    ++id_;
    busy_ = false;
    data_.reset();
}

void LaneLoader::request(const LaneRequest& request) {
    if (eventsNeeded(request) <= kAtOnce) {
        if (cancel_) *cancel_ = true;
        ++id_;
        busy_ = false;
        data_ = makeLaneData(request, std::atomic<bool>(false));
        return;
    }
    if (busy_ && under_.run == request.run && under_.begin == request.begin && under_.end == request.end)
        return;
    if (cancel_) *cancel_ = true;
    auto cancel = cancel_ = std::make_shared<std::atomic<bool>>(false);
    const std::uint64_t id = ++id_;
    busy_ = true;
    under_ = request;
    pool_.start([this, cancel, request, id] {
        auto data = makeLaneData(request, *cancel);
        // The destructor joins, so `this` is alive here; delivery is dropped if it dies before.
        if (data)
            QMetaObject::invokeMethod(
                this, [this, id, data] { deliver(id, data); }, Qt::QueuedConnection);
    });
}

void LaneLoader::deliver(std::uint64_t id, std::shared_ptr<const LaneData> data) {
    if (id != id_) return;
    busy_ = false;
    data_ = std::move(data);
    Q_EMIT ready();
}

void LaneLoader::waitForDone() {
    if (!busy_) return;
    pool_.waitForDone();
    QCoreApplication::sendPostedEvents(this);
}

} // namespace tlbscope
