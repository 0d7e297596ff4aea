// The sweeps behind the two charts: started when a parameter moves, dropped when another does.
#pragma once

#include "engine/experiment/sweep.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <mutex>

namespace tlbscope {

// GUI thread. Results come from the sweep's threads and are handed over a few times a second.
class SweepCharts : public QObject {
    Q_OBJECT
public:
    enum Slot : int { parameter, workingSet };
    static constexpr int kSlots = 2;
    struct Series {
        SweepSpec spec;
        bool possible = true; // false: this kernel has neither shift nor ceiling
        std::uint64_t id = 0; // 0: not running and nothing to show
        std::map<int, SweepPoint> points;
        double progress = 0; // 0 … 1
    };

    SweepCharts(const std::string& resources, QObject* parent);
    ~SweepCharts() override; // cancels and joins

    // The scenario the charts are about; restarts, a moment later, what it changes.
    void setScenario(const Scenario& scenario);
    // A hidden chart's sweep stops; it goes on from the start when it is seen again.
    void setShown(Slot slot, bool shown);
    // Nothing runs while false.
    void setEnabled(bool enabled);
    const Series& series(Slot slot) const { return series_[slot]; }
    bool finished() const;   // every chart that is shown
    double progress() const; // mean of these
    std::uint64_t started() const { return started_; }
    // Starts at once what waits for a slider to rest.
    void startNow();

Q_SIGNALS:
    void changed(int slot);
    void failed(const QString& error);

private:
    struct Result {
        std::uint64_t id;
        SweepPoint point;
        double progress;
    };
    void deliver();
    void startWhatIsDue();
    SweepSpec specOf(Slot slot, bool& possible) const;

    Scenario scenario_;
    bool haveScenario_ = false, enabled_ = true;
    bool shown_[kSlots] = {true, true};
    bool due_[kSlots] = {false, false};
    Series series_[kSlots];
    std::uint64_t started_ = 0;
    QTimer rest_, delivery_;
    std::mutex mutex_;
    std::vector<Result> results_;
    bool waiting_ = false; // results wait to be delivered
    std::unique_ptr<SweepRunner> runner_;
};

} // namespace tlbscope
