// Fewer points that look the same: at most four a pixel column (first, lowest, highest, last).
#pragma once

#include <QList>
#include <QPointF>

namespace tlbscope {

// `points` sorted by x. Points with NaN or infinite coordinates are dropped. `columns` pixels across the
// range of x; the lowest and the highest y of every column stay.
QList<QPointF> decimate(const QList<QPointF>& points, int columns);

} // namespace tlbscope
