// Makes lane data off the GUI thread, newest request wins.
#pragma once

#include "views/timeline/lane_data.h"

#include <QObject>
#include <QThreadPool>

namespace tlbscope {

class LaneLoader : public QObject {
    Q_OBJECT
public:
    explicit LaneLoader(QObject* parent = nullptr);
    ~LaneLoader() override; // cancels and joins

    // Small requests are answered before this returns; a larger one replaces the one under way.
    void request(const LaneRequest& request);
    const std::shared_ptr<const LaneData>& lanes() const { return data_; } // newest, may be null
    bool busy() const { return busy_; }
    void clear();
    // Until the request under way has been answered; for pictures without a window.
    void waitForDone();

Q_SIGNALS:
    void ready();

private:
    void deliver(std::uint64_t id, std::shared_ptr<const LaneData> data);

    QThreadPool pool_;
    std::shared_ptr<std::atomic<bool>> cancel_;
    std::shared_ptr<const LaneData> data_;
    std::uint64_t id_ = 0;
    bool busy_ = false;
    LaneRequest under_; // the one under way
};

} // namespace tlbscope
