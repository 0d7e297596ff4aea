// A widget as a picture file.
#pragma once

#include <QSize>
#include <QString>

class QWidget;

namespace tlbscope {

// `path` ends in .png (at `scale` device pixels a logical pixel) or .svg. `size` is the picture's in
// logical pixels: the widget is drawn larger or smaller to fill it; none takes the widget's own. Written to a
// temporary file first, so that a failure leaves what was there. Throws Error naming the file.
void writePicture(QWidget& widget, const QString& path, double scale, QSize size = {});

} // namespace tlbscope
