// What is written over the curves: published marks, and what the program found. A strip of labels above the
// plot, and arrows, bars and dots in it. Private to this folder.
#pragma once

#include "engine/experiment/curve_features.h"
#include "engine/experiment/published.h"
#include "views/charts/label_layout.h"
#include "views/charts/plot.h"

#include <optional>

class QPainter;

namespace tlbscope {

struct CurveMarksInput {
    struct Curve {
        SeriesStyle style;
        QList<QPointF> line, low, high; // median and band, in axis coordinates
        std::optional<Knee> knee;
    };
    std::vector<Curve> curves;
    std::size_t reference = 0, compared = 1;
    std::vector<CurveMark> published;
    std::optional<Window> window;
    std::optional<double> crossing;
    bool difference = false; // the plot shows per cent against the reference
    bool strip = true;       // labels above the plot
    bool words = true;       // labels in the plot
    bool errorLabel = true;  // the published error between runs is written out
};

class CurveMarks {
public:
    // Pixels the strip needs above `plot`, which has been measured.
    int prepare(CurveMarksInput input, const Plot& plot);
    // Once the plot has its final place.
    void layOut(const Plot& plot);
    void paintBack(QPainter& painter) const;
    void paintFront(QPainter& painter) const;
    // What lies there, with its source; empty: nothing.
    QString textAt(const QPointF& position) const;

    // Where a label, dot, arrow or bar was drawn.
    struct Shape {
        enum class Kind { tick, bar, arrow, diamond, error, knee };
        Kind kind = Kind::tick;
        QRectF box{};  // of the tick, bar, arrow …; in the plot's view. Knee: from its dot to the axis
        QRectF text{}; // empty: none
        QString label{}, tip{};
        QColor color{};
        std::optional<SeriesStyle> style{}; // of the sample before the label
    };
    const std::vector<Shape>& shapes() const { return shapes_; }

private:
    struct Item {
        double first = 0, last = 0; // in axis coordinates
        double worst = std::nan("");
        QString label{}, tip{};
        QColor color{};
        bool published = false;
    };
    void addItems(const Plot& plot);
    void placeStrip(const Plot& plot);
    void placeLoss(const CurveMark& mark, const Plot& plot, const std::vector<QPolygonF>& lines);
    void placeError(const CurveMark& mark, const Plot& plot, const std::vector<QPolygonF>& lines);
    void placeKnee(const CurveMarksInput::Curve& curve, const Plot& plot,
                   const std::vector<QPolygonF>& lines);
    void label(Shape& shape, const QPointF& tip, const Plot& plot, const std::vector<QPolygonF>& lines);
    void fillLoss(const Plot& plot);
    std::vector<QRectF> taken() const;

    CurveMarksInput input_;
    std::vector<Item> items_;
    std::vector<StripPlace> places_;
    std::vector<Shape> shapes_; // the first items_.size() are those of the strip
    std::vector<std::pair<QRectF, QColor>> bands_;
    QPolygonF loss_;
    QColor lossColor_;
    QRectF area_;
};

} // namespace tlbscope
