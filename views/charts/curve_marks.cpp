#include "views/charts/curve_marks.h"

#include "views/charts/chart_parts.h"
#include "views/charts/decimate.h"
#include "views/format/format.h"
#include "views/panels/panel.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace tlbscope {

namespace {

QString say(const char* text) {
    return QCoreApplication::translate("CurveMarks", text);
}

int rowHeight() {
    return lineHeight(FontRole::small) + Theme::current().px(4);
}

QString rangeText(double first, double last) {
    return workingSetText(first) + QStringLiteral("–") + workingSetText(last);
}

QString sourceOf(const CurveMark& mark, const QString& label) {
    QString text = label;
    if (!mark.label.empty()) text += u'\n' + QString::fromStdString(mark.label);
    if (!mark.source.empty()) text += u'\n' + QString::fromStdString(mark.source);
    return text;
}

QColor published() {
    return readable(Theme::current().hue.purple, Theme::current().panel);
}

double sampleWidth() {
    return Theme::current().px(19);
}

} // namespace

void CurveMarks::addItems(const Plot& plot) {
    const Theme& t = Theme::current();
    const double low = plot.xAt(plot.area().left()), high = plot.xAt(plot.area().right());
    const auto add = [&](Item item) {
        if (!(item.last >= low && item.first <= high)) return;
        item.first = std::max(item.first, low);
        item.last = std::min(item.last, high);
        items_.push_back(std::move(item));
    };
    const auto at = [](double bytes) { return std::log10(std::max(bytes, 1e-9)); };
    for (const CurveMark& mark : input_.published) {
        Item item{.first = at(mark.first), .last = at(mark.last), .color = published(), .published = true};
        if (mark.kind == CurveMark::Kind::crossing)
            item.label = say("crossing %1, published").arg(workingSetText(mark.first)),
            item.last = item.first;
        else if (mark.kind == CurveMark::Kind::window)
            item.label = say("%1, published").arg(rangeText(mark.first, mark.last));
        else
            continue;
        item.tip = sourceOf(mark, item.label);
        add(std::move(item));
    }
    const auto styleOf = [&](std::size_t curve) {
        return curve < input_.curves.size() ? input_.curves[curve].style.color : curve;
    };
    const QColor compared = readable(t.series(styleOf(input_.compared)), t.panel);
    if (input_.window) {
        const Window& w = *input_.window;
        Item item{.first = at(w.first), .last = at(w.last), .worst = at(w.worst), .color = compared};
        item.label =
            say("found %1, %2 at %3")
                .arg(rangeText(w.first, w.last), signedPercentText(-w.loss), workingSetText(w.worst));
        item.tip = say("%1: where the curve lies lower than the reference").arg(item.label);
        add(std::move(item));
    }
    if (input_.crossing) {
        Item item{.first = at(*input_.crossing), .last = at(*input_.crossing), .color = compared};
        item.label = say("found crossing %1").arg(workingSetText(*input_.crossing));
        item.tip = say("%1: from here on the curve is lower than the reference").arg(item.label);
        add(std::move(item));
    }
}

int CurveMarks::prepare(CurveMarksInput input, const Plot& plot) {
    input_ = std::move(input);
    items_.clear();
    places_.clear();
    addItems(plot);
    if (!input_.strip) return 0;
    const Theme& t = Theme::current();
    std::vector<StripLabel> labels;
    for (const Item& item : items_) {
        const double width = textWidth(FontRole::small, item.label);
        labels.push_back({plot.positionOf({item.first, 0}).x(), plot.positionOf({item.last, 0}).x(), width});
    }
    places_ = layoutStrip(labels, plot.area().left(), plot.area().right() + t.px(8), t.px(8));
    int rows = 0;
    for (const StripPlace& place : places_)
        rows = std::max(rows, place.row + 1);
    return rows > 0 ? rows * rowHeight() + t.px(2) : 0;
}

void CurveMarks::placeStrip(const Plot& plot) {
    const Theme& t = Theme::current();
    int rows = 0;
    for (const StripPlace& place : places_)
        rows = std::max(rows, place.row + 1);
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        const double first = plot.positionOf({item.first, 0}).x(), last = plot.positionOf({item.last, 0}).x();
        Shape shape{.label = item.label, .tip = item.tip, .color = item.color};
        shape.kind = item.last > item.first ? Shape::Kind::bar : Shape::Kind::tick;
        if (input_.strip) {
            const StripPlace& place = places_[i];
            const double top = area_.top() - t.px(4) - (rows - place.row) * rowHeight();
            shape.text = QRectF(place.left, top, textWidth(FontRole::small, item.label), rowHeight());
            shape.box = QRectF(first, top, last - first, rowHeight());
        } else {
            shape.box = QRectF(first, area_.top(), last - first, 0);
        }
        if (shape.kind == Shape::Kind::bar && item.published) {
            QColor glass = t.hue.purple;
            glass.setAlphaF(t.kind == ThemeKind::light ? 0.08f : 0.11f);
            bands_.push_back({QRectF(first, area_.top(), last - first, area_.height()), glass});
        }
        if (shape.kind == Shape::Kind::tick) shape.box.setBottom(area_.bottom());
        shapes_.push_back(std::move(shape));
    }
}

