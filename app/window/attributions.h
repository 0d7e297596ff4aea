// Attributions computed in the background: the one at the cursor first, then those a scene will need. Kept.
#pragma once

#include "app/window/figure_presets.h"
#include "engine/experiment/attribution.h"

#include <QObject>
#include <QTimer>

#include <boost/asio/thread_pool.hpp>

#include <deque>
#include <mutex>
#include <optional>

namespace tlbscope {

struct AttributionKey {
    Scenario a, b;
    int subintervals = 0, seeds = 0;

    bool operator==(const AttributionKey&) const = default;
};
// Of the figure's pair at that working set.
AttributionKey attribution_key(const PresetFigure& figure, const FigureChoice& choice, double bytes);

// GUI thread; one computation at a time, on a thread of its own.
class Attributions : public QObject {
    Q_OBJECT
public:
    Attributions(std::string resources, QObject* parent);
    ~Attributions() override; // cancels and joins

    // What is known, at once; what is not is computed, before all others and a moment after the last wish.
    const AttributionBand* show(const AttributionKey& key);
    void prepare(const std::vector<AttributionKey>& keys);
    const AttributionBand* find(const AttributionKey& key) const; // finished ones
    void setEnabled(bool enabled);                                // nothing runs while false
    bool idle() const { return !running_ && waiting_.empty() && !wanted_; }

Q_SIGNALS:
    // More of it; `share` 0 … 1.
    void changed(const AttributionKey& key, const AttributionBand& band, double share);
    void failed(const QString& error);

private:
    struct Job {
        std::uint64_t id = 0;
        AttributionKey key;
        std::atomic<bool> cancel{false};
    };
    void next();
    void cancel();
    void run(const std::shared_ptr<Job>& job);
    void take(std::uint64_t id, const AttributionBand& band, bool finished, const QString& error);

    const std::string resources_;
    std::deque<std::pair<AttributionKey, AttributionBand>> kept_;
    std::optional<AttributionKey> wanted_;
    std::deque<AttributionKey> waiting_;
    std::shared_ptr<Job> running_;
    std::uint64_t ids_ = 0;
    bool enabled_ = false;
    QTimer rest_;
    boost::asio::thread_pool pool_{1};
};

} // namespace tlbscope
