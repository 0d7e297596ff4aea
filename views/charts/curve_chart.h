// Throughput over the working set, for several kernels and many page placements, held against what was
// published, with what the program finds in the curves, and a cursor that reads them.
#pragma once

#include "engine/experiment/curve_features.h"
#include "engine/experiment/published.h"
#include "views/charts/curve_marks.h"
#include "views/panels/panel.h"

#include <map>
#include <memory>
#include <optional>

namespace tlbscope {

enum class CurveView : std::uint8_t {
    throughput,
    difference, // of every curve to the reference, in per cent
    both,       // the difference below the throughput
};

// GUI thread only. Points may come in any order; setters take effect with the next paint.
class CurveChart : public Panel {
    Q_OBJECT
public:
    explicit CurveChart(const QString& title, QWidget* parent = nullptr);
    ~CurveChart() override;

    // The curves; drops all points and what was found in them. Colour and dash count up unless told
    // otherwise: 0 … 7 and 0 … 3.
    struct Label {
        QString text;
        int color = -1, dash = -1;
    };
    void setVariants(const std::vector<Label>& labels);
    // What the differences are taken against, and the curve whose window and loss are spoken of. Default
    // 0, 1.
    void setPair(std::size_t reference, std::size_t compared);
    void setUnit(const QString& unit); // of the throughput: "iterations/s"
    // Ends of the axis in bytes, so that it does not jump while points come.
    void setExpected(double firstBytes, double lastBytes);
    // Adds, or replaces the one of this size. Points of unknown variants, and those without a number, are not
    // drawn.
    void setPoint(const CurvePoint& point);
    void setPoints(const std::vector<CurvePoint>& points);
    void setMarks(std::vector<CurveMark> marks); // published
    // Found in the curves; the owner looks for them.
    void setKnee(std::size_t variant, const std::optional<Knee>& knee);
    void setWindow(const std::optional<Window>& window);
    void setCrossing(std::optional<double> bytes);
    void setView(CurveView view);
    void setProgress(double share);              // 0 … 1; negative or 1: no bar
    void setCursor(std::optional<double> bytes); // emits nothing
    std::optional<double> cursor() const { return cursor_; }

    // Values of the curves at the cursor, straight between points on the logarithmic axis; NaN: none there.
    double valueAtCursor(std::size_t variant) const;
    // "at 480k: 4:4 is 14 % slower than 3:1"; empty without cursor or values.
    QString sentence() const;
    // Tab-separated, one line a point: for assistive technology and the clipboard.
    QString table() const;
    // Where a value lies, in this widget's pixels, once flushed.
    QPointF positionOf(double bytes, double throughput) const;
    std::size_t pointsDrawn() const { return drawn_; } // after decimation
    const NiceAxis& xAxis() const { return x_; }
    const NiceAxis& yAxis() const { return y_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void flush(); // put everything into the chart now; otherwise done before painting

Q_SIGNALS:
    void cursorMoved(double bytes); // by the mouse or the keyboard

protected:
    void paintContent(QPainter& painter, const QRect& box) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void shown() override;
    void themeChanged() override;

private:
    struct Variant {
        QString label;
        SeriesStyle style;
        std::map<int, CurvePoint> points; // by subintervals
        std::optional<Knee> knee;
        QList<QPointF> line, low, high; // in axis coordinates, once flushed
        // To the reference, in per cent of its throughput; made where they are shown.
        QList<QPointF> difference, leastDifference, mostDifference;
        bool dirty = true, differenceDirty = true;
    };

    void changed();
    void place();
    void collect();
    void makeAxes();
    PlotContent content(const std::vector<CurveMarksInput::Curve>& curves, const Plot& plot) const;
    // Seed by seed, where points know theirs.
    void collectDifferences();
    double differenceAtCursor(std::size_t variant) const; // NaN where there is none
    void drag(QPointF position);
    void moveCursor(double bytes);
    void stepCursor(int by);
    std::vector<double> sizes() const; // measured, ascending, in axis coordinates
    void point(QPointF position, QPoint global, bool difference);
    void leave();
    int differenceTitle() const;
    QString pointText(const Variant& variant, const CurvePoint& point) const;
    int legendColumns() const;
    int legendHeight() const;
    void paintLegend(QPainter& painter, const QRect& box) const;
    void paintCursor(QPainter& painter, const Plot& plot, bool difference) const;
    void speak();
    bool keyFocus_ = false; // the focus came by the keyboard: show where it is

    bool showsThroughput() const { return view_ != CurveView::difference; }
    bool showsDifference() const { return view_ != CurveView::throughput; }

    std::vector<Variant> variants_;
    std::size_t reference_ = 0, compared_ = 1;
    std::size_t differenceReference_ = 0; // of the differences as they are
    QString unit_;
    std::optional<std::pair<double, double>> expected_;
    std::vector<CurveMark> marks_;
    std::optional<Window> window_;
    std::optional<double> crossing_, cursor_;
    CurveView view_ = CurveView::throughput;
    double progress_ = -1;
    bool dirty_ = true;
    std::size_t drawn_ = 0;
    NiceAxis x_, y_, percent_;
    // What the axis of y has shown since the points were dropped: it only grows.
    double lowest_, highest_;
    std::unique_ptr<Plot> plot_, differencePlot_;
    std::unique_ptr<CurveMarks[]> drawnMarks_; // of the throughput, of the difference
};

} // namespace tlbscope
