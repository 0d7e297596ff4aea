#include "views/charts/throughput_chart.h"

#include "views/charts/chart_parts.h"
#include "views/format/format.h"

#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlbscope {

namespace {

QString pagesAsBytes(double pages) {
    return bytesText(static_cast<std::uint64_t>(std::llround(std::max(0.0, pages))) * kPageBytes);
}
QString plainNumber(double value) {
    return grouped(static_cast<std::int64_t>(std::llround(value)));
}

} // namespace

ThroughputChart::ThroughputChart(const QString& title, SweepAxis axis, QWidget* parent)
    : Panel(title, parent), axis_(axis),
      scale_(axis == SweepAxis::working_set_pages ? ChartScale::log2 : ChartScale::linear),
      plot_(std::make_unique<Plot>(this)) {
    setContextChoices({tr("records/s, 5–95 % band"), tr("records/s")});
    connect(plot_->view(), &GuardedChartView::pointed, this, &ThroughputChart::point);
    connect(plot_->view(), &GuardedChartView::left, this, [] { QToolTip::hideText(); });
    plot_->view()->setAccessibleName(title);
}

ThroughputChart::~ThroughputChart() = default;

QSize ThroughputChart::sizeHint() const {
    return {Theme::current().px(320), Theme::current().px(220)};
}
QSize ThroughputChart::minimumSizeHint() const {
    return {Theme::current().px(200), Theme::current().px(115)};
}

void ThroughputChart::changed() {
    dirty_ = true;
    if (!isVisible()) return;
    update();
}

void ThroughputChart::setScale(ChartScale scale) {
    scale_ = scale;
    changed();
}

void ThroughputChart::setExpected(const std::vector<int>& values) {
    expected_ = values;
    changed();
}

ThroughputChart::Series& ThroughputChart::seriesOf(const QString& label) {
    const auto at =
        std::find_if(series_.begin(), series_.end(), [&](const Series& s) { return s.label == label; });
    if (at != series_.end()) return *at;
    series_.push_back({label, {}});
    return series_.back();
}

void ThroughputChart::setSeries(const QString& label, const std::vector<SweepPoint>& points) {
    Series& series = seriesOf(label);
    series.points.clear();
    for (const SweepPoint& p : points)
        series.points[p.value] = p;
    changed();
}

void ThroughputChart::setPoint(const QString& label, const SweepPoint& point) {
    seriesOf(label).points[point.value] = point;
    changed();
}

void ThroughputChart::clear() {
    series_.clear();
    changed();
}

void ThroughputChart::setCurrent(std::optional<int> value) {
    if (value == current_) return;
    current_ = value;
    changed();
}

void ThroughputChart::setProgress(double share) {
    progress_ = share;
    refresh();
}

void ThroughputChart::setPublished(std::vector<PublishedPoint> points) {
    published_ = std::move(points);
    changed();
}

void ThroughputChart::setNote(const QString& note) {
    setContext(note);
}

std::vector<QString> ThroughputChart::labels() const {
    std::vector<QString> out;
    for (const Series& s : series_)
        out.push_back(s.label);
    return out;
}

std::pair<NiceAxis, NiceAxis> ThroughputChart::axes() const {
    const Theme& t = Theme::current();
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::min();
    double bottom = std::numeric_limits<double>::infinity(), top = -bottom;
    const auto across = [&](int v) { low = std::min(low, v), high = std::max(high, v); };
    for (const int v : expected_)
        across(v);
    for (const Series& s : series_)
        for (const auto& [value, p] : s.points) {
            across(value);
            for (const double y : {p.low, p.median, p.high})
                if (std::isfinite(y)) bottom = std::min(bottom, y), top = std::max(top, y);
        }
    for (const PublishedPoint& p : published_)
        if (std::isfinite(p.recordsPerSecond))
            bottom = std::min(bottom, p.recordsPerSecond), top = std::max(top, p.recordsPerSecond);
    if (low > high) low = 0, high = 1;
    const QRect box = contentRect();
    const int across_ = std::max(2, box.width() / t.px(axis_ == SweepAxis::working_set_pages ? 58 : 26));
    const NiceAxis x = scale_ == ChartScale::linear
                           ? niceIntegerAxis(low, high, across_)
                           : niceLogAxis(low, high, scale_, across_,
                                         axis_ == SweepAxis::working_set_pages ? pagesAsBytes : plainNumber);
    return {x, niceValueAxis(bottom, top, std::max(2, box.height() / t.px(38)))};
}

void ThroughputChart::flush() {
    if (!dirty_) return;
    dirty_ = false;
    const auto [x, y] = axes();
    std::size_t longest = 0;
    for (const Series& s : series_)
        longest = std::max(longest, s.points.size());
    const PlotBudget budget = plotBudget(plot_->view()->width(), series_.size(), longest);
    PlotContent content;
    if (current_) content.current = toAxis(*current_, scale_);
    drawn_ = 0;
    for (std::size_t i = 0; i < series_.size(); ++i) {
        QList<QPointF> line, low, high;
        for (const auto& [value, p] : series_[i].points) {
            const double at = toAxis(value, scale_);
            line.push_back({at, p.median});
            low.push_back({at, p.low});
            high.push_back({at, p.high});
        }
        if (i == 0 && current_) content.currentY = valueAt(line, content.current);
        content.series.push_back(plotSeries(line, low, high, SeriesStyle::of(i), budget));
        drawn_ += static_cast<std::size_t>(content.series.back().line.size());
    }
    for (const PublishedPoint& p : published_)
        if (std::isfinite(p.value) && std::isfinite(p.recordsPerSecond))
            content.published.push_back({toAxis(p.value, scale_), p.recordsPerSecond});
    content.x = x;
    content.y = y;
    plot_->show(content, Theme::current());
    QString spoken;
    for (const Series& s : series_)
        spoken += (s.label.isEmpty() ? tr("throughput") : s.label) + tr(": %1 points. ").arg(s.points.size());
    setAccessibleDescription(spoken);
}