std::vector<QRectF> CurveMarks::taken() const {
    std::vector<QRectF> out;
    for (const Shape& shape : shapes_) {
        if (!shape.text.isEmpty()) out.push_back(shape.text);
        if (shape.kind != Shape::Kind::bar) // lines have no area: give them some
            out.push_back(shape.box.normalized().adjusted(-1, -1, 1, 1));
    }
    return out;
}

void CurveMarks::label(Shape& shape, const QPointF& tip, const Plot& plot,
                       const std::vector<QPolygonF>& lines) {
    if (!input_.words) return;
    const Theme& t = Theme::current();
    const double width = textWidth(FontRole::small, shape.label) + t.px(8), height = rowHeight(),
                 gap = t.px(6);
    std::vector<QRectF> candidates{QRectF(tip.x() - width / 2, tip.y() + t.px(3), width, height)};
    for (int step = 0; step < 6; ++step)
        for (const double way : {1.0, -1.0}) {
            const double x = way > 0 ? tip.x() + gap : tip.x() - gap - width;
            candidates.emplace_back(x, tip.y() - height / 2 + step * height * 0.6, width, height);
            candidates.emplace_back(x, tip.y() - height / 2 - step * height * 0.6, width, height);
        }
    for (int step = 1; step < 6; ++step)
        candidates.emplace_back(tip.x() - width / 2, tip.y() + t.px(3) + step * height, width, height);
    shape.text = freePlace(candidates, plot.area(), lines, taken());
}

void CurveMarks::placeLoss(const CurveMark& mark, const Plot& plot, const std::vector<QPolygonF>& lines) {
    const Theme& t = Theme::current();
    const double x = std::log10(std::max(mark.first, 1e-9));
    Shape shape{.color = published()};
    shape.label = say("%1 published").arg(signedPercentText(-mark.value));
    shape.tip = sourceOf(
        mark, say("%1 at %2, published").arg(signedPercentText(-mark.value), workingSetText(mark.first)));
    QPointF tip;
    if (input_.difference) {
        const double r = t.px(6);
        tip = plot.positionOf({x, -mark.value * 100});
        shape.kind = Shape::Kind::diamond;
        shape.box = QRectF(tip.x() - r, tip.y() - r, 2 * r, 2 * r);
        tip.ry() += r;
    } else {
        if (input_.reference >= input_.curves.size()) return;
        const double from = valueAt(input_.curves[input_.reference].line, x);
        if (!std::isfinite(from)) return; // nothing to hang it on yet
        const QPointF top = plot.positionOf({x, from});
        tip = plot.positionOf({x, from * (1 - mark.value)});
        shape.kind = Shape::Kind::arrow;
        shape.box = QRectF(top, QSizeF(0, tip.y() - top.y())); // upwards: not normalised
    }
    if (tip.x() < area_.left() || tip.x() > area_.right()) return;
    label(shape, tip, plot, lines);
    shapes_.push_back(shape);
}

void CurveMarks::placeError(const CurveMark& mark, const Plot& plot, const std::vector<QPolygonF>& lines) {
    const Theme& t = Theme::current();
    Shape shape{.kind = Shape::Kind::error, .color = published()};
    shape.label = say("±%1 run to run, published").arg(signedPercentText(mark.value).mid(1));
    shape.tip = sourceOf(mark, shape.label);
    if (input_.difference) {
        const double up = plot.positionOf({0, mark.value * 100}).y(),
                     down = plot.positionOf({0, -mark.value * 100}).y();
        QColor glass = t.hue.purple;
        glass.setAlphaF(0.16f);
        shape.box = QRectF(area_.left(), up, area_.width(), down - up);
        bands_.push_back({shape.box, glass});
        shape.text = QRectF(area_.left() + t.px(6), down, textWidth(FontRole::small, shape.label) + t.px(8),
                            rowHeight());
        shape.text =
            freePlace(std::array{shape.text, shape.text.translated(0, up - down - rowHeight()),
                                 shape.text.translated(area_.width() - shape.text.width() - t.px(12), 0)},
                      area_, lines, taken());
        shape.box = {};
        if (!input_.errorLabel || !input_.words) shape.text = {};
        shapes_.push_back(shape);
        return;
    }
    if (input_.reference >= input_.curves.size()) return;
    const QList<QPointF>& line = input_.curves[input_.reference].line;
    if (line.isEmpty()) return;
    double x = mark.first > 0 ? std::log10(mark.first)
                              : plot.xAt(area_.left() + std::min(t.px(26) * 1.0, area_.width() * 0.1));
    x = std::clamp(x, line.front().x(), line.back().x());
    const double middle = valueAt(line, x);
    const QPointF up = plot.positionOf({x, middle * (1 + mark.value)}),
                  down = plot.positionOf({x, middle * (1 - mark.value)});
    const double half = t.px(5);
    shape.box = QRectF(up.x() - half, up.y(), 2 * half, down.y() - up.y());
    if (up.x() < area_.left() || up.x() > area_.right()) return;
    if (input_.errorLabel) label(shape, {up.x() + half, down.y()}, plot, lines);
    shapes_.push_back(shape);
}

