// Figures computed in the background, one after the other, and kept: the one that is shown, and those that
// the next step of a scene will show.
#pragma once

#include "app/window/figure_presets.h"
#include "engine/experiment/curve_features.h"

#include <QObject>
#include <QTimer>

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace tlbscope {

// What is known of one figure so far.
struct FigureData {
    FigureChoice choice;
    PresetFigure figure;
    std::vector<std::map<int, CurvePoint>> points; // a map a variant, by subintervals
    double progress = 0;                           // 0 … 1
    std::size_t done = 0, total = 0;               // runs
    bool complete() const { return total > 0 && done == total; }

    std::vector<CurvePoint> line(std::size_t variant) const; // by working set
    // Median throughput, straight between points on the logarithmic axis; nothing beyond them.
    std::optional<double> at(std::size_t variant, double bytes) const;
    // Throughput that `b` loses against `a` there, 0 … 1; negative: it is faster.
    std::optional<double> loss(std::size_t a, std::size_t b, double bytes) const;
    // Half the width of the 5 to 95 % band over placements, relative to the median.
    std::optional<double> band(std::size_t variant, double bytes) const;
};

// GUI thread. The runner's threads hand over a few times a second.
class CurveFigures : public QObject {
    Q_OBJECT
public:
    CurveFigures(std::string resources, QObject* parent);
    ~CurveFigures() override; // cancels and joins

    // To be computed before all others, from its coarse points on. Never null. Throws Error for a choice that
    // makes no figure; what ran before goes on.
    std::shared_ptr<const FigureData> show(const FigureChoice& choice);
    // To be computed after the shown one, in this order, unless they are there already. Those that cannot be
    // made are left out.
    void prepare(const std::vector<FigureChoice>& choices);
    // What is known of it; null: nothing asked for.
    std::shared_ptr<const FigureData> find(const FigureChoice& choice) const;
    // Nothing runs while false.
    void setEnabled(bool enabled);
    bool idle() const { return !running_ && waiting_.empty(); }
    std::uint64_t started() const { return started_; }

Q_SIGNALS:
    void changed(const std::shared_ptr<const FigureData>& data);
    void failed(const QString& error);

private:
    struct Result {
        std::uint64_t id;
        CurvePoint point;
        CurveProgress progress;
    };
    std::shared_ptr<FigureData> get(const FigureChoice& choice);
    void startNext();
    void deliver();
    void forget();

    std::vector<std::shared_ptr<FigureData>> kept_; // the last used last
    std::shared_ptr<FigureData> shown_, running_;
    std::deque<std::shared_ptr<FigureData>> waiting_;
    std::uint64_t id_ = 0, started_ = 0;
    bool enabled_ = true;
    QTimer delivery_;
    std::mutex mutex_;
    std::vector<Result> results_;
    bool delivering_ = false;
    std::unique_ptr<CurveRunner> runner_;
};

} // namespace tlbscope