QString ThroughputChart::valueText(int value) const {
    switch (axis_) {
    case SweepAxis::shift:
        return tr("shift ") + grouped(std::int64_t{value});
    case SweepAxis::working_set_pages:
        return tr("working set ") + pagesAsBytes(value) + QStringLiteral(" (") + pagesText(value) + u')';
    case SweepAxis::threads:
        return grouped(std::int64_t{value}) + (value == 1 ? tr(" thread") : tr(" threads"));
    case SweepAxis::flush_pages:
        return tr("flushes of ") + pagesText(value);
    case SweepAxis::ceiling:
        return tr("ceiling ") + pagesText(value);
    }
    return {};
}

void ThroughputChart::point(QPointF position, QPoint global, bool pressed) {
    const Series* best = nullptr;
    const SweepPoint* nearest = nullptr;
    double distance = std::numeric_limits<double>::infinity();
    for (const Series& s : series_)
        for (const auto& [v, p] : s.points) {
            const QPointF at = plot_->positionOf({toAxis(v, scale_), p.median});
            const double d = std::abs(at.x() - position.x()) * 4 + std::abs(at.y() - position.y());
            if (d < distance) distance = d, best = &s, nearest = &p;
        }
    if (!nearest) return;
    if (pressed) {
        Q_EMIT valueClicked(nearest->value);
        return;
    }
    QString text =
        (best->label.isEmpty() ? QString() : best->label + QStringLiteral(", ")) + valueText(nearest->value) +
        u'\n' + grouped(static_cast<std::int64_t>(std::llround(nearest->median))) +
        tr(" records/s, median of %1 seeds").arg(nearest->seeds) + tr("\n5 to 95 %: ") +
        grouped(static_cast<std::int64_t>(std::llround(nearest->low))) + tr(" to ") +
        grouped(static_cast<std::int64_t>(std::llround(nearest->high))) + tr("\nfull flushes ") +
        percentText(nearest->full_share) + tr(", IPIs ") + rateText(nearest->ipis_per_second, "IPIs");
    for (const PublishedPoint& p : published_)
        if (std::llround(p.value) == nearest->value)
            text += tr("\npublished: ") +
                    grouped(static_cast<std::int64_t>(std::llround(p.recordsPerSecond))) +
                    tr(" records/s, ") + p.label;
    QToolTip::showText(global, text, plot_->view());
}

int ThroughputChart::legendHeight() const {
    const bool several = series_.size() > 1 || !published_.empty();
    return several ? lineHeight(FontRole::caption) + Theme::current().px(4) : 0;
}

void ThroughputChart::place() {
    const Theme& t = Theme::current();
    const QRect box = contentRect();
    plot_->view()->setGeometry(box.adjusted(-t.px(4), legendHeight(), t.px(4), -t.px(2)));
}

void ThroughputChart::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    place();
    dirty_ = true;
}

void ThroughputChart::shown() {
    place();
    dirty_ = true;
}

void ThroughputChart::themeChanged() {
    place();
    dirty_ = true;
}

void ThroughputChart::paintContent(QPainter& painter, const QRect& box) {
    const Theme& t = Theme::current();
    place();
    flush();
    if (legendHeight() > 0) {
        int x = box.left();
        const int height = lineHeight(FontRole::caption);
        for (std::size_t i = 0; i < series_.size(); ++i) {
            paintLineSample(painter, QLine(x, box.top() + height / 2, x + t.px(18), box.top() + height / 2),
                            SeriesStyle::of(i));
            const int width = textWidth(FontRole::caption, series_[i].label);
            if (x + t.px(23) + width > box.right()) break;
            drawLine(painter, QRect(x + t.px(23), box.top(), width + 2, height), FontRole::caption, t.dim,
                     series_[i].label);
            x += t.px(23) + width + t.px(14);
        }
        if (!published_.empty()) {
            const QString word = tr("published");
            const int width = textWidth(FontRole::caption, word);
            if (x + t.px(16) + width <= box.right()) {
                paintPublishedMark(painter, {x + t.px(5) * 1.0, box.top() + height / 2.0}, t.px(4));
                drawLine(painter, QRect(x + t.px(14), box.top(), width + 2, height), FontRole::caption, t.dim,
                         word);
            }
        }
    }
    paintProgressLine(painter, box, this->height(), progress_);
    if (drawn_ == 0)
        drawLine(painter, box.adjusted(0, legendHeight(), 0, 0), FontRole::small, t.dim,
                 progress_ >= 0 && progress_ < 1 ? tr("Measuring the first points …")
                                                 : tr("No sweep has run yet."),
                 Qt::AlignHCenter);
    plot_->view()->setVisible(drawn_ > 0);
}

} // namespace tlbscope
