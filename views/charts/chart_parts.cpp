#include "views/charts/chart_parts.h"

#include <QGraphicsLayout>
#include <QPainter>

#include <algorithm>

namespace tlbscope {

Qt::PenStyle ChartContent::style(std::size_t index) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return styles[index % 4];
}

template <class T>
T* ThroughputChart::Chart::add() {
    auto* series = new T;
    chart->addSeries(series);
    series->attachAxis(x_);
    series->attachAxis(y_);
    return series;
}

ThroughputChart::Chart::Chart(QWidget* parent)
    : view(new GuardedChartView(parent)), chart(new QChart), x_(new QValueAxis), y_(new QValueAxis) {
    chart->legend()->hide();
    chart->setMargins(QMargins(0, 0, 0, 0));
    chart->setBackgroundRoundness(0);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setDropShadowEnabled(false);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->addAxis(x_, Qt::AlignBottom);
    chart->addAxis(y_, Qt::AlignLeft);
    // Grid and labels are drawn here: the axes of Qt Charts cut labels off that do not fit their guess.
    for (QValueAxis* axis : {x_, y_}) {
        axis->setLabelsVisible(false);
        axis->setGridLineVisible(false);
        axis->setLineVisible(false);
    }
    view->setBackdrop([this](QPainter& painter) { drawLabels(painter); });
    now_ = add<QLineSeries>();
    published_ = add<QScatterSeries>();
    published_->setMarkerShape(QScatterSeries::MarkerShapeRotatedRectangle);
    nowDot_ = add<QScatterSeries>();
    view->setChart(chart);
}

ThroughputChart::Chart::Lines& ThroughputChart::Chart::lines(std::size_t index) {
    while (lines_.size() <= index) {
        Lines l{};
        l.low = new QLineSeries(chart);
        l.high = new QLineSeries(chart);
        l.band = new QAreaSeries(l.high, l.low);
        chart->addSeries(l.band);
        l.band->attachAxis(x_);
        l.band->attachAxis(y_);
        l.line = add<QLineSeries>();
        l.dots = add<QScatterSeries>();
        lines_.push_back(l);
        chart->removeSeries(nowDot_); // always on top
        chart->addSeries(nowDot_);
        nowDot_->attachAxis(x_);
        nowDot_->attachAxis(y_);
    }
    return lines_[index];
}

void ThroughputChart::Chart::placePlot(const ChartContent& content, const Theme& theme) {
    xMarks_ = content.x;
    yMarks_ = content.y;
    int left = 0;
    for (const AxisMark& mark : yMarks_.marks)
        left = std::max(left, textWidth(FontRole::caption, mark.label));
    const int below = lineHeight(FontRole::caption) + theme.px(5);
    const QRectF all(QPointF(0, 0), QSizeF(view->size()));
    const QRectF plot = all.adjusted(left + theme.px(10), theme.px(7), -theme.px(10), -below);
    if (plot.width() > 10 && plot.height() > 10 && chart->plotArea() != plot) chart->setPlotArea(plot);
    if (x_->min() != xMarks_.min || x_->max() != xMarks_.max) x_->setRange(xMarks_.min, xMarks_.max);
    if (y_->min() != yMarks_.min || y_->max() != yMarks_.max) y_->setRange(yMarks_.min, yMarks_.max);
}

