// Throughput over one parameter: a line of medians in a band of quantiles for every series, filled in while
// a sweep runs.
#pragma once

#include "engine/experiment/sweep.h"
#include "views/charts/nice_axis.h"
#include "views/panels/panel.h"

#include <map>
#include <memory>
#include <optional>

namespace tlbscope {

class Plot;

struct PublishedPoint { // a figure from the literature or a mailing list, for comparison
    double value = 0, recordsPerSecond = 0;
    QString label; // its source
};

// GUI thread only. Points may come in any order; setters take effect with the next paint.
class ThroughputChart : public Panel {
    Q_OBJECT
public:
    explicit ThroughputChart(const QString& title, SweepAxis axis, QWidget* parent = nullptr);
    ~ThroughputChart() override;

    // Scale of x; default: log2 for the working set, linear for all others.
    void setScale(ChartScale scale);
    // Values that the sweep will have, so that the axis does not jump while it fills.
    void setExpected(const std::vector<int>& values);
    void setSeries(const QString& label, const std::vector<SweepPoint>& points);
    void setPoint(const QString& label, const SweepPoint& point); // adds, or replaces the one of this value
    void clear();                                                 // all series, not the expected values
    void setCurrent(std::optional<int> value);                    // dashed line and dot
    void setProgress(double share);                               // 0 … 1; negative or 1: no bar
    void setPublished(std::vector<PublishedPoint> points);
    void setNote(const QString& note); // at the right of the title instead of "records/s, 5–95 % band"

    std::vector<QString> labels() const;               // of the series, in the order they were added
    std::size_t pointsDrawn() const { return drawn_; } // after decimation
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void flush(); // put everything into the chart now; otherwise done before painting

Q_SIGNALS:
    void valueClicked(int value); // nearest measured value

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    void resizeEvent(QResizeEvent* event) override;
    void shown() override;
    void themeChanged() override;

private:
    struct Series {
        QString label;
        std::map<int, SweepPoint> points;
    };

    Series& seriesOf(const QString& label);
    void changed();
    void place();
    std::pair<NiceAxis, NiceAxis> axes() const;
    void point(QPointF chartPosition, QPoint global, bool pressed);
    QString valueText(int value) const;
    int legendHeight() const;

    SweepAxis axis_;
    ChartScale scale_;
    std::vector<int> expected_;
    std::vector<Series> series_;
    std::vector<PublishedPoint> published_;
    std::optional<int> current_;
    double progress_ = -1;
    bool dirty_ = true;
    std::size_t drawn_ = 0;
    std::unique_ptr<Plot> plot_;
};

} // namespace tlbscope
