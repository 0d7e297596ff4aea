#include "views/charts/curve_chart.h"

#include "views/charts/chart_parts.h"
#include "views/charts/curve_marks.h"
#include "views/format/format.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tlbscope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Room for more words than the curves' own.
bool roomy(const Plot& plot, int units) {
    return plot.view()->height() >= Theme::current().px(units);
}

bool drawable(const CurvePoint& p) {
    return p.working_set > 0 && std::isfinite(p.working_set) && std::isfinite(p.median);
}

// Whatever numbers the points.
void sortBySize(QList<QPointF>& line) {
    const auto ascending = [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); };
    if (!std::is_sorted(line.begin(), line.end(), ascending))
        std::stable_sort(line.begin(), line.end(), ascending);
}

} // namespace

CurveChart::CurveChart(const QString& title, QWidget* parent)
    : Panel(title, parent), lowest_(kInfinity), highest_(-kInfinity), plot_(std::make_unique<Plot>(this)),
      differencePlot_(std::make_unique<Plot>(this)), drawnMarks_(std::make_unique<CurveMarks[]>(2)) {
    setFocusPolicy(Qt::StrongFocus);
    setUnit(tr("iterations/s"));
    for (Plot* plot : {plot_.get(), differencePlot_.get()}) {
        CurveMarks& marks = drawnMarks_[plot == differencePlot_.get()];
        const bool difference = plot == differencePlot_.get();
        plot->view()->setAccessibleName(title);
        plot->view()->setFocusPolicy(Qt::NoFocus);
        plot->setBackdrop([&marks](QPainter& painter) { marks.paintBack(painter); });
        plot->setOverlay([this, plot, &marks, difference](QPainter& painter) {
            paintCursor(painter, *plot, difference);
            marks.paintFront(painter);
        });
        connect(plot->view(), &GuardedChartView::dragged, this, [this](QPointF at) {
            setFocus(Qt::MouseFocusReason);
            drag(at);
        });
        connect(plot->view(), &GuardedChartView::pointed, this,
                [this, difference](QPointF at, QPoint global) { point(at, global, difference); });
        connect(plot->view(), &GuardedChartView::left, this, &CurveChart::leave);
    }
}

CurveChart::~CurveChart() = default;

QSize CurveChart::sizeHint() const {
    return {Theme::current().px(720), Theme::current().px(420)};
}
QSize CurveChart::minimumSizeHint() const {
    return {Theme::current().px(320), Theme::current().px(200)};
}

void CurveChart::changed() {
    dirty_ = true;
    if (!isVisible()) return;
    update();
}

void CurveChart::setVariants(const std::vector<Label>& labels) {
    variants_.clear();
    for (const Label& label : labels) {
        SeriesStyle style = SeriesStyle::of(variants_.size());
        if (label.color >= 0) style.color = static_cast<std::size_t>(label.color);
        if (label.dash >= 0) style.dash = static_cast<std::size_t>(label.dash);
        Variant variant;
        variant.label = label.text;
        variant.style = style;
        variants_.push_back(std::move(variant));
    }
    window_.reset();
    crossing_.reset();
    lowest_ = kInfinity;
    highest_ = -kInfinity;
    changed();
}

void CurveChart::setPair(std::size_t reference, std::size_t compared) {
    reference_ = reference;
    compared_ = compared;
    changed();
}

void CurveChart::setUnit(const QString& unit) {
    unit_ = unit;
    setContextChoices(
        {unit + tr(", median and 5–95 % band over placements"), unit + tr(", 5–95 % band"), unit});
}

void CurveChart::setExpected(double firstBytes, double lastBytes) {
    if (firstBytes > 0 && lastBytes > firstBytes && std::isfinite(lastBytes))
        expected_ = {firstBytes, lastBytes};
    else
        expected_.reset();
    changed();
}

void CurveChart::setPoint(const CurvePoint& point) {
    if (point.variant >= variants_.size()) return;
    variants_[point.variant].points[point.subintervals] = point;
    variants_[point.variant].dirty = true;
    changed();
}

void CurveChart::setPoints(const std::vector<CurvePoint>& points) {
    for (const CurvePoint& point : points)
        setPoint(point);
}

