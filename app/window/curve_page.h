// The page of the figure: throughput against working set for several kernels, what was published about it,
// what the program finds in it, and, at the cursor, what the difference is made of.
#pragma once

#include "app/window/attributions.h"
#include "app/window/curve_figures.h"
#include "engine/experiment/published.h"

#include <QWidget>

#include <vector>

namespace tlbscope {

struct Actions;
class AttributionPanel;
class CurveBar;
class CurveChart;
class CurveControls;
class SideCard;

// GUI thread. Nothing is computed before the page is shown for the first time, nor while it is hidden unless
// a scene prepares its next figure.
class CurvePage : public QWidget {
    Q_OBJECT
public:
    // Throws Error when the resources are bad.
    CurvePage(const std::string& resources, const Actions& actions, QWidget* parent);
    ~CurvePage() override;

    QWidget* bar() const;
    // Whether the page is the one that is shown, in a window that is not put away.
    void setActive(bool active);
    void setPresenting(bool on); // the column of controls makes room

    const FigureChoice& choice() const;
    void setChoice(const FigureChoice& choice);
    std::optional<double> cursor() const;
    void setCursor(std::optional<double> bytes);
    void setView(int view); // CurveView
    // The next figures, to be computed once the shown one is there, each with its attribution at a cursor.
    struct Place {
        FigureChoice choice;
        std::optional<double> cursor;
    };
    void prepare(const std::vector<Place>& places);
    // Of the shown figure at the cursor; null: not there yet.
    const AttributionBand* attribution() const;

    CurveFigures& figures() { return *figures_; }
    Attributions& attributions() { return *attributions_; }
    AttributionPanel& attributionPanel() { return *panel_; }
    CurveControls& controls() { return *controls_; }
    CurveChart& chart() { return *chart_; }
    const std::shared_ptr<const FigureData>& shown() const { return data_; }
    double progress() const;
    bool finished() const;

Q_SIGNALS:
    void figureChanged(); // another one, or more of it
    void failed(const QString& error);

private:
    void start();
    void take(const std::shared_ptr<const FigureData>& data);
    void fill();
    void find();
    void showProgress();
    void attribute();

    const std::string resources_;
    CurveBar* bar_;
    CurveControls* controls_;
    SideCard* card_;
    CurveChart* chart_;
    AttributionPanel* panel_;
    CurveFigures* figures_;
    Attributions* attributions_;
    std::shared_ptr<const FigureData> data_;
    bool prepared_ = false;
    std::vector<CurveMark> marks_;
    QTimer rest_; // a slider that is dragged starts one figure, not twenty
    bool active_ = false, due_ = true, presenting_ = false;
};

} // namespace tlbscope
