#include "app/window/picture.h"

#include "engine/core/error.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

#include <cmath>

namespace tlbscope {
namespace {

QByteArray png(QWidget& widget, double scale) {
    QImage image(QSize(static_cast<int>(std::lround(widget.width() * scale)),
                       static_cast<int>(std::lround(widget.height() * scale))),
                 QImage::Format_RGB32);
    if (image.isNull()) return {};
    image.setDevicePixelRatio(scale);
    image.fill(widget.palette().window().color());
    widget.render(&image);
    image.setDevicePixelRatio(1);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    return image.save(&buffer, "PNG") ? bytes : QByteArray();
}

QByteArray svg(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(widget.rect());
    generator.setTitle(widget.windowTitle());
    // One SVG unit a logical pixel, and fonts in the size they have on screen.
    generator.setResolution(widget.logicalDpiY());
    QPainter painter(&generator);
    widget.render(&painter);
    painter.end();
    return bytes;
}

} // namespace

void writePicture(QWidget& widget, const QString& path, double scale) {
    const std::string name = path.toStdString();
    const bool vector = path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
    if (!vector && !path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        throw Error(name, "this kind of picture cannot be written", "the name must end in .png or .svg");
    const QByteArray bytes = vector ? svg(widget) : png(widget, scale);
    if (bytes.isEmpty()) throw Error(name, "the picture is too large");
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        throw Error(name, file.errorString().toStdString());
}

} // namespace tlbscope
