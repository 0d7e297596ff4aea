// One bar whose parts are shares of a whole, and the legend that belongs to it.
#pragma once

#include <QColor>
#include <QRect>
#include <QString>

#include <vector>

class QPainter;

namespace tlbscope {

struct BarPart {
    QString name, value; // value as written in the legend: "47 %"
    double amount = 0;   // >= 0
    QColor color;
    Qt::BrushStyle hatch = Qt::NoBrush; // the second cue, drawn over the colour
};

// A box of a colour with its hatch in dark or light ink, whichever shows.
void paintSwatch(QPainter& painter, const QRectF& box, const QColor& color, Qt::BrushStyle hatch);
// Parts side by side with a hairline between them; nothing but the empty track when all amounts are 0.
void paintStackedBar(QPainter& painter, const QRect& bar, const std::vector<BarPart>& parts);
// In as many columns as fit; returns the height used. Rows that do not fit into the box are left out.
int paintLegend(QPainter& painter, const QRect& box, const std::vector<BarPart>& parts, int columns);
int legendHeight(std::size_t parts, int columns);

} // namespace tlbscope
