#include "views/timeline/lane_painter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tlbscope {

namespace {

// What must stay visible however short it is.
bool important(SpanKind kind) {
    return kind == SpanKind::flush || kind == SpanKind::wait_acks || kind == SpanKind::service ||
           kind == SpanKind::gap || kind == SpanKind::blocked;
}

bool hatched(SpanKind kind) {
    return kind == SpanKind::wait_acks || kind == SpanKind::blocked || kind == SpanKind::gap;
}

} // namespace

LanePainter::LanePainter(const Theme& theme) : ground_(theme.inset.rgb()) {
    for (std::size_t k = 0; k < kSpanKinds; ++k) {
        const SpanKind kind = static_cast<SpanKind>(k);
        fill_[k] = theme.spanFill(kind).rgb();
        foot_[k] = kind == SpanKind::user ? theme.hue.green.rgb() : fill_[k];
        hatch_[k] = kind != SpanKind::wait_acks      ? mix(theme.spanFill(kind), theme.faint, 0.4).rgb()
                    : theme.kind == ThemeKind::light ? theme.hue.yellow.rgb()
                                                     : mix(theme.spanFill(kind), theme.panel, 0.3).rgb();
    }
}

QRgb LanePainter::blend(const Weights& weights) const {
    Weights w = weights;
    float calm = 0, loud = 0;
    for (std::size_t k = 0; k < kSpanKinds; ++k)
        (important(static_cast<SpanKind>(k)) ? loud : calm) += w[k];
    const float total = calm + loud;
    if (total <= 0) return ground_;
    float r = 0, g = 0, b = 0;
    // At least three tenths of the pixel for what matters; the rest, and uncovered time, is ground.
    const float loudShare = loud > 0 ? std::max(0.3f, loud / std::max(1.0f, total)) : 0;
    const float calmShare = calm > 0 ? std::min(1 - loudShare, calm / std::max(1.0f, total)) : 0;
    for (std::size_t k = 0; k < kSpanKinds; ++k) {
        if (w[k] <= 0) continue;
        const float share =
            important(static_cast<SpanKind>(k)) ? loudShare * w[k] / loud : calmShare * w[k] / calm;
        r += share * static_cast<float>(qRed(fill_[k]));
        g += share * static_cast<float>(qGreen(fill_[k]));
        b += share * static_cast<float>(qBlue(fill_[k]));
    }
    const float rest = std::max(0.0f, 1 - loudShare - calmShare);
    const auto channel = [rest](float v, int ground) {
        return std::clamp(static_cast<int>(v + rest * static_cast<float>(ground) + 0.5f), 0, 255);
    };
    return qRgb(channel(r, qRed(ground_)), channel(g, qGreen(ground_)), channel(b, qBlue(ground_)));
}

void LanePainter::lineOfSpans(const Lane& lane, const TimeMap& map, std::vector<QRgb>& line,
                              std::vector<QRgb>& foot, std::vector<Piece>& pieces) const {
    const int width = static_cast<int>(line.size());
    const auto& spans = lane.spans;
    auto at = std::partition_point(spans.begin(), spans.end(),
                                   [&](const Span& s) { return double(s.end) <= map.begin; });
    Weights weights{};
    int pixel = -1; // whose weights are being gathered
    const auto settle = [&] {
        if (pixel >= 0 && pixel < width)
            line[static_cast<std::size_t>(pixel)] = foot[static_cast<std::size_t>(pixel)] = blend(weights);
        weights = {};
        pixel = -1;
    };
    const auto gather = [&](int p, float share, std::size_t kind) {
        if (p != pixel) {
            settle();
            pixel = p;
        }
        weights[kind] += share;
    };
    for (; at != spans.end() && double(at->begin) < map.end; ++at) {
        const double x0 = std::max(0.0, map.x(double(at->begin))),
                     x1 = std::min<double>(width, map.x(double(at->end)));
        const std::size_t kind = static_cast<std::size_t>(at->kind);
        if (x1 <= x0) continue;
        const int first = static_cast<int>(std::ceil(x0)), last = static_cast<int>(std::floor(x1));
        if (last < first || (first == last && x1 - x0 < 1)) { // within one pixel or across one border
            const int p = static_cast<int>(std::floor(x0));
            const double border = std::min(x1, p + 1.0);
            gather(p, static_cast<float>(border - x0), kind);
            if (x1 > p + 1.0) gather(p + 1, static_cast<float>(x1 - border), kind);
            continue;
        }
        if (x0 < first) gather(first - 1, static_cast<float>(first - x0), kind);
        if (first < last) {
            settle();
            std::fill(line.begin() + first, line.begin() + last, fill_[kind]);
            std::fill(foot.begin() + first, foot.begin() + last, foot_[kind]);
            if (last - first >= 5) pieces.push_back({first, last, at->kind});
        }
        if (x1 > last) gather(last, static_cast<float>(x1 - last), kind);
    }
    settle();
}

