// Where labels go, so that they cover neither one another nor a curve. Pure functions of pixels.
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <span>
#include <vector>

namespace tlbscope {

// A label of the strip above a plot: over a place (first == last) or over a range drawn as a bar.
struct StripLabel {
    double first = 0, last = 0; // x
    double width = 0;           // of the text
};
struct StripPlace {
    int row = 0;        // 0 is the topmost
    double left = 0;    // of the text
    bool inside = true; // the text lies inside its bar
};
// In the order given, each in the first row that has room from `left` to `right`; `gap` between labels.
std::vector<StripPlace> layoutStrip(std::span<const StripLabel> labels, double left, double right,
                                    double gap);

// Whether the line touches the rectangle.
bool touches(const QPolygonF& line, const QRectF& box);

// Of `candidates`, the first inside `area` that no line touches and nothing in `taken` overlaps; else the one
// that touches least. `candidates` must not be empty.
QRectF freePlace(std::span<const QRectF> candidates, const QRectF& area, std::span<const QPolygonF> lines,
                 std::span<const QRectF> taken);

} // namespace tlbscope