void CurveChart::setMarks(std::vector<CurveMark> marks) {
    marks_ = std::move(marks);
    changed();
}

void CurveChart::setKnee(std::size_t variant, const std::optional<Knee>& knee) {
    if (variant >= variants_.size()) return;
    variants_[variant].knee = knee;
    changed();
}

void CurveChart::setWindow(const std::optional<Window>& window) {
    window_ = window;
    changed();
}

void CurveChart::setCrossing(std::optional<double> bytes) {
    crossing_ = bytes;
    changed();
}

void CurveChart::setView(CurveView view) {
    view_ = view;
    changed();
}

void CurveChart::setProgress(double share) {
    progress_ = share;
    refresh();
}

// Lines in axis coordinates, and the largest extent of y so far.
void CurveChart::collect() {
    for (Variant& v : variants_) {
        if (!v.dirty) continue;
        v.dirty = false;
        v.differenceDirty = true;
        v.line.clear();
        v.low.clear();
        v.high.clear();
        for (const auto& [n, p] : v.points) {
            if (!drawable(p)) continue;
            const double at = std::log10(p.working_set);
            const double low = std::isfinite(p.low) ? p.low : p.median,
                         high = std::isfinite(p.high) ? p.high : p.median;
            v.line.push_back({at, p.median});
            v.low.push_back({at, low});
            v.high.push_back({at, high});
            lowest_ = std::min(lowest_, low);
            highest_ = std::max(highest_, high);
        }
        for (QList<QPointF>* line : {&v.line, &v.low, &v.high})
            sortBySize(*line);
    }
    if (reference_ >= variants_.size()) return;
    for (const CurveMark& mark : marks_) {
        const double y = valueAt(variants_[reference_].line, std::log10(std::max(mark.first, 1e-9)));
        if (mark.kind == CurveMark::Kind::loss && std::isfinite(y) && std::isfinite(mark.value))
            lowest_ = std::min(lowest_, y * (1 - mark.value));
    }
}

void CurveChart::collectDifferences() {
    if (reference_ >= variants_.size()) return;
    const bool all = variants_[reference_].differenceDirty || differenceReference_ != reference_;
    differenceReference_ = reference_;
    const std::map<int, CurvePoint>& references = variants_[reference_].points;
    for (Variant& v : variants_) {
        if (!v.differenceDirty && !all) continue;
        v.differenceDirty = false;
        v.difference.clear();
        v.leastDifference.clear();
        v.mostDifference.clear();
        for (const auto& [n, p] : v.points) {
            const auto to = references.find(n);
            if (!drawable(p) || to == references.end() || !drawable(to->second)) continue;
            const auto loss = find_loss(to->second, p);
            if (!loss) continue;
            const double at = std::log10(p.working_set);
            v.difference.push_back({at, -100 * loss->median});
            v.leastDifference.push_back({at, -100 * loss->high});
            v.mostDifference.push_back({at, -100 * loss->low});
        }
        for (QList<QPointF>* line : {&v.difference, &v.leastDifference, &v.mostDifference})
            sortBySize(*line);
    }
}

// Of the sizes around the cursor that both lines have, whether or not differences are drawn.
double CurveChart::differenceAtCursor(std::size_t variant) const {
    if (!cursor_ || std::max(variant, reference_) >= variants_.size()) return std::nan("");
    const std::map<int, CurvePoint>& references = variants_[reference_].points;
    std::vector<CurvePoint> to, from;
    const CurvePoint *below = nullptr, *above = nullptr;
    for (const auto& [n, p] : variants_[variant].points) {
        if (!drawable(p) || !references.contains(n)) continue;
        if (p.working_set <= *cursor_ && (!below || p.working_set > below->working_set)) below = &p;
        if (p.working_set >= *cursor_ && (!above || p.working_set < above->working_set)) above = &p;
    }
    for (const CurvePoint* p : {below, above}) {
        if (!p) return std::nan("");
        to.push_back(*p);
        from.push_back(references.at(p->subintervals));
    }
    const auto loss = find_loss(from, to, *cursor_);
    return loss ? -100 * loss->median : std::nan("");
}

