// The pieces of Qt Charts behind ThroughputChart; private to this folder.
#pragma once

#include "views/charts/guarded_chart_view.h"
#include "views/charts/throughput_chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <cmath>

namespace tlbscope {

struct ChartSeries {
    QList<QPointF> line, low, high; // in axis coordinates
    bool markers = true;
};

struct ChartContent {
    std::vector<ChartSeries> series;
    QList<QPointF> published;
    double current = std::nan(""), currentY = std::nan("");
    NiceAxis x, y;

    // Line styles tell series apart where colours do not.
    static Qt::PenStyle style(std::size_t index);
};

struct ThroughputChart::Chart {
    explicit Chart(QWidget* parent);

    void show(const ChartContent& content, const Theme& theme);
    QPointF positionOf(QPointF value) const;

    GuardedChartView* view; // owned by the parent widget
    QChart* chart;          // owned by the view

private:
    struct Lines {
        QLineSeries *line, *low, *high;
        QAreaSeries* band;
        QScatterSeries* dots;
    };
    Lines& lines(std::size_t index);
    template <class T>
    T* add(); // a series on both axes
    void placePlot(const ChartContent& content, const Theme& theme);
    void drawLabels(QPainter& painter) const;

    std::vector<Lines> lines_;
    QLineSeries* now_;
    QScatterSeries *nowDot_, *published_;
    QValueAxis *x_, *y_;
    NiceAxis xMarks_, yMarks_;
};

} // namespace tlbscope
