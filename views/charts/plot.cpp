#include "views/charts/plot.h"

#include "views/panels/panel.h"

#include <QGraphicsLayout>
#include <QPainter>

#include <algorithm>

namespace tlbscope {

Qt::PenStyle SeriesStyle::pen() const {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return styles[dash % 4];
}

namespace {

// Qt Charts works out the outline of a line anew even where nothing has changed.
void put(QXYSeries* series, const QList<QPointF>& points) {
    if (series->points() != points) series->replace(points);
}

} // namespace

template <class T>
T* Plot::add() {
    auto* series = new T;
    chart_->addSeries(series);
    series->attachAxis(x_);
    series->attachAxis(y_);
    return series;
}

Plot::Plot(QWidget* parent)
    : view_(new GuardedChartView(parent)), chart_(new QChart), x_(new QValueAxis), y_(new QValueAxis) {
    chart_->legend()->hide();
    chart_->setMargins(QMargins(0, 0, 0, 0));
    chart_->setBackgroundRoundness(0);
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->setDropShadowEnabled(false);
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    chart_->addAxis(x_, Qt::AlignBottom);
    chart_->addAxis(y_, Qt::AlignLeft);
    // Grid and labels are drawn here: the axes of Qt Charts cut labels off that do not fit their guess.
    for (QValueAxis* axis : {x_, y_}) {
        axis->setLabelsVisible(false);
        axis->setGridLineVisible(false);
        axis->setLineVisible(false);
    }
    view_->setBackdrop([this](QPainter& painter) { drawBack(painter); });
    now_ = add<QLineSeries>();
    published_ = add<QScatterSeries>();
    published_->setMarkerShape(QScatterSeries::MarkerShapeRotatedRectangle);
    nowDot_ = add<QScatterSeries>();
    view_->setChart(chart_);
}

Plot::Lines& Plot::lines(std::size_t index) {
    while (lines_.size() <= index) {
        Lines l{};
        l.low = new QLineSeries(chart_);
        l.high = new QLineSeries(chart_);
        l.band = new QAreaSeries(l.high, l.low);
        chart_->addSeries(l.band);
        l.band->attachAxis(x_);
        l.band->attachAxis(y_);
        l.line = add<QLineSeries>();
        l.dots = add<QScatterSeries>();
        lines_.push_back(l);
        chart_->removeSeries(nowDot_); // always on top
        chart_->addSeries(nowDot_);
        nowDot_->attachAxis(x_);
        nowDot_->attachAxis(y_);
    }
    return lines_[index];
}

int Plot::labelWidth(const NiceAxis& axis, FontRole font) {
    int width = 0;
    for (const AxisMark& mark : axis.marks)
        width = std::max(width, textWidth(font, mark.label));
    return width;
}

void Plot::measure(const PlotContent& content, const Theme& theme) {
    xMarks_ = content.x;
    yMarks_ = content.y;
    font_ = content.font;
    columns_ = content.columns;
    xLabels_ = content.xLabels;
    const int left = std::max(content.left, labelWidth(yMarks_, font_));
    const int below = xLabels_ ? lineHeight(font_) + theme.px(5) : lineHeight(font_) / 2;
    const QRectF all(QPointF(0, 0), QSizeF(view_->size()));
    area_ = all.adjusted(left + theme.px(10), theme.px(7) + content.above, -theme.px(10), -below);
}

QPointF Plot::positionOf(QPointF value) const {
    return {area_.left() + (value.x() - xMarks_.min) / (xMarks_.max - xMarks_.min) * area_.width(),
            area_.bottom() - (value.y() - yMarks_.min) / (yMarks_.max - yMarks_.min) * area_.height()};
}

double Plot::xAt(double position) const {
    return xMarks_.min +
           (position - area_.left()) / std::max(1.0, area_.width()) * (xMarks_.max - xMarks_.min);
}

void Plot::drawBack(QPainter& painter) const {
    if (area_.width() < 10 || !(yMarks_.max > yMarks_.min) || !(xMarks_.max > xMarks_.min)) return;
    painter.save();
    drawLabels(painter);
    painter.restore();
    if (backdrop_) backdrop_(painter);
}

void Plot::drawLabels(QPainter& painter) const {
    const Theme& t = Theme::current();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(t.font(font_));
    const QColor grid = mix(t.panel, t.border, 0.75);
    const double height = lineHeight(font_);
    for (const AxisMark& mark : yMarks_.marks) {
        const double y = positionOf({xMarks_.min, mark.at}).y();
        painter.fillRect(QRectF(area_.left(), std::round(y), area_.width(), 1), grid);
        painter.setPen(t.dim);
        painter.drawText(QRectF(0, y - height / 2, area_.left() - t.px(6), height),
                         Qt::AlignRight | Qt::AlignVCenter, mark.label);
    }
    double clear = -1e9;
    for (const AxisMark& mark : xMarks_.marks) {
        const double x = positionOf({mark.at, yMarks_.min}).x();
        if (columns_)
            painter.fillRect(QRectF(std::round(x), area_.top(), 1, area_.height()),
                             mix(t.panel, t.border, 0.45));
        painter.fillRect(QRectF(std::round(x), area_.bottom(), 1, t.px(4)), t.border);
        if (!xLabels_) continue;
        const double width = textWidth(font_, mark.label);
        const double at = std::clamp(x - width / 2, 0.0, view_->width() - width);
        if (at < clear) continue; // never over its neighbour
        painter.setPen(t.dim);
        painter.drawText(QRectF(at, area_.bottom() + t.px(4), width + 1, height),
                         Qt::AlignLeft | Qt::AlignVCenter, mark.label);
        clear = at + width + t.px(6);
    }
}

void Plot::show(const PlotContent& content, const Theme& theme) {
    measure(content, theme);
    if (area_.width() > 10 && area_.height() > 10 && chart_->plotArea() != area_) chart_->setPlotArea(area_);
    if (x_->min() != xMarks_.min || x_->max() != xMarks_.max) x_->setRange(xMarks_.min, xMarks_.max);
    if (y_->min() != yMarks_.min || y_->max() != yMarks_.max) y_->setRange(yMarks_.min, yMarks_.max);
    qsizetype total = 0;
    for (const PlotSeries& s : content.series)
        total += s.line.size();
    // Antialiasing of long lines costs more than a frame.
    const bool fine = total <= 600;
    view_->setUpdatesEnabled(false);
    view_->setRenderHint(QPainter::Antialiasing, fine);
    view_->setBackgroundBrush(theme.panel);
    chart_->setBackgroundVisible(false);
    chart_->setPlotAreaBackgroundVisible(false);
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const PlotSeries& s = content.series[i];
        Lines& l = lines(i);
        const QColor color = theme.series(s.style.color);
        QPen pen(color, fine ? std::max(2.0, theme.px(2) * 1.0) : 1, fine ? s.style.pen() : Qt::SolidLine);
        pen.setCosmetic(true);
        if (l.line->pen() != pen) l.line->setPen(pen);
        put(l.line, s.line);
        QColor glass = color;
        glass.setAlphaF(static_cast<float>(content.glass));
        if (l.band->brush() != QBrush(glass)) {
            l.band->setBrush(glass);
            l.band->setPen(Qt::NoPen);
        }
        l.band->setVisible(s.low.size() > 1);
        if (s.low.size() > 1 || l.low->count() > 0) {
            put(l.low, s.low);
            put(l.high, s.high);
        }
        l.dots->setVisible(s.markers);
        if (s.markers) {
            l.dots->setMarkerSize(theme.px(6));
            l.dots->setColor(color);
            l.dots->setBorderColor(theme.panel);
        }
        if (s.markers || l.dots->count() > 0) put(l.dots, s.markers ? s.line : QList<QPointF>());
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
    view_->setUpdatesEnabled(true);
}

} // namespace tlbscope
