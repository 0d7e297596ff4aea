// Draws lanes into an image, one line of pixels a lane and then copied down.
#pragma once

#include "views/theme/theme.h"
#include "views/timeline/lane_data.h"
#include "views/timeline/time_axis.h"

#include <QImage>

#include <array>

namespace tlbscope {

class LanePainter {
public:
    explicit LanePainter(const Theme& theme);

    // Fills `height` lines of `image` (Format_RGB32) from line `top` with lane `lane`; map.width is
    // image.width().
    void paint(QImage& image, int top, int height, const LaneData& data, std::size_t lane,
               const TimeMap& map) const;

    using Weights = std::array<float, kSpanKinds>;
    // Colour of a pixel that several spans share. Flushes, waits, services and gaps never vanish in it.
    QRgb blend(const Weights& weights) const;
    QRgb ground() const { return ground_; }

private:
    struct Piece { // wide enough for corners and hatching
        int x0, x1;
        SpanKind kind;
    };
    void lineOfSpans(const Lane& lane, const TimeMap& map, std::vector<QRgb>& line, std::vector<QRgb>& foot,
                     std::vector<Piece>& pieces) const;
    void lineOfCoverage(const Coverage& coverage, std::size_t lane, const TimeMap& map,
                        std::vector<QRgb>& line) const;

    std::array<QRgb, kSpanKinds> fill_, foot_, hatch_;
    QRgb ground_;
};

} // namespace tlbscope