void ThroughputChart::Chart::drawLabels(QPainter& painter) const {
    const Theme& t = Theme::current();
    const QRectF plot = chart->plotArea();
    if (plot.width() < 10 || !(yMarks_.max > yMarks_.min) || !(xMarks_.max > xMarks_.min)) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(t.font(FontRole::caption));
    const QColor grid = mix(t.panel, t.border, 0.75);
    const double height = lineHeight(FontRole::caption);
    for (const AxisMark& mark : yMarks_.marks) {
        const double y =
            plot.bottom() - (mark.at - yMarks_.min) / (yMarks_.max - yMarks_.min) * plot.height();
        painter.fillRect(QRectF(plot.left(), std::round(y), plot.width(), 1), grid);
        painter.setPen(t.dim);
        painter.drawText(QRectF(0, y - height / 2, plot.left() - t.px(6), height),
                         Qt::AlignRight | Qt::AlignVCenter, mark.label);
    }
    double clear = -1e9;
    for (const AxisMark& mark : xMarks_.marks) {
        const double x = plot.left() + (mark.at - xMarks_.min) / (xMarks_.max - xMarks_.min) * plot.width();
        painter.fillRect(QRectF(std::round(x), plot.bottom(), 1, t.px(4)), t.border);
        const double width = textWidth(FontRole::caption, mark.label);
        const double at = std::clamp(x - width / 2, 0.0, view->width() - width);
        if (at < clear) continue; // never over its neighbour
        painter.setPen(t.dim);
        painter.drawText(QRectF(at, plot.bottom() + t.px(4), width + 1, height),
                         Qt::AlignLeft | Qt::AlignVCenter, mark.label);
        clear = at + width + t.px(6);
    }
}

void ThroughputChart::Chart::show(const ChartContent& content, const Theme& theme) {
    placePlot(content, theme);
    qsizetype total = 0;
    for (const ChartSeries& s : content.series)
        total += s.line.size();
    // Antialiasing of long lines costs more than a frame.
    const bool fine = total <= 600;
    view->setUpdatesEnabled(false);
    view->setRenderHint(QPainter::Antialiasing, fine);
    view->setBackgroundBrush(theme.panel);
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const ChartSeries& s = content.series[i];
        Lines& l = lines(i);
        const QColor color = theme.series(i);
        QPen pen(color, fine ? std::max(2.0, theme.px(2) * 1.0) : 1,
                 fine ? ChartContent::style(i) : Qt::SolidLine);
        pen.setCosmetic(true);
        if (l.line->pen() != pen) l.line->setPen(pen);
        l.line->replace(s.line);
        QColor glass = color;
        glass.setAlphaF(0.2f);
        if (l.band->brush() != QBrush(glass)) {
            l.band->setBrush(glass);
            l.band->setPen(Qt::NoPen);
        }
        l.band->setVisible(s.low.size() > 1);
        if (s.low.size() > 1 || l.low->count() > 0) {
            l.low->replace(s.low);
            l.high->replace(s.high);
        }
        l.dots->setVisible(s.markers);
        if (s.markers) {
            l.dots->setMarkerSize(theme.px(6));
            l.dots->setColor(color);
            l.dots->setBorderColor(theme.panel);
        }
        if (s.markers || l.dots->count() > 0) l.dots->replace(s.markers ? s.line : QList<QPointF>());
    }
    for (std::size_t i = content.series.size(); i < lines_.size(); ++i) {
        for (QXYSeries* series :
             {static_cast<QXYSeries*>(lines_[i].line), static_cast<QXYSeries*>(lines_[i].low),
              static_cast<QXYSeries*>(lines_[i].high), static_cast<QXYSeries*>(lines_[i].dots)})
            series->replace(QList<QPointF>());
        lines_[i].band->setVisible(false);
    }
    const bool marked = std::isfinite(content.current) && content.current >= content.x.min &&
                        content.current <= content.x.max;
    now_->setPen(QPen(theme.hue.orange, 1.5, Qt::DashLine));
    now_->replace(marked ? QList<QPointF>{{content.current, content.y.min}, {content.current, content.y.max}}
                         : QList<QPointF>());
    nowDot_->setMarkerSize(theme.px(11));
    nowDot_->setColor(theme.hue.orange);
    nowDot_->setBorderColor(theme.panel);
    nowDot_->replace(marked && std::isfinite(content.currentY)
                         ? QList<QPointF>{{content.current, content.currentY}}
                         : QList<QPointF>());
    published_->setMarkerSize(theme.px(11));
    published_->setColor(Qt::transparent);
    published_->setPen(QPen(theme.hue.purple, 1.5));
    published_->replace(content.published);
    view->setUpdatesEnabled(true);
}

QPointF ThroughputChart::Chart::positionOf(QPointF value) const {
    return chart->mapToPosition(value, now_);
}

} // namespace tlbscope