void CurveChart::makeAxes() {
    const Theme& t = Theme::current();
    double low = kInfinity, high = 0;
    if (expected_) low = expected_->first, high = expected_->second;
    double bottom = 0, top = 0;
    for (const Variant& v : variants_) {
        if (v.line.isEmpty()) continue;
        // Whole subintervals miss the expected ends by a little: that moves nothing.
        const double first = std::pow(10, v.line.front().x()), last = std::pow(10, v.line.back().x());
        if (first < low * 0.98) low = first;
        if (last > high * 1.02) high = last;
        if (!showsDifference()) continue;
        for (const QList<QPointF>* side : {&v.difference, &v.leastDifference, &v.mostDifference})
            for (const QPointF& p : *side)
                bottom = std::min(bottom, p.y()), top = std::max(top, p.y());
    }
    if (!(low <= high)) low = 1024, high = 1024 * 1024;
    const QRect box = contentRect();
    x_ = niceBytesAxis(low, high,
                       std::max(2, box.width() / (textWidth(FontRole::small, tr("700k")) + t.px(14))));
    const int share = view_ == CurveView::both ? 2 : 1;
    const int wanted = std::max(2, box.height() / t.px(64) / share);
    y_ = niceValueAxis(lowest_, highest_, std::max(wanted, 4));
    for (const CurveMark& mark : marks_)
        if (mark.kind == CurveMark::Kind::loss)
            bottom = std::min(bottom, -mark.value * 100);
        else if (mark.kind == CurveMark::Kind::error_band)
            bottom = std::min(bottom, -mark.value * 100), top = std::max(top, mark.value * 100);
    percent_ = niceValueAxis(bottom, top, wanted);
    const bool whole = std::all_of(percent_.marks.begin(), percent_.marks.end(), [](const AxisMark& mark) {
        return std::abs(mark.at - std::round(mark.at)) < 1e-6;
    });
    for (AxisMark& mark : percent_.marks)
        mark.label = (mark.at > 1e-9 ? QStringLiteral("+") : QString()) +
                     groupedDecimals(std::abs(mark.at) < 1e-9 ? 0 : mark.at, whole ? 0 : 1) +
                     QStringLiteral(" %");
}

PlotContent CurveChart::content(const std::vector<CurveMarksInput::Curve>& curves, const Plot& plot) const {
    PlotContent content;
    std::size_t longest = 0;
    for (const Variant& v : variants_)
        longest = std::max(longest, v.points.size());
    PlotBudget budget = plotBudget(plot.view()->width(), variants_.size(), longest);
    budget.markers = budget.markers * 2 / 3; // dots close together would hide the dashes
    for (const CurveMarksInput::Curve& c : curves)
        content.series.push_back(plotSeries(c.line, c.low, c.high, c.style, budget));
    content.x = x_;
    content.font = FontRole::small;
    content.left = std::max(showsThroughput() ? Plot::labelWidth(y_, FontRole::small) : 0,
                            showsDifference() ? Plot::labelWidth(percent_, FontRole::small) : 0);
    content.columns = true;
    content.glass = 0.26;
    return content;
}

void CurveChart::flush() {
    if (!dirty_) return;
    dirty_ = false;
    collect();
    if (showsDifference()) collectDifferences();
    makeAxes();
    place();
    CurveMarksInput input;
    for (const Variant& v : variants_)
        input.curves.push_back({v.style, v.line, v.low, v.high, v.knee});
    input.reference = reference_;
    input.compared = compared_;
    input.published = marks_;
    input.window = window_;
    input.crossing = crossing_;
    drawn_ = 0;
    const auto show = [&](Plot& plot, CurveMarks& marks, const CurveMarksInput& what, PlotContent drawn) {
        plot.measure(drawn, Theme::current());
        drawn.above = marks.prepare(what, plot);
        plot.show(drawn, Theme::current());
        marks.layOut(plot);
        std::size_t points = 0;
        for (const PlotSeries& s : drawn.series)
            points += static_cast<std::size_t>(s.line.size());
        drawn_ = std::max(drawn_, points);
    };
    if (showsThroughput()) {
        input.words = input.strip = roomy(*plot_, 200);
        input.errorLabel = !showsDifference();
        PlotContent drawn = content(input.curves, *plot_);
        drawn.y = y_;
        drawn.xLabels = !showsDifference();
        show(*plot_, drawnMarks_[0], input, std::move(drawn));
    }
    if (showsDifference()) {
        input.difference = true;
        input.strip = !showsThroughput() && roomy(*differencePlot_, 200);
        input.words = roomy(*differencePlot_, 100);
        input.errorLabel = true;
        for (std::size_t i = 0; i < variants_.size(); ++i) {
            const Variant& v = variants_[i];
            input.curves[i] = {v.style, v.difference, v.leastDifference, v.mostDifference, {}};
        }
        PlotContent drawn = content(input.curves, *differencePlot_);
        drawn.y = percent_;
        if (reference_ < drawn.series.size()) drawn.series[reference_].markers = false;
        show(*differencePlot_, drawnMarks_[1], input, std::move(drawn));
    }
    speak();
}