// A line from the curve down to the axis, where the working set can be read off; the label beside it.
void CurveMarks::placeKnee(const CurveMarksInput::Curve& curve, const Plot& plot,
                           const std::vector<QPolygonF>& lines) {
    const Theme& t = Theme::current();
    const Knee& knee = *curve.knee;
    const double at = std::log10(std::max(knee.working_set, 1e-9));
    double y = valueAt(curve.line, at);
    if (!std::isfinite(y)) y = (knee.before + knee.after) / 2;
    const QPointF dot = plot.positionOf({at, y});
    if (!(dot.x() >= area_.left() && dot.x() <= area_.right()) || !std::isfinite(dot.y())) return;
    Shape shape{.kind = Shape::Kind::knee,
                .color = readable(t.series(curve.style.color), t.panel),
                .style = curve.style};
    shape.label = say("knee %1").arg(workingSetText(knee.working_set));
    shape.tip =
        say("%1: half the way down from %2 to %3").arg(shape.label, siText(knee.before), siText(knee.after));
    const double top = std::clamp(dot.y(), area_.top(), area_.bottom());
    shape.box = QRectF(dot.x(), top, 0, area_.bottom() - top);
    const double width = textWidth(FontRole::small, shape.label) + sampleWidth() + t.px(8),
                 height = rowHeight(), gap = t.px(5);
    std::vector<QRectF> candidates;
    for (int step = 0; step < 8; ++step)
        for (const double x : {dot.x() + gap, dot.x() - gap - width})
            candidates.emplace_back(x, area_.bottom() - t.px(4) - (step + 1) * height, width, height);
    if (input_.words) shape.text = freePlace(candidates, area_, lines, taken());
    shapes_.push_back(std::move(shape));
}

// Between the two curves, inside the window that was found.
void CurveMarks::fillLoss(const Plot& plot) {
    loss_.clear();
    if (!input_.window || input_.reference >= input_.curves.size() || input_.compared >= input_.curves.size())
        return;
    const double first = std::log10(std::max(input_.window->first, 1e-9)),
                 last = std::log10(std::max(input_.window->last, 1e-9));
    const auto side = [&](const QList<QPointF>& line) {
        QPolygonF out;
        const auto add = [&](double x, double y) {
            if (std::isfinite(y)) out << plot.positionOf({x, y});
        };
        add(first, valueAt(line, first));
        for (const QPointF& p : line)
            if (p.x() > first && p.x() < last) add(p.x(), p.y());
        add(last, valueAt(line, last));
        return out;
    };
    loss_ = side(input_.curves[input_.reference].line);
    QPolygonF back = side(input_.curves[input_.compared].line);
    std::reverse(back.begin(), back.end());
    loss_ += back;
    lossColor_ = Theme::current().series(input_.curves[input_.compared].style.color);
}

void CurveMarks::layOut(const Plot& plot) {
    shapes_.clear();
    bands_.clear();
    area_ = plot.area();
    placeStrip(plot);
    fillLoss(plot);
    std::vector<QPolygonF> lines;
    for (const CurveMarksInput::Curve& curve : input_.curves) {
        for (const QList<QPointF>* side : {&curve.line, &curve.low, &curve.high}) {
            QPolygonF line;
            for (const QPointF& p : decimate(*side, 100)) // exact enough to keep clear of
                line << plot.positionOf(p);
            lines.push_back(std::move(line));
            if (side->size() > 400) break; // drawn without a band
        }
    }
    for (const CurveMark& mark : input_.published)
        if (mark.kind == CurveMark::Kind::loss) placeLoss(mark, plot, lines);
    for (const CurveMark& mark : input_.published)
        if (mark.kind == CurveMark::Kind::error_band) placeError(mark, plot, lines);
    if (!input_.difference)
        for (const CurveMarksInput::Curve& curve : input_.curves)
            if (curve.knee) placeKnee(curve, plot, lines);
}

QString CurveMarks::textAt(const QPointF& position) const {
    const double near = Theme::current().px(4);
    const auto inside = [&](const QRectF& box) {
        return !box.isNull() && box.normalized().adjusted(-near, -near, near, near).contains(position);
    };
    for (const Shape& shape : shapes_)
        if (inside(shape.text)) return shape.tip;
    for (const Shape& shape : shapes_)
        if (inside(shape.box)) return shape.tip;
    return {};
}

} // namespace tlbscope
