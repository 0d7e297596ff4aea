// What every chart here stands on: series with bands on two axes, drawn by Qt Charts; grid and labels drawn
// by hand. Private to this folder.
#pragma once

#include "views/charts/guarded_chart_view.h"
#include "views/charts/nice_axis.h"
#include "views/theme/theme.h"

#include <QAreaSeries>
#include <QChart>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <cmath>

namespace tlbscope {

// A colour of the theme, and a dash for those who do not tell colours apart.
struct SeriesStyle {
    std::size_t color = 0, dash = 0;

    static SeriesStyle of(std::size_t index) { return {index, index}; }
    Qt::PenStyle pen() const;
};

struct PlotSeries {
    QList<QPointF> line, low, high; // in axis coordinates
    bool markers = true;
    SeriesStyle style;
};

struct PlotContent {
    std::vector<PlotSeries> series;
    QList<QPointF> published;
    double current = std::nan(""), currentY = std::nan(""); // dashed line and dot
    NiceAxis x, y;
    FontRole font = FontRole::caption; // of the axes' labels
    int left = 0;                      // least width of the labels of y, so that plots line up
    bool columns = false;              // grid lines at the marks of x as well
    bool xLabels = true;
    int above = 0;      // room above the plot area for annotations
    double glass = 0.2; // opacity of the bands
};

class Plot {
public:
    explicit Plot(QWidget* parent);

    // Places the plot area and the axes, so that annotations can be laid out; show() does it as well.
    void measure(const PlotContent& content, const Theme& theme);
    void show(const PlotContent& content, const Theme& theme);
    GuardedChartView* view() const { return view_; } // owned by the parent widget
    QRectF area() const { return area_; }            // in the view's coordinates
    // Between axis and view coordinates.
    QPointF positionOf(QPointF value) const;
    double xAt(double position) const;
    // Drawn behind the series and above the grid, and in front of everything.
    void setBackdrop(std::function<void(QPainter&)> draw) { backdrop_ = std::move(draw); }
    void setOverlay(std::function<void(QPainter&)> draw) { view_->setOverlay(std::move(draw)); }

    static int labelWidth(const NiceAxis& axis, FontRole font);

private:
    struct Lines {
        QLineSeries *line, *low, *high;
        QAreaSeries* band;
        QScatterSeries* dots;
    };
    Lines& lines(std::size_t index);
    template <class T>
    T* add(); // a series on both axes
    void drawBack(QPainter& painter) const;
    void drawLabels(QPainter& painter) const;

    GuardedChartView* view_;
    QChart* chart_; // owned by the view
    std::vector<Lines> lines_;
    QLineSeries* now_;
    QScatterSeries *nowDot_, *published_;
    QValueAxis *x_, *y_;
    NiceAxis xMarks_, yMarks_;
    FontRole font_ = FontRole::caption;
    bool columns_ = false, xLabels_ = true;
    QRectF area_;
    std::function<void(QPainter&)> backdrop_;
};

} // namespace tlbscope
