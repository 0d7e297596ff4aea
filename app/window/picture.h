// A widget as a picture file.
#pragma once

#include <QString>

class QWidget;

namespace tlbscope {

// `path` ends in .png (at `scale` device pixels a logical pixel) or .svg. Written to a temporary file
// first, so that a failure leaves what was there. Throws Error naming the file.
void writePicture(QWidget& widget, const QString& path, double scale);

} // namespace tlbscope
