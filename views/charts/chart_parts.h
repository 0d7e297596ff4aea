// What the charts share apart from the plot itself.
#pragma once

#include "views/charts/plot.h"

#include <QLine>

class QPainter;

namespace tlbscope {

// How many points a chart may draw, so that a frame stays a frame.
struct PlotBudget {
    int columns = 50;  // for decimate()
    int markers = 0;   // up to so many points of a series have dots
    bool bands = true; // bands of many long series would only hide one another
};
// `width`: of the view in pixels; `longest`: points of the longest series.
PlotBudget plotBudget(int width, std::size_t series, std::size_t longest);
PlotSeries plotSeries(const QList<QPointF>& line, const QList<QPointF>& low, const QList<QPointF>& high,
                      SeriesStyle style, const PlotBudget& budget);

// y of a line sorted by x, straight between its points; NaN outside of them.
double valueAt(const QList<QPointF>& line, double x);

// The sample of a line in a legend, and the mark of published figures.
void paintLineSample(QPainter& painter, const QLine& line, SeriesStyle style);
void paintPublishedMark(QPainter& painter, const QPointF& center, double radius);

} // namespace tlbscope