QPointF CurveChart::positionOf(double bytes, double value) const {
    const Plot& plot = showsThroughput() ? *plot_ : *differencePlot_;
    return plot.positionOf({std::log10(std::max(bytes, 1e-9)), value}) + QPointF(plot.view()->pos());
}

double CurveChart::valueAtCursor(std::size_t variant) const {
    if (!cursor_ || variant >= variants_.size()) return std::nan("");
    return valueAt(variants_[variant].line, std::log10(*cursor_));
}

QString CurveChart::sentence() const {
    const double share = differenceAtCursor(compared_) / 100;
    if (!std::isfinite(share)) return {};
    const QString place = tr("at %1: ").arg(workingSetText(*cursor_));
    const QString &first = variants_[reference_].label, &second = variants_[compared_].label;
    if (std::abs(share) < 5e-5) return place + tr("%1 is as fast as %2").arg(second, first);
    return place + second + QStringLiteral(" is ") + signedPercentText(std::abs(share)).mid(1) +
           (share < 0 ? tr(" slower than ") : tr(" faster than ")) + first;
}

QString CurveChart::table() const {
    QString text = tr("variant\tworking set in bytes\tmedian\t5 %\t95 %\tplacements\n");
    for (const Variant& v : variants_)
        for (const auto& [n, p] : v.points)
            text += v.label + u'\t' + QString::number(p.working_set, 'f', 0) + u'\t' +
                    QString::number(p.median, 'g', 7) + u'\t' + QString::number(p.low, 'g', 7) + u'\t' +
                    QString::number(p.high, 'g', 7) + u'\t' + QString::number(p.seeds) + u'\n';
    return text;
}

void CurveChart::speak() {
    QString spoken;
    std::size_t points = 0;
    for (const Variant& v : variants_) {
        spoken += v.label + tr(": %1 points").arg(v.points.size());
        if (v.knee) spoken += tr(", knee at %1").arg(workingSetText(v.knee->working_set));
        spoken += QStringLiteral(". ");
        points += v.points.size();
    }
    if (window_)
        spoken += tr("Window found from %1 to %2, %3 at %4. ")
                      .arg(workingSetText(window_->first), workingSetText(window_->last),
                           signedPercentText(-window_->loss), workingSetText(window_->worst));
    spoken += sentence();
    if (points <= 400) spoken += u'\n' + table();
    setAccessibleDescription(spoken);
}

void CurveChart::place() {
    const Theme& t = Theme::current();
    const QRect box = contentRect().adjusted(-t.px(4), legendHeight(), t.px(4), -t.px(2));
    QRect upper = box, lower = box;
    if (view_ == CurveView::both) {
        upper.setHeight(box.height() * 62 / 100);
        lower.setTop(upper.bottom() + 1 + differenceTitle());
    } else if (view_ == CurveView::difference) {
        lower.setTop(box.top() + differenceTitle());
    }
    if (plot_->view()->geometry() != upper) plot_->view()->setGeometry(upper);
    if (differencePlot_->view()->geometry() != lower) differencePlot_->view()->setGeometry(lower);
}

int CurveChart::differenceTitle() const {
    return lineHeight(FontRole::small) + Theme::current().px(2);
}

void CurveChart::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    dirty_ = true;
}

void CurveChart::shown() {
    dirty_ = true;
}

void CurveChart::themeChanged() {
    dirty_ = true;
}

} // namespace tlbscope
