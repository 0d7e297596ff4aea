#include "views/charts/chart_parts.h"

#include <QGraphicsLayout>

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
    : view(new GuardedChartView(parent)), chart(new QChart), x_(new QCategoryAxis), y_(new QCategoryAxis) {
    chart->legend()->hide();
    chart->setMargins(QMargins(0, 0, 0, 0));
    chart->setBackgroundRoundness(0);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setDropShadowEnabled(false);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->addAxis(x_, Qt::AlignBottom);
    chart->addAxis(y_, Qt::AlignLeft);
    for (QCategoryAxis* axis : {x_, y_}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
    }
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

void ThroughputChart::Chart::setAxis(QCategoryAxis* axis, const NiceAxis& nice, const Theme& theme) {
    const QStringList old = axis->categoriesLabels();
    QStringList fresh;
    for (const AxisMark& mark : nice.marks)
        fresh << mark.label;
    bool same = old == fresh && axis->min() == nice.min && axis->max() == nice.max;
    for (const AxisMark& mark : nice.marks)
        same = same && axis->endValue(mark.label) == mark.at;
    if (!same) {
        for (const QString& label : old)
            axis->remove(label);
        axis->setStartValue(nice.min);
        for (const AxisMark& mark : nice.marks)
            axis->append(mark.label, mark.at);
        axis->setRange(nice.min, nice.max);
    }
    axis->setLabelsFont(theme.font(FontRole::caption));
    axis->setLabelsColor(theme.dim);
    axis->setGridLinePen(QPen(mix(theme.panel, theme.border, 0.8), 1));
    axis->setLinePen(QPen(theme.border, 1));
}

void ThroughputChart::Chart::show(const ChartContent& content, const Theme& theme) {
    qsizetype total = 0;
    for (const ChartSeries& s : content.series)
        total += s.line.size();
    // Antialiasing of long lines costs more than a frame.
    const bool fine = total <= 600;
    view->setUpdatesEnabled(false);
    view->setRenderHint(QPainter::Antialiasing, fine);
    view->setBackgroundBrush(theme.panel);
    chart->setBackgroundBrush(theme.panel);
    chart->setBackgroundPen(Qt::NoPen);
    chart->setPlotAreaBackgroundVisible(false);
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const ChartSeries& s = content.series[i];
        Lines& l = lines(i);
        const QColor color = theme.series(i);
        QPen pen(color, fine ? std::max(2.0, theme.px(2) * 1.0) : 1,
                 fine ? ChartContent::style(i) : Qt::SolidLine);
        pen.setCosmetic(true);
        l.line->setPen(pen);
        l.line->replace(s.line);
        QColor glass = color;
        glass.setAlphaF(0.2f);
        l.band->setBrush(glass);
        l.band->setPen(Qt::NoPen);
        l.low->replace(s.low);
        l.high->replace(s.high);
        l.band->setVisible(s.low.size() > 1);
        l.dots->setVisible(s.markers);
        l.dots->setMarkerSize(theme.px(6));
        l.dots->setColor(color);
        l.dots->setBorderColor(theme.panel);
        l.dots->replace(s.markers ? s.line : QList<QPointF>());
    }
    for (std::size_t i = content.series.size(); i < lines_.size(); ++i) {
        for (QXYSeries* series :
             {static_cast<QXYSeries*>(lines_[i].line), static_cast<QXYSeries*>(lines_[i].low),
              static_cast<QXYSeries*>(lines_[i].high), static_cast<QXYSeries*>(lines_[i].dots)})
            series->replace(QList<QPointF>());
        lines_[i].band->setVisible(false);
    }
    setAxis(x_, content.x, theme);
    setAxis(y_, content.y, theme);
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