void LanePainter::lineOfCoverage(const Coverage& coverage, std::size_t lane, const TimeMap& map,
                                 std::vector<QRgb>& line) const {
    if ((lane + 1) * coverage.buckets > coverage.shares.size()) return;
    const auto* shares = coverage.shares.data() + lane * coverage.buckets;
    const double perPixel = map.ticksPerPixel() / coverage.bucketTicks;
    const double from = (map.begin - coverage.begin) / coverage.bucketTicks;
    std::size_t lastFirst = ~std::size_t{0}, lastLast = 0;
    for (std::size_t x = 0; x < line.size(); ++x) {
        const double a = from + double(x) * perPixel, b = a + perPixel;
        if (b <= 0 || a >= double(coverage.buckets)) continue;
        const auto first = static_cast<std::size_t>(std::max(0.0, a));
        const auto last =
            std::min(coverage.buckets, std::max(first + 1, static_cast<std::size_t>(std::ceil(b))));
        if (first == lastFirst && last == lastLast) { // the same buckets as the pixel before
            line[x] = line[x - 1];
            continue;
        }
        lastFirst = first;
        lastLast = last;
        Weights weights{};
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t k = 0; k < kSpanKinds; ++k)
                weights[k] += static_cast<float>(shares[i][k]);
        const float scale = 1.0f / (255.0f * static_cast<float>(last - first));
        for (float& w : weights)
            w *= scale;
        line[x] = blend(weights);
    }
}

void LanePainter::paint(QImage& image, int top, int height, const LaneData& data, std::size_t lane,
                        const TimeMap& map) const {
    const std::size_t width = static_cast<std::size_t>(image.width());
    std::vector<QRgb> line(width, ground_), foot(width, ground_);
    std::vector<Piece> pieces;
    if (data.exact) {
        if (lane < data.lanes.size()) lineOfSpans(data.lanes[lane], map, line, foot, pieces);
    } else {
        lineOfCoverage(data.coverage, lane, map, line);
        foot = line;
    }
    for (const Piece& piece : pieces)
        line[static_cast<std::size_t>(piece.x1 - 1)] = foot[static_cast<std::size_t>(piece.x1 - 1)] =
            ground_; // hairline between spans
    const int bottom = std::min(top + height, image.height());
    for (int y = std::max(0, top); y < bottom; ++y)
        std::memcpy(image.scanLine(y), (height >= 10 && y >= top + height - 2 ? foot : line).data(),
                    width * sizeof(QRgb));
    if (height < 8) return;
    for (const Piece& piece : pieces) {
        for (const int y : {top, top + height - 1}) { // corners
            if (y < 0 || y >= image.height()) continue;
            QRgb* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
            pixels[piece.x0] = ground_;
            pixels[piece.x1 - 2] = ground_;
        }
        if (!hatched(piece.kind)) continue;
        const QRgb ink = hatch_[static_cast<std::size_t>(piece.kind)];
        for (int y = std::max(0, top + 1); y < std::min(bottom, top + height - 1); ++y) {
            QRgb* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
            for (int x = piece.x0 + 1; x < piece.x1 - 2; ++x)
                if ((x + y) % 6 == 0) pixels[x] = ink;
        }
    }
}

} // namespace tlbscope
