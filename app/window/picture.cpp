#include "app/window/picture.h"

#include "engine/core/error.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace tlbscope {
namespace {

QByteArray png(QWidget& widget, QSize size, double scale) {
    QImage image(QSize(static_cast<int>(std::lround(size.width() * scale)),
                       static_cast<int>(std::lround(size.height() * scale))),
                 QImage::Format_RGB32);
    if (image.isNull()) return {};
    // Qt takes no device pixel ratio below 1; the rest is the painter's.
    const double ratio = std::max(1.0, scale);
    image.setDevicePixelRatio(ratio);
    image.fill(widget.palette().window().color());
    QPainter painter(&image);
    const double rest = scale / ratio * size.width() / widget.width();
    if (rest != 1) painter.scale(rest, rest);
    widget.render(&painter);
    painter.end();
    image.setDevicePixelRatio(1);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    return image.save(&buffer, "PNG") ? bytes : QByteArray();
}

QByteArray svg(QWidget& widget, QSize size) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(widget.rect());
    generator.setTitle(widget.windowTitle());
    // One SVG unit a pixel of the widget, and fonts in the size they have on screen.
    generator.setResolution(widget.logicalDpiY());
    QPainter painter(&generator);
    widget.render(&painter);
    painter.end();
    return bytes;
}

} // namespace

void writePicture(QWidget& widget, const QString& path, double scale, QSize size) {
    if (size.isEmpty()) size = widget.size();
    const std::string name = path.toStdString();
    const bool vector = path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
    if (!vector && !path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        throw Error(name, "this kind of picture cannot be written", "the name must end in .png or .svg");
    const QByteArray bytes = vector ? svg(widget, size) : png(widget, size, scale);
    if (bytes.isEmpty()) throw Error(name, "the picture is too large");
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        throw Error(name, file.errorString().toStdString());
}

} // namespace tlbscope
